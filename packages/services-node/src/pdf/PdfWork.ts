/** Messages between `NodePdfWriter` and its thread. */
import type { StoredDocument } from "@lectern/core/content/documents/StoredDocument"
import type { Book, BookFile } from "@lectern/core/pdf/PdfWriter"
import type { Words } from "@lectern/site/page/Words"
import type { Size } from "./DrawnFiles.ts"

/** The book that the thread begins with, without the parts that it has to ask for. */
export type BookHead = Pick<Book, "title" | "language" | "locale" | "revision" | "date" | "pages">

/** Texts that say why a picture is not drawn. */
export type Undrawn = keyof Pick<Words["paper"], "tooLarge" | "undrawn" | "othersUndrawn">

/** `problem`: why it can't be shown. `shown`: how large it is shown, where that is not the size of its picture. */
export type FileAnswer = (BookFile & { readonly problem?: Undrawn; readonly shown?: Size }) | undefined

/** The thread asks for one thing after another. */
export type PdfQuestion =
  | { readonly ask: "document"; readonly id: string }
  | { readonly ask: "file"; readonly id: string }

export type PdfResult = { readonly pdf: Uint8Array } | { readonly refused: string }

export type FromPdfThread = PdfQuestion | PdfResult

/** A large document comes as its JSON: to hand over a tree would hold up everybody. */
export type PdfAnswer = StoredDocument | FileAnswer
