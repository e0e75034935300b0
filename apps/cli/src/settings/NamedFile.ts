/**
 * Reads a file that the operator names. The file may be a pipe, such as `<(…)` of a shell. A pipe must be complete within 5
 * seconds, since a pipe without a writer never ends.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Clock, Effect } from "effect"

const pipeTimeout = 5_000
const pollInterval = "10 millis"

export interface NamedFile {
  readonly bytes: Buffer
  readonly mode: number
}

/** Reads a file of up to `maxKibibytes` KiB. Fails with a reason. The limit also applies to devices without an end. */
export const read = (path: string, maxKibibytes: number): Effect.Effect<NamedFile, string> =>
  Effect.acquireUseRelease(
    tryFile(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)),
    (file) =>
      Effect.gen(function* () {
        const stats = yield* tryFile(() => fstatSync(file))
        const bytes = yield* content(file, maxKibibytes * 1024, stats.isFIFO())
        if (bytes === undefined) return yield* Effect.fail(`it is larger than ${maxKibibytes} KiB`)
        return { bytes, mode: stats.mode }
      }),
    (file) => Effect.sync(() => closeSync(file))
  )

const tryFile = <A>(run: () => A) => Effect.try({ try: run, catch: fileErrorReason })

/** Returns the number of bytes that were read, or undefined if the writer of a pipe has not written yet. */
const readNext = (file: number, buffer: Buffer): number | undefined => {
  try {
    return readSync(file, buffer)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") return undefined
    throw thrown
  }
}

/** Returns the content, or undefined if it is larger than `maxLength` bytes. */
const content = Effect.fnUntraced(function* (file: number, maxLength: number, isPipe: boolean) {
  const end = (yield* Clock.currentTimeMillis) + pipeTimeout
  const buffer = Buffer.alloc(maxLength + 1)
  let length = 0
  while (length <= maxLength) {
    const bytes = yield* tryFile(() => readNext(file, buffer.subarray(length)))
    // A pipe without a writer also returns 0 bytes, so only later zeros are its end.
    if (bytes === 0 && (length > 0 || !isPipe)) return buffer.subarray(0, length)
    if (bytes !== undefined && bytes > 0) length += bytes
    else if ((yield* Clock.currentTimeMillis) < end) yield* Effect.sleep(pollInterval)
    else return yield* Effect.fail("the pipe was not complete within 5 seconds")
  }
  return undefined
})
