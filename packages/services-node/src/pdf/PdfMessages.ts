/** Messages between `NodePdfWriter` and its thread. */
import type { StoredDocument } from "@lectern/core/content/documents/StoredDocument"
import type { Book, BookFile } from "@lectern/core/pdf/PdfWriter"
import type { LocalizedMessages } from "@lectern/site/page/LocalizedMessages"
import type { Size } from "./RenderedFiles.ts"

/** Initial message to the thread: the book without the parts that the thread requests later. */
export type BookHead = Pick<Book, "title" | "language" | "locale" | "revision" | "date" | "pages">

/** Message keys for the reasons why a picture is not drawn. */
export type ImageProblem = keyof Pick<LocalizedMessages["paper"], "tooLarge" | "undrawn" | "othersUndrawn">

/**
 * A file for the PDF. `problem` is the reason why it cannot be displayed. `displayed` is the display size if it differs
 * from the picture's size.
 */
export type FileResponse = (BookFile & { readonly problem?: ImageProblem; readonly displayed?: Size }) | undefined

/** A request of the thread. The thread sends one request at a time. */
export type PdfRequest =
  | { readonly kind: "document"; readonly id: string }
  | { readonly kind: "file"; readonly id: string }

export type PdfResult = { readonly pdf: Uint8Array } | { readonly refused: string }

export type PdfThreadMessage = PdfRequest | PdfResult

/**
 * Response to a request. A document is passed in its stored form, since cloning a large tree would block the main
 * thread.
 */
export type PdfResponse = StoredDocument | FileResponse
