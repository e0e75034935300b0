/**
 * The port that makes a PDF of pages. What it is made of is read page by page, and the same book
 * gives the same bytes. The default makes none; on Node, provide the adapter of
 * `@lectern/services-node`.
 *
 * Limits: 10,000 pages of a space in one book, 24 MiB of picture files, 32 MiB of PDF.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { StoredDocument } from "../content/documents/StoredDocument.ts"
import type { Locale } from "../customization/Customization.ts"
import type { Language } from "../schema/Language.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"

export const maxBookPages = 10_000
export const maxPdfBytes = 32 * 1024 * 1024
/** Of the files of all pictures in a book. */
export const maxPictureBytes = 24 * 1024 * 1024

/** A page as a book holds it. */
export interface BookPage {
  readonly id: string
  readonly type: "document" | "group" | "link"
  readonly title: string
  readonly emoji?: string
  readonly description?: string
  /** 0 at the top. */
  readonly depth: number
}

export interface BookFile {
  readonly name: string
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** Of an image that can be shown: PNG, JPEG, SVG, WebP and GIF, of at most 24 MiB. */
  readonly bytes?: Uint8Array
}

export interface Book {
  readonly title: string
  /** Of what is written; undefined where nobody has said. */
  readonly language?: Language
  /** Of the words around it, where a site has chosen one. */
  readonly locale?: Locale
  /** Which content this is of. */
  readonly revision: string
  /** When that content came to be: the only time that a PDF tells. */
  readonly date: Timestamp
  /** In their order, each before those below it. */
  readonly pages: ReadonlyArray<BookPage>
  /** The document of a page, with what it includes. */
  readonly document: (page: string) => Effect.Effect<StoredDocument, StorageError>
  /** A file of the space that the pages refer to. */
  readonly file: (id: string) => Effect.Effect<BookFile | undefined, StorageError>
}

/** No PDF can be made of this book, however often it is tried. */
export class PdfRefused extends Schema.TaggedError<PdfRefused>()("PdfRefused", { message: Schema.String }) {}

export class PdfWriter extends Context.Service<
  PdfWriter,
  { readonly write: (book: Book) => Effect.Effect<Uint8Array, PdfRefused | StorageError> }
>()("@lectern/core/pdf/PdfWriter") {
  static readonly layer = Layer.succeed(
    PdfWriter,
    PdfWriter.of({ write: () => Effect.fail(new PdfRefused({ message: "This instance makes no PDFs" })) })
  )
}
