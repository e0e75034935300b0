/** The thread of `NodeSourceReader`: reads what it is given, one after another. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import { SourceUnreadable } from "@lectern/core/content/import/SourceReader"
import type { SourceAnswer, SourceRead, SourceTask } from "./SourceWork.ts"

enableCompileCache()

const read = async ({ kind, bytes, options }: SourceTask): Promise<SourceRead> => {
  switch (kind) {
    case "html":
      return (await import("./HtmlPage.ts")).read(bytes, options)
    case "markdown":
      return (await import("./MarkdownPage.ts")).read(bytes, options)
    case "docx":
      return (await import("./WordDocument.ts")).read(bytes, options)
    case "archive":
      return (await import("./ZipArchive.ts")).read(bytes)
    case "sitemap":
      return (await import("./Sitemap.ts")).read(bytes)
  }
}

const sentenceFor = (error: unknown): string => {
  if (error instanceof SourceUnreadable) return error.message
  // Deeper than the stack is deep.
  return error instanceof RangeError ? "It is nested too deeply to be read" : "It can't be read"
}

parentPort?.on("message", async (task: SourceTask) => {
  const answer = await read(task).then(
    (read): SourceAnswer => ({ read }),
    (error: unknown): SourceAnswer => ({ problem: sentenceFor(error) })
  )
  const files = "read" in answer && "files" in answer.read ? answer.read.files : []
  const buffers = new Set(files.map(({ bytes }) => bytes.buffer as ArrayBuffer))
  parentPort?.postMessage(answer, [...buffers])
})
