/** The thread of `NodePdfWriter`: writes one book, requests the book's content, and ends. */
import { parentPort } from "node:worker_threads"
import type { Document } from "@lectern/document/Document"
import { type StoredDocument, open } from "@lectern/core/content/documents/StoredDocument"
import { keepCompiled } from "../thread/CompileCache.ts"
import type { BookHead, FileAnswer, FromPdfThread, PdfAnswer } from "./PdfWork.ts"

keepCompiled()
const loaded = Promise.all([import("./BookWriter.ts"), import("./Flow.ts")])

const send = (message: FromPdfThread, transferred: Array<ArrayBuffer> = []) =>
  parentPort!.postMessage(message, transferred)

const told = <A extends BookHead | PdfAnswer>(): Promise<A> =>
  new Promise((resolve) => parentPort!.once("message", resolve))

const file = (id: string): Promise<FileAnswer> => {
  send({ ask: "file", id })
  return told()
}

const document = async (id: string): Promise<Document> => {
  send({ ask: "document", id })
  return open(await told<StoredDocument>())
}

const write = async (head: Promise<BookHead>) => {
  const [{ writeBook }, { Refused }] = await loaded
  try {
    const pdf = await writeBook(await head, { document, file })
    const bytes = new Uint8Array(pdf)
    send({ pdf: bytes }, [bytes.buffer])
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    send({ refused: error.message })
  }
}

// Listens before the imports complete, since the first message may arrive earlier.
void write(told<BookHead>())
