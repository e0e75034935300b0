/**
 * A file that holds a secret. It may be a pipe, as a shell hands one over (`<(…)`): one that nobody writes to would be
 * waited for without end, so all of it has to be there within 5 seconds.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs"
import { fileReason } from "@lectern/core/storage/FileReason"
import { Clock, Effect } from "effect"

const patience = 5_000
const pause = "10 millis"

/** Far more than a secret has (bytes). */
const most = 64 * 1024

/** Its text, or why there is none. */
export const read = (path: string): Effect.Effect<string, string> =>
  Effect.acquireUseRelease(
    tried(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)),
    (file) =>
      Effect.flatMap(
        tried(() => fstatSync(file).isFIFO()),
        (isPipe) => (isPipe ? ofPipe(file) : tried(() => readFileSync(file, "utf8")))
      ),
    (file) => Effect.sync(() => closeSync(file))
  ).pipe(Effect.map((text) => text.trim()))

const tried = <A>(run: () => A) => Effect.try({ try: run, catch: fileReason })

/** Bytes that are there now; undefined where a writer has written none yet. */
const next = (file: number, into: Buffer): number | undefined => {
  try {
    return readSync(file, into)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "EAGAIN") return undefined
    throw thrown
  }
}

const ofPipe = Effect.fnUntraced(function* (file: number) {
  const end = (yield* Clock.currentTimeMillis) + patience
  const buffer = Buffer.alloc(most)
  let length = 0
  while (length < most) {
    const bytes = yield* tried(() => next(file, buffer.subarray(length)))
    // Without a writer so far there is nothing as well.
    if (bytes === 0 && length > 0) break
    if (bytes !== undefined && bytes > 0) length += bytes
    else if ((yield* Clock.currentTimeMillis) < end) yield* Effect.sleep(pause)
    else return yield* Effect.fail("it is a pipe, and nobody wrote all of it within 5 seconds")
  }
  return buffer.toString("utf8", 0, length)
})
