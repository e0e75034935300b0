/**
 * A file for what is too large to be held in memory, in a folder of the system for such files that nobody else
 * may read. It goes with its scope.
 */
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SourceUnreadable } from "@lectern/core/content/import/SourceReader"
import { Effect, type Scope, Stream } from "effect"

/** The path of a file with these bytes. */
export const temporaryFile = Effect.fnUntraced(function* <E>(
  bytes: Stream.Stream<Uint8Array, E>
): Effect.fn.Return<string, E | SourceUnreadable, Scope.Scope> {
  const folder = yield* Effect.acquireRelease(
    keeping(() => mkdtemp(join(tmpdir(), "lectern-"))),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
  )
  const path = join(folder, "content")
  yield* Effect.acquireUseRelease(
    keeping(() => open(path, "wx", 0o600)),
    (file) => Stream.runForEach(bytes, (chunk) => keeping(() => file.appendFile(chunk))),
    (file) => Effect.promise(() => file.close())
  )
  return path
})

/** A full disk, say, is nobody's defect. */
const keeping = <A>(work: () => Promise<A>): Effect.Effect<A, SourceUnreadable> =>
  Effect.tryPromise({
    try: work,
    catch: () => new SourceUnreadable({ message: "There is no room here to keep it while it is read" })
  })
