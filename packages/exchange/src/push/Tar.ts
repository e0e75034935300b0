/**
 * Folders as tar archives: parts of pushes, and exports. Files only, without owners and times, so that equal folders
 * result in equal bytes. Paths of any length are supported.
 */
import { packTar, unpackTar } from "modern-tar"
import { Data, Effect } from "effect"

/** The bytes are no complete tar archive. */
export class InvalidTar extends Data.TaggedError("InvalidTar")<{ readonly message: string }> {}

/** End of an archive: two empty blocks. */
export const end = new Uint8Array(1024)

/** Returns a file as an entry of an archive. An archive is a sequence of entries, with `end` at the end. */
export const entry = (name: string, body: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.promise(() =>
    packTar([{ header: { name, size: body.length, type: "file", mode: 0o644, mtime: new Date(0) }, body }])
  ).pipe(Effect.map((archive) => archive.subarray(0, archive.length - end.length)))

export interface ArchivedFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Returns the files of an archive that is in memory. */
export const files = (archive: Uint8Array): Effect.Effect<ReadonlyArray<ArchivedFile>, InvalidTar> =>
  Effect.tryPromise({
    try: () => unpackTar(archive, { strict: true }),
    catch: () => new InvalidTar({ message: "The body is no complete tar archive" })
  }).pipe(
    Effect.map((entries) =>
      entries.flatMap(({ header, data }) =>
        header.type === "file" ? [{ path: header.name, bytes: data ?? new Uint8Array(0) }] : []
      )
    )
  )
