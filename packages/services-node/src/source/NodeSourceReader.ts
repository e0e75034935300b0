/**
 * Implements `SourceReader` with a thread for each import, so that slow or harmful input does not block the server. A
 * thread that exceeds its limits is terminated, and the next request gets a new thread.
 *
 * Defaults: 15 seconds for a page, 30 for a document or a file of an archive, 120 for the list of an archive. A thread
 * may use 512 MiB of memory.
 */
import {
  type PageOptions,
  type Reader,
  type SourceArchive,
  type SourcePage,
  type SourceSitemap,
  SourceReader,
  SourceUnreadable
} from "@lectern/exchange/import/SourceReader"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Duration, Effect, Layer, Scope, Semaphore, type Stream } from "effect"
import type { ThreadLost } from "../thread/BoundedThread.ts"
import * as ThreadOnDemand from "../thread/ThreadOnDemand.ts"
import type { ListedArchive, ReadEntry, SourceResult, SourceRead, SourceTask } from "./SourceMessages.ts"
import { temporaryFile } from "./TemporaryFile.ts"

export interface NodeSourceReaderOptions {
  /** Maximum time for a page or a sitemap. Default: 15 seconds. */
  readonly pageTimeout?: DurationLike
  /** Maximum time for a Word document or a file of an archive. Default: 30 seconds. */
  readonly documentTimeout?: DurationLike
  /** Maximum memory of the thread, in MiB. Default: 512. */
  readonly maxMemory?: number
}

const layer = (options: NodeSourceReaderOptions = {}) =>
  Layer.succeed(SourceReader, SourceReader.of({ open: openReader(options) }))

export const NodeSourceReader = { layer }

const openReader = ({
  pageTimeout = { seconds: 15 },
  documentTimeout = { seconds: 30 },
  maxMemory = 512
}: NodeSourceReaderOptions) =>
  Effect.gen(function* () {
    const sendTask = yield* ThreadOnDemand.make<SourceTask, SourceResult>(import.meta.url, "SourceWorker", {
      maxMemory
    })
    const slots = yield* Semaphore.make(1)

    const runTask = (task: SourceTask, timeout: Duration.Input) =>
      sendTask(task, timeout).pipe(
        Effect.catch((threadLoss) => readFailure(threadLoss, timeout)),
        Effect.flatMap((result) =>
          "read" in result
            ? Effect.succeed(result.read)
            : Effect.fail(new SourceUnreadable({ message: result.problem }))
        ),
        slots.withPermit
      )

    const pages =
      (kind: "html" | "markdown" | "docx", timeout: Duration.Input) =>
      (bytes: Uint8Array, options: PageOptions): Effect.Effect<SourcePage, SourceUnreadable> =>
        castRead(runTask({ kind, bytes, options }, timeout))
    // An archive may list 200,000 files, so the timeout is four times that of a document.
    const listTimeout = Duration.times(Duration.fromInputUnsafe(documentTimeout), 4)
    const nowhere: PageOptions = { embedded: "" }
    const scope = yield* Effect.scope

    const archive = Effect.fnUntraced(function* <E>(bytes: Stream.Stream<Uint8Array, E>) {
      const file = yield* Scope.provide(temporaryFile(bytes), scope)
      const { files, problems } = yield* castRead<ListedArchive>(
        runTask({ kind: "archive", archive: file }, listTimeout)
      )
      return {
        files: files.map(({ path, size }) => ({
          path,
          size,
          bytes: Effect.map(
            castRead<ReadEntry>(runTask({ kind: "entry", archive: file, path }, documentTimeout)),
            (entry) => entry.bytes
          )
        })),
        problems
      } satisfies SourceArchive
    })

    return {
      html: pages("html", pageTimeout),
      markdown: pages("markdown", pageTimeout),
      docx: pages("docx", documentTimeout),
      archive,
      sitemap: (bytes) => castRead<SourceSitemap>(runTask({ kind: "sitemap", bytes, options: nowhere }, pageTimeout))
    } satisfies Reader
  })

/** Narrows the result type. The thread's result type depends on the kind of the task. */
const castRead = <A extends SourceRead>(effect: Effect.Effect<SourceRead, SourceUnreadable>) =>
  effect as Effect.Effect<A, SourceUnreadable>

const readFailure = (
  { reason, cause }: ThreadLost,
  timeout: Duration.Input
): Effect.Effect<never, SourceUnreadable> => {
  switch (reason) {
    case "time": {
      const timeoutText = Duration.format(Duration.fromInputUnsafe(timeout))
      return Effect.fail(new SourceUnreadable({ message: `It took longer than ${timeoutText} to read it` }))
    }
    case "memory":
      return Effect.fail(new SourceUnreadable({ message: "It took more memory than there is for it to read it" }))
    case "ended":
      return Effect.fail(new SourceUnreadable({ message: "It could not be read to its end" }))
    case "failed":
      return Effect.die(cause)
  }
}
