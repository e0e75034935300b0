/** The thread of `NodePdfWriter`: writes one book, asking for what is in it, and ends. */
import { enableCompileCache } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import type { Document } from "@lectern/core/content/Document"
import type { BookHead, DocumentPart, FileAnswer, FromPdfThread, PdfAnswer } from "./PdfWork.ts"

enableCompileCache()
const { writeBook } = await import("./BookWriter.ts")
const { Refused } = await import("./Flow.ts")

const send = (message: FromPdfThread, transferred: Array<ArrayBuffer> = []) =>
  parentPort!.postMessage(message, transferred)

const answer = (): Promise<PdfAnswer> => new Promise((resolve) => parentPort!.once("message", resolve))

const file = (id: string): Promise<FileAnswer> => {
  send({ ask: "file", id })
  return answer() as Promise<FileAnswer>
}

const document = (id: string): Promise<Document> => {
  const nodes: Array<Document["nodes"][number]> = []
  return new Promise((resolve) => {
    const take = (part: DocumentPart) => {
      for (const node of part.nodes) nodes.push(node)
      if (!part.isLast) return
      parentPort!.off("message", take)
      resolve({ object: "document", data: {}, nodes })
    }
    parentPort!.on("message", take)
    send({ ask: "document", id })
  })
}

try {
  const pdf = await writeBook(workerData as BookHead, { document, file })
  const bytes = new Uint8Array(pdf)
  send({ pdf: bytes }, [bytes.buffer])
} catch (error) {
  if (!(error instanceof Refused)) throw error
  send({ refused: error.message })
}
