/** The thread of `NodePdfWriter`: writes one book, asking for what is in it, and ends. */
import { enableCompileCache } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import type { Document } from "@lectern/core/content/Document"
import type { BookHead, FileAnswer, FromPdfThread, PdfAnswer, PdfQuestion } from "./PdfWork.ts"

enableCompileCache()
const { writeBook } = await import("./BookWriter.ts")
const { Refused } = await import("./Flow.ts")

const send = (message: FromPdfThread, transferred: Array<ArrayBuffer> = []) =>
  parentPort!.postMessage(message, transferred)

const ask = (question: PdfQuestion): Promise<PdfAnswer> =>
  new Promise((resolve) => {
    parentPort!.once("message", resolve)
    send(question)
  })

try {
  const pdf = await writeBook(workerData as BookHead, {
    document: (id) => ask({ ask: "document", id }) as Promise<Document>,
    file: (id) => ask({ ask: "file", id }) as Promise<FileAnswer>
  })
  const bytes = new Uint8Array(pdf)
  send({ pdf: bytes }, [bytes.buffer])
} catch (error) {
  if (!(error instanceof Refused)) throw error
  send({ refused: error.message })
}
