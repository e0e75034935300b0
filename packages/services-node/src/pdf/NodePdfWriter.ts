/**
 * Implements `PdfWriter` with a thread for each book. A large book blocks no other work, and a book that exceeds a
 * limit is ended without harm. Fonts come with the package.
 *
 * Defaults: 3 minutes and 768 MiB of memory per book, 10 seconds per drawn picture (see `RenderedFiles`). Limits: 12,000
 * sheets of paper, 24 MiB of picture files, 32 MiB for the PDF.
 */
import { type Book, PdfRefused, PdfWriter } from "@lectern/core/pdf/PdfWriter"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Duration, Effect, Layer } from "effect"
import { BoundedThread, type ThreadLost } from "../thread/BoundedThread.ts"
import { renderedFiles } from "./RenderedFiles.ts"
import type { BookHead, PdfThreadMessage, PdfResponse, PdfRequest } from "./PdfMessages.ts"

export interface NodePdfWriterOptions {
  /** Maximum time for a book. Default: 3 minutes. */
  readonly timeout?: DurationLike
  /** Maximum memory of the thread, in MiB. Default: 768. */
  readonly maxMemory?: number
  /** Maximum time for a drawn picture. Default: 10 seconds. */
  readonly renderTimeout?: DurationLike
}

const layer = (options: NodePdfWriterOptions = {}) =>
  Layer.succeed(PdfWriter, PdfWriter.of({ write: (book) => inThread(book, options) }))

export const NodePdfWriter = { layer }

type RenderFile = Effect.Success<ReturnType<typeof renderedFiles>>

const refusal = (message: string) => new PdfRefused({ message })

const inThread = (
  book: Book,
  { timeout = { minutes: 3 }, maxMemory = 768, renderTimeout = { seconds: 10 } }: NodePdfWriterOptions
): Effect.Effect<Uint8Array, PdfRefused | StorageError> =>
  BoundedThread.open<BookHead | PdfResponse, PdfThreadMessage>(import.meta.url, "PdfWorker", { maxMemory }).pipe(
    Effect.zip(renderedFiles(renderTimeout)),
    Effect.flatMap(([thread, renderFile]) => conversation(thread, book, renderFile)),
    Effect.catchTag("ThreadLost", refusalOf),
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(refusal(`It took longer than ${Duration.format(Duration.fromInputUnsafe(timeout))} to write it`))
    })
  )

/**
 * Responds to the requests of the thread until it returns the PDF. Fails with `PdfRefused` if the book exceeds a limit.
 */
const conversation = Effect.fnUntraced(function* (
  thread: BoundedThread<BookHead | PdfResponse, PdfThreadMessage>,
  book: Book,
  renderFile: RenderFile
) {
  const { title, language, locale, revision, date, pages } = book
  let message = yield* thread.request({
    title,
    ...(language && { language }),
    ...(locale && { locale }),
    revision,
    date,
    pages
  })
  for (;;) {
    if ("pdf" in message) return message.pdf
    if ("refused" in message) return yield* refusal(message.refused)
    message = yield* thread.request(yield* responseTo(book, renderFile, message))
  }
})

const responseTo = (
  book: Book,
  renderFile: RenderFile,
  { kind, id }: PdfRequest
): Effect.Effect<PdfResponse, StorageError> =>
  kind === "document"
    ? book.document(id)
    : Effect.flatMap(book.file(id), (file) => (file === undefined ? Effect.undefined : renderFile(file)))

const refusalOf = (threadLoss: ThreadLost): Effect.Effect<never, PdfRefused> =>
  threadLoss.reason === "memory"
    ? Effect.fail(refusal("It took more memory than there is for it to write it"))
    : Effect.die(threadLoss.cause ?? threadLoss)
