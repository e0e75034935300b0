/**
 * Stores bytes that are too large for memory in a temporary file. Only the user that runs the server may read the
 * file's folder. The folder is deleted when the scope closes.
 */
import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SourceUnreadable } from "@lectern/exchange/import/SourceReader"
import { Effect, type Scope, Stream } from "effect"

/** Writes the bytes to a file and returns its path. Fails with `SourceUnreadable` if writing fails. */
export const temporaryFile = Effect.fnUntraced(function* <E>(
  bytes: Stream.Stream<Uint8Array, E>
): Effect.fn.Return<string, E | SourceUnreadable, Scope.Scope> {
  const folder = yield* Effect.acquireRelease(
    tryFile(() => mkdtemp(join(tmpdir(), "lectern-"))),
    (created) => Effect.promise(() => rm(created, { recursive: true, force: true }))
  )
  const path = join(folder, "content")
  yield* Effect.acquireUseRelease(
    tryFile(() => open(path, "wx", 0o600)),
    (file) => Stream.runForEach(bytes, (chunk) => tryFile(() => file.appendFile(chunk))),
    (file) => Effect.promise(() => file.close())
  )
  return path
})

/** Converts file system errors to `SourceUnreadable`, since a full disk, for example, is not a defect. */
const tryFile = <A>(work: () => Promise<A>): Effect.Effect<A, SourceUnreadable> =>
  Effect.tryPromise({
    try: work,
    catch: () => new SourceUnreadable({ message: "There is no room here to keep it while it is read" })
  })
