/**
 * A thread that draws pictures for a PDF, one after another. It ends at the first failure, since WebAssembly may be in
 * any state afterwards.
 */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import type { PictureFile } from "./RenderedFiles.ts"

enableCompileCache()
const workModule = import("./RenderedFile.ts")

parentPort?.on("message", async ({ contentType, bytes }: PictureFile) => {
  const { renderPng } = await workModule
  const rendered = await renderPng(contentType, bytes)
  parentPort?.postMessage(rendered, [])
})
