/**
 * `PdfWriter` in a thread of its own for each book, so that a large one holds up nobody, and one
 * that takes too much is ended without harm. Fonts come with the package.
 *
 * Defaults: 3 minutes, 768 MiB of memory. Limits: 12,000 sheets of paper, 24 MiB of picture
 * files, 32 MiB in all.
 */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { type Book, PdfRefused, PdfWriter } from "@lectern/core/pdf/PdfWriter"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Cause, Duration, Effect, Layer, Queue } from "effect"
import * as ThreadMemory from "../ThreadMemory.ts"
import type { BookHead, FromPdfThread, PdfAnswer, PdfQuestion } from "./PdfWork.ts"

export interface NodePdfWriterOptions {
  /** Default: 3 minutes. */
  readonly timeout?: Duration.Input
  /** Of the thread, in MiB. Default: 768. */
  readonly maxMemory?: number
}

const layer = (options: NodePdfWriterOptions = {}) =>
  Layer.succeed(PdfWriter, PdfWriter.of({ write: (book) => inThread(book, options) }))

export const NodePdfWriter = { layer }

const refused = (message: string) => new PdfRefused({ message })

const inThread = (
  book: Book,
  { timeout = Duration.minutes(3), maxMemory = 768 }: NodePdfWriterOptions
): Effect.Effect<Uint8Array, PdfRefused | StorageError> => {
  const { title, revision, date, pages } = book
  const head: BookHead = { title, revision, date, pages }
  return Effect.acquireUseRelease(
    Effect.sync(
      () =>
        new Worker(new URL(`./PdfWorker${extname(import.meta.url)}`, import.meta.url), {
          workerData: head,
          resourceLimits: ThreadMemory.limitedTo(maxMemory),
          // What libraries have to say by the way is for nobody.
          stdout: true,
          stderr: true
        })
    ),
    (worker) => conversation(worker, book),
    (worker) => Effect.promise(async () => void (await worker.terminate()))
  ).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(refused(`It took longer than ${Duration.format(Duration.fromInputUnsafe(timeout))} to write it`))
    })
  )
}

/** Answers what the thread asks until it is done. */
const conversation = Effect.fnUntraced(function* (worker: Worker, book: Book) {
  const messages = yield* Queue.unbounded<FromPdfThread, PdfRefused>()
  worker.on("message", (message: FromPdfThread) => Queue.offerUnsafe(messages, message))
  worker.on("error", (error) => {
    const isMemory = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    const cause = isMemory
      ? Cause.fail(refused("It took more memory than there is for it to write it"))
      : Cause.die(error)
    Queue.failCauseUnsafe(messages, cause)
  })
  worker.on("exit", (code) =>
    Queue.failCauseUnsafe(messages, Cause.die(new Error(`The thread that writes PDFs ended with ${code}`)))
  )
  for (;;) {
    const message = yield* Queue.take(messages)
    if ("pdf" in message) return message.pdf
    if ("refused" in message) return yield* refused(message.refused)
    yield* answer(worker, book, message)
  }
})

const answer = Effect.fnUntraced(function* (worker: Worker, book: Book, { ask, id }: PdfQuestion) {
  const send = (message: PdfAnswer) => worker.postMessage(message, [])
  if (ask === "file") return send(yield* book.file(id))
  send(yield* book.document(id))
})
