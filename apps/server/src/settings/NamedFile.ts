/**
 * A file that the operator names. It may be a pipe, as a shell hands one over (`<(…)`): one that nobody writes to would
 * be waited for without end, so all of it has to be there within 5 seconds.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Clock, Effect } from "effect"

const patience = 5_000
const pause = "10 millis"

export interface NamedFile {
  readonly bytes: Buffer
  readonly mode: number
}

/** Reads a file, or says why it can't. `most` is in KiB; a device may have no end. */
export const read = (path: string, most: number): Effect.Effect<NamedFile, string> =>
  Effect.acquireUseRelease(
    tried(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)),
    (file) =>
      Effect.gen(function* () {
        const stats = yield* tried(() => fstatSync(file))
        const bytes = yield* content(file, most * 1024, stats.isFIFO())
        if (bytes === undefined) return yield* Effect.fail(`it is larger than ${most} KiB`)
        return { bytes, mode: stats.mode }
      }),
    (file) => Effect.sync(() => closeSync(file))
  )

const tried = <A>(run: () => A) => Effect.try({ try: run, catch: fileErrorReason })

/** Bytes that are there now; undefined where a writer has written none yet. */
const next = (file: number, into: Buffer): number | undefined => {
  try {
    return readSync(file, into)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") return undefined
    throw thrown
  }
}

/** Undefined where there is more than that. */
const content = Effect.fnUntraced(function* (file: number, most: number, isPipe: boolean) {
  const end = (yield* Clock.currentTimeMillis) + patience
  const buffer = Buffer.alloc(most + 1)
  let length = 0
  while (length <= most) {
    const bytes = yield* tried(() => next(file, buffer.subarray(length)))
    // Of a pipe without a writer so far there is nothing as well.
    if (bytes === 0 && (length > 0 || !isPipe)) return buffer.subarray(0, length)
    if (bytes !== undefined && bytes > 0) length += bytes
    else if ((yield* Clock.currentTimeMillis) < end) yield* Effect.sleep(pause)
    else return yield* Effect.fail("it is a pipe, and nobody wrote all of it within 5 seconds")
  }
  return undefined
})
