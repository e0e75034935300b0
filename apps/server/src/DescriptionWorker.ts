/** The thread of `Descriptions`: makes one thing, and ends. */
import { enableCompileCache } from "node:module"
import { parentPort, workerData } from "node:worker_threads"

enableCompileCache()
const [{ inSteps }, { Effect }] = await Promise.all([import("@lectern/http/server/ApiDescription"), import("effect")])

const json = workerData as Uint8Array | undefined
const bytes = await Effect.runPromise(json === undefined ? inSteps.json : inSteps.page(json))
parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
