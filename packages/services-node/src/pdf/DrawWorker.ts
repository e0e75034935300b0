/**
 * A thread that draws pictures for a PDF, one after another. It ends at the first failure, since WebAssembly may be in
 * any state afterwards.
 */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import type { Picture } from "./DrawnFiles.ts"

enableCompileCache()
const loaded = import("./DrawnFile.ts")

parentPort?.on("message", async ({ contentType, bytes }: Picture) => {
  const { draw } = await loaded
  const drawn = await draw(contentType, bytes)
  parentPort?.postMessage(drawn, [])
})
