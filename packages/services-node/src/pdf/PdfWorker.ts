/** The thread of `NodePdfWriter`: writes one book, requests the book's content, and ends. */
import { parentPort } from "node:worker_threads"
import type { Document } from "@lectern/document/Document"
import { type StoredDocument, parseDocument } from "@lectern/core/content/documents/StoredDocument"
import { enableCompileCache } from "../thread/CompileCache.ts"
import type { BookHead, FileResponse, PdfThreadMessage, PdfResponse } from "./PdfMessages.ts"

enableCompileCache()
const loaded = Promise.all([import("./BookWriter.ts"), import("./Flow.ts")])

const send = (message: PdfThreadMessage, transferred: Array<ArrayBuffer> = []) =>
  parentPort!.postMessage(message, transferred)

const nextMessage = <A extends BookHead | PdfResponse>(): Promise<A> =>
  new Promise((resolve) => parentPort!.once("message", resolve))

const file = (id: string): Promise<FileResponse> => {
  send({ kind: "file", id })
  return nextMessage()
}

const document = async (id: string): Promise<Document> => {
  send({ kind: "document", id })
  return parseDocument(await nextMessage<StoredDocument>())
}

const write = async (head: Promise<BookHead>) => {
  const [{ writeBook }, { BookRefused }] = await loaded
  try {
    const pdf = await writeBook(await head, { document, file })
    const bytes = new Uint8Array(pdf)
    send({ pdf: bytes }, [bytes.buffer])
  } catch (error) {
    if (!(error instanceof BookRefused)) throw error
    send({ refused: error.message })
  }
}

// Listens before the imports complete, since the first message may arrive earlier.
void write(nextMessage<BookHead>())
