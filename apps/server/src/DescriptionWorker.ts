/** The thread of `Descriptions`: makes one thing. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"

enableCompileCache()
const loaded = Promise.all([import("@lectern/http/server/ApiDescription"), import("effect")])

parentPort?.once("message", async (of: Uint8Array | string) => {
  const [{ inSteps }, { Effect }] = await loaded
  const bytes = await Effect.runPromise(typeof of === "string" ? inSteps.json(of) : inSteps.page(of))
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
