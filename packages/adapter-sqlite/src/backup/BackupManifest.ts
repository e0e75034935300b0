/**
 * The list of what a backup holds, `manifest.json` in its folder. It is written last: a folder without one
 * is a backup that was not finished.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect, Schema } from "effect"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"

/** The number counts up when folders come to look otherwise. */
const format = 1

export const manifestName = "manifest.json"
export const databaseName = "lectern.db"
export const blobFolderName = `${databaseName}-blobs`

const Size = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** One that a disk has changed is told from one that counts, and names no file elsewhere. */
const Hash = Schema.String.check(Schema.isPattern(/^[\w-]+$/))
const Time = Schema.String.check(Schema.isPattern(/^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/))

/** A blob that was not whole in the data, nor in a former backup. */
export const LostBlob = Schema.Struct({
  hash: Hash,
  /** The file is in the backup as it was, where it could be read. Absent: it wasn't there at all. */
  damaged: Schema.optionalKey(Schema.Literal(true))
})
export type LostBlob = typeof LostBlob.Type

/** Blobs are named by the SHA-256 of their bytes in base64url, and so is the database's checksum. */
export const BackupManifest = Schema.Struct({
  format: Schema.Literal(format),
  /** When the copy of the database was begun: all that was answered before is in it. */
  begunAt: Time,
  database: Schema.Struct({ bytes: Size, sha256: Schema.String }),
  blobs: Schema.Array(Schema.Struct({ hash: Hash, bytes: Size })),
  /** Absent where all were whole. */
  lost: Schema.optionalKey(Schema.Array(LostBlob))
})
export type BackupManifest = typeof BackupManifest.Type

export const manifestOf = (fields: Omit<BackupManifest, "format">): BackupManifest => ({ format, ...fields })

/** A sentence about each that was lost. */
export const lossesOf = ({
  lost = []
}: {
  readonly lost?: ReadonlyArray<LostBlob> | undefined
}): ReadonlyArray<string> => lost.map(({ hash, damaged }) => `The blob ${hash} is ${damaged ? "damaged" : "missing"}`)

/** A sentence about each that is whole in a backup, by a former one, and not in the data. */
export const lossesInData = (inData: ReadonlyArray<LostBlob>): ReadonlyArray<string> =>
  lossesOf({ lost: inData }).map((loss) => `${loss} in the data. The backup has it, as the one before did`)

/** A backup can't be made, or not be used: one sentence that says why. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", { message: Schema.String }) {}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(BackupManifest))

/** The manifest in a folder. */
export const readManifest = (folder: string): Effect.Effect<BackupManifest, BackupFailed> =>
  Effect.tryPromise({
    try: () => readFile(join(folder, manifestName), "utf8"),
    catch: (thrown) => {
      const { code } = thrown as NodeJS.ErrnoException
      return new BackupFailed({
        message:
          code === "ENOENT"
            ? `There is no finished backup in ${folder}: it has no ${manifestName}`
            : `The ${manifestName} in ${folder} can't be read: ${fileErrorReason(thrown)}`
      })
    }
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(
        decode(text),
        () =>
          new BackupFailed({ message: `The ${manifestName} in ${folder} is damaged, or of another version of Lectern` })
      )
    )
  )

/** How much of a file is read at once (bytes). With 64 KiB, as Node.js has it, a file takes half as long again. */
const piece = 1024 * 1024

/** The checksum of a file. */
export const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path, { highWaterMark: piece }), hash)
  return hash.digest("base64url")
}

/** Runs what works on files; whatever goes wrong there is told with its reason. */
export const onFiles = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, BackupFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (thrown) => {
      if (thrown instanceof BackupFailed) return thrown
      return new BackupFailed({ message: `${what}: ${fileErrorReason(thrown)}` })
    }
  })
