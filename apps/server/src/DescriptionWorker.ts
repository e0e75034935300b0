/** The thread of `Descriptions`: makes one thing. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"

enableCompileCache()
const loaded = import("./DescriptionWork.ts")

parentPort?.once("message", async (of: Uint8Array | string) => {
  const bytes = await (await loaded).make(of)
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
