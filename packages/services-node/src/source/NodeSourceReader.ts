/**
 * `SourceReader` in a thread of its own for each import, so that what strangers wrote holds up
 * nobody, and what takes too much is ended without harm: the next is read by another thread.
 *
 * Defaults: 15 seconds for a page, 30 for a document or an archive, 512 MiB of memory.
 */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import {
  type PageOptions,
  type Reader,
  type ReadArchive,
  type ReadPage,
  type ReadSitemap,
  SourceReader,
  SourceUnreadable
} from "@lectern/core/content/import/SourceReader"
import { Duration, Effect, Exit, Layer, Semaphore } from "effect"
import * as ThreadMemory from "../ThreadMemory.ts"
import type { SourceAnswer, SourceRead, SourceTask } from "./SourceWork.ts"

export interface NodeSourceReaderOptions {
  /** For a page or a map. Default: 15 seconds. */
  readonly pageTimeout?: Duration.Input
  /** For a document of Word or an archive. Default: 30 seconds. */
  readonly documentTimeout?: Duration.Input
  /** Of the thread, in MiB. Default: 512. */
  readonly maxMemory?: number
}

const layer = (options: NodeSourceReaderOptions = {}) =>
  Layer.succeed(SourceReader, SourceReader.of({ open: open(options) }))

export const NodeSourceReader = { layer }

const open = ({
  pageTimeout = Duration.seconds(15),
  documentTimeout = Duration.seconds(30),
  maxMemory = 512
}: NodeSourceReaderOptions) =>
  Effect.gen(function* () {
    let worker: Worker | undefined
    const turns = yield* Semaphore.make(1)

    const end = Effect.promise(async () => {
      const ended = worker
      worker = undefined
      await ended?.terminate()
    })
    yield* Effect.addFinalizer(() => end)

    const read = (kind: keyof Reader, bytes: Uint8Array, options: PageOptions, timeout: Duration.Input) =>
      Effect.suspend(() => ask((worker ??= start(maxMemory)), { kind, bytes, options })).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () =>
            Effect.fail(
              new SourceUnreadable({
                message: `It took longer than ${Duration.format(Duration.fromInputUnsafe(timeout))} to read it`
              })
            )
        }),
        // A thread that did not answer is still at it, or gone.
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : end)),
        Effect.flatMap((answer) =>
          "read" in answer
            ? Effect.succeed(answer.read)
            : Effect.fail(new SourceUnreadable({ message: answer.problem }))
        ),
        turns.withPermit
      )

    const pages =
      (kind: "html" | "markdown" | "docx", timeout: Duration.Input) =>
      (bytes: Uint8Array, options: PageOptions): Effect.Effect<ReadPage, SourceUnreadable> =>
        as(read(kind, bytes, options, timeout))
    const nowhere: PageOptions = { embedded: "" }

    return {
      html: pages("html", pageTimeout),
      markdown: pages("markdown", pageTimeout),
      docx: pages("docx", documentTimeout),
      archive: (bytes) => as<ReadArchive>(read("archive", bytes, nowhere, documentTimeout)),
      sitemap: (bytes) => as<ReadSitemap>(read("sitemap", bytes, nowhere, pageTimeout))
    } satisfies Reader
  })

/** The thread answers each kind of task with what that kind reads. */
const as = <A extends SourceRead>(effect: Effect.Effect<SourceRead, SourceUnreadable>) =>
  effect as Effect.Effect<A, SourceUnreadable>

const start = (maxMemory: number): Worker => {
  const worker = new Worker(new URL(`./SourceWorker${extname(import.meta.url)}`, import.meta.url), {
    resourceLimits: ThreadMemory.limitedTo(maxMemory),
    // What is wrong with a text is told by the answer, and nothing by the way.
    stdout: true,
    stderr: true
  })
  worker.unref()
  return worker
}

const ask = (worker: Worker, task: SourceTask): Effect.Effect<SourceAnswer, SourceUnreadable> =>
  Effect.callback((resume) => {
    const done = (result: Effect.Effect<SourceAnswer, SourceUnreadable>) => {
      detach()
      resume(result)
    }
    const unreadable = (message: string) => done(Effect.fail(new SourceUnreadable({ message })))
    const onMessage = (answer: SourceAnswer) => done(Effect.succeed(answer))
    const onError = (error: Error) =>
      "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? unreadable("It took more memory than there is for it to read it")
        : done(Effect.die(error))
    const onExit = () => unreadable("It could not be read to its end")
    const detach = () => worker.off("message", onMessage).off("error", onError).off("exit", onExit)
    worker.on("message", onMessage).on("error", onError).on("exit", onExit)
    worker.postMessage(task, [])
    return Effect.sync(() => void detach())
  })
