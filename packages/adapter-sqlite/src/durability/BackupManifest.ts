/**
 * List of a backup's files, `manifest.json` in its folder. Written last: a folder without a manifest is an incomplete
 * backup.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect, Schema } from "effect"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"

/** Version of the format. Increased when the folder layout changes. */
const format = 1

export const manifestName = "manifest.json"
export const databaseName = "lectern.db"
export const blobFolderName = `${databaseName}-blobs`

const Size = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** Restricted characters: a hash becomes a file name, so a damaged manifest cannot name a file elsewhere. */
const Hash = Schema.String.check(Schema.isPattern(/^[\w-]+$/))
const Time = Schema.String.check(Schema.isPattern(/^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/))

/** Blob that was damaged or missing in the data and in the previous backup. */
export const LostBlob = Schema.Struct({
  hash: Hash,
  /** True if the damaged file is in the backup. Absent: the file was missing. */
  damaged: Schema.optionalKey(Schema.Literal(true))
})
export type LostBlob = typeof LostBlob.Type

/** Blobs are named by the SHA-256 of their bytes in base64url. The checksum of the database has the same form. */
export const BackupManifest = Schema.Struct({
  format: Schema.Literal(format),
  /** Start of the database copy. All responses sent before are included. */
  begunAt: Time,
  database: Schema.Struct({ bytes: Size, sha256: Schema.String }),
  blobs: Schema.Array(Schema.Struct({ hash: Hash, bytes: Size })),
  /** Absent if all blobs are intact. */
  lost: Schema.optionalKey(Schema.Array(LostBlob))
})
export type BackupManifest = typeof BackupManifest.Type

export const manifestOf = (fields: Omit<BackupManifest, "format">): BackupManifest => ({ format, ...fields })

/** Returns a sentence for each lost blob. */
export const lossesOf = ({
  lost = []
}: {
  readonly lost?: ReadonlyArray<LostBlob> | undefined
}): ReadonlyArray<string> => lost.map(({ hash, damaged }) => `The blob ${hash} is ${damaged ? "damaged" : "missing"}`)

/** Returns a sentence for each blob that is lost in the data but intact in the backup, through the previous one. */
export const lossesInData = (inData: ReadonlyArray<LostBlob>): ReadonlyArray<string> =>
  lossesOf({ lost: inData }).map((loss) => `${loss} in the data. The backup has it, as the one before did`)

/** Raised if a backup cannot be created or used. The message states the reason. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", { message: Schema.String }) {}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(BackupManifest))

/** Reads the manifest of a folder. */
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

/** Read size (bytes). With Node's default of 64 KiB, hashing takes half as long again. */
const piece = 1024 * 1024

/** Returns the SHA-256 of a file. */
export const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path, { highWaterMark: piece }), hash)
  return hash.digest("base64url")
}

/** Runs file operations and converts errors to `BackupFailed`. `subject` is the start of the message. */
export const withFileErrors = <A>(subject: string, run: () => Promise<A>): Effect.Effect<A, BackupFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (thrown) => {
      if (thrown instanceof BackupFailed) return thrown
      return new BackupFailed({ message: `${subject}: ${fileErrorReason(thrown)}` })
    }
  })
