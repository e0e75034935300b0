/**
 * Port that creates a PDF of pages. Documents are read page by page. Equal books result in equal bytes. The default
 * layer rejects all books. On Node, provide the adapter of `@lectern/services-node`.
 *
 * Limits: 10,000 pages of a space in a book, 24 MiB of image files, 32 MiB of PDF.
 */
import { Context, Effect, Layer, Schema } from "effect"
import type { StoredDocument } from "../content/documents/StoredDocument.ts"
import type { Locale } from "../customization/Customization.ts"
import type { Language } from "../schema/Language.ts"
import type { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"

export const maxBookPages = 10_000
export const maxPdfBytes = 32 * 1024 * 1024
/** Maximum total size of the image files in a book, in bytes. */
export const maxPictureBytes = 24 * 1024 * 1024

/** A page of a book. */
export interface BookPage {
  readonly id: string
  readonly type: "document" | "group" | "link"
  readonly title: string
  readonly emoji?: string
  readonly description?: string
  /** Number of ancestors in the book. */
  readonly depth: number
}

export interface BookFile {
  readonly name: string
  readonly contentType: string
  /** Size in bytes. */
  readonly size: number
  /** Content of a displayable image: PNG, JPEG, SVG, WebP or GIF, at most 24 MiB. Absent for other files. */
  readonly bytes?: Uint8Array
}

export interface Book {
  readonly title: string
  /** Language of the content. Undefined if the space has no language. */
  readonly language?: Language
  /** Language of labels, such as the heading of the table of contents. Undefined if the site has no locale. */
  readonly locale?: Locale
  /** Id of the revision. */
  readonly revision: string
  /** Creation time of the revision. It is the only time in the PDF. */
  readonly date: Timestamp
  /** Pages in order, each before its descendants. */
  readonly pages: ReadonlyArray<BookPage>
  /** Returns the document of a page, with its included content. */
  readonly document: (page: string) => Effect.Effect<StoredDocument, StorageError>
  /** Returns a file of the space. Undefined if the file does not exist. */
  readonly file: (id: string) => Effect.Effect<BookFile | undefined, StorageError>
}

/** Raised if the content exceeds a limit or the instance creates no PDFs. A retry has the same result. */
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
