/** Thread of `Descriptions`: generates one description or one page. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"

enableCompileCache()
const workModule = import("./DescriptionWork.ts")

parentPort?.once("message", async (input: Uint8Array | string) => {
  const bytes = await (await workModule).generate(input)
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
