/** Thread of `Descriptions`: generates one description. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"

enableCompileCache()
const workModule = import("./DescriptionWork.ts")

parentPort?.once("message", async (server: string) => {
  const bytes = await (await workModule).generate(server)
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
