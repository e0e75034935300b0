/** The thread of `NodeSourceReader`: reads the sources that it receives as messages. */
import { parentPort } from "node:worker_threads"
import { SourceUnreadable } from "@lectern/exchange/import/SourceReader"
import { enableCompileCache } from "../thread/CompileCache.ts"
import type { SourceResult, SourceRead, SourceTask } from "./SourceMessages.ts"

enableCompileCache()

const read = async (task: SourceTask): Promise<SourceRead> => {
  switch (task.kind) {
    case "html":
      return (await import("./HtmlPage.ts")).read(task.bytes, task.options)
    case "markdown":
      return (await import("./MarkdownPage.ts")).read(task.bytes, task.options)
    case "docx":
      return (await import("./WordDocument.ts")).read(task.bytes, task.options)
    case "archive":
      return (await import("./ZipArchive.ts")).list(task.archive)
    case "entry":
      return (await import("./ZipArchive.ts")).entry(task.archive, task.path)
    case "sitemap":
      return (await import("./Sitemap.ts")).read(task.bytes)
  }
}

const messageOf = (error: unknown): string => {
  if (error instanceof SourceUnreadable) return error.message
  // A `RangeError` means that the stack overflowed.
  return error instanceof RangeError ? "It is nested too deeply to be read" : "It can't be read"
}

parentPort?.on("message", async (task: SourceTask) => {
  const result = await read(task).then(
    (read): SourceResult => ({ read }),
    (error: unknown): SourceResult => ({ problem: messageOf(error) })
  )
  parentPort?.postMessage(result, "read" in result ? buffersOf(result.read) : [])
})

/** Returns buffers to transfer without a copy. */
const buffersOf = (read: SourceRead): Array<ArrayBuffer> => {
  const responses = "bytes" in read ? [read] : "files" in read ? read.files.filter((file) => "bytes" in file) : []
  return [...new Set(responses.map(({ bytes }) => bytes.buffer as ArrayBuffer))]
}
