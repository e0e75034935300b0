/** The thread of `NodeSpecParser`: reads the spec it is given, answers, and ends. */
import { enableCompileCache } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import { Result } from "effect"
import type { SpecAnswer } from "./SpecWork.ts"

enableCompileCache()
const { read } = await import("@lectern/core/openapi/SpecText")

const result = read(workerData as Uint8Array)

if (Result.isSuccess(result)) {
  const { document } = result.success
  parentPort?.postMessage({ parsed: result.success } satisfies SpecAnswer, [document.buffer as ArrayBuffer])
} else {
  parentPort?.postMessage({ problems: result.failure } satisfies SpecAnswer, [])
}
