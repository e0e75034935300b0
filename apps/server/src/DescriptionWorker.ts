/** The thread of `Descriptions`: makes one thing. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"

enableCompileCache()
const loaded = Promise.all([import("@lectern/http/server/ApiDescription"), import("effect")])

parentPort?.once("message", async (json: Uint8Array | undefined) => {
  const [{ inSteps }, { Effect }] = await loaded
  const bytes = await Effect.runPromise(json === undefined ? inSteps.json : inSteps.page(json))
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
