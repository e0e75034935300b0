/**
 * Restores a backup: verifies every file by its checksum, and renames the database last. An interrupted restore leaves
 * no database and can be repeated. A failed restore removes its files and keeps all earlier ones. Blobs that were lost
 * before the backup are restored in their damaged form; the manifest lists them.
 */
import { existsSync } from "node:fs"
import { mkdir, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { lockName } from "../connections/FolderLock.ts"
import { entriesOf, inheritFolderOwner, makeFolder, syncFolder } from "../connections/PrivateFiles.ts"
import {
  BackupFailed,
  type BackupManifest,
  blobFolderName,
  databaseName,
  withFileErrors,
  readManifest,
  sha256Of
} from "./BackupManifest.ts"
import { copySynced } from "./BlobCopies.ts"

export interface RestoreOptions {
  /** Folder of a finished backup. */
  readonly folder: string
  /** Path of the restored database. Its folder must be empty; created if missing. */
  readonly filename: string
  /** Inspects the restored database under a temporary name. A failure ends the restore. */
  readonly accept?: (filename: string) => Effect.Effect<void, BackupFailed>
}

/** Verifies a backup against its manifest. Blobs in the manifest's `lost` were damaged before. */
export const verify = Effect.fn("Backup.verify")(function* (folder: string) {
  const manifest = yield* readManifest(folder)
  yield* withFileErrors(`The backup in ${folder} can't be read`, async () => {
    await compare(join(folder, databaseName), manifest.database.bytes, manifest.database.sha256)
    for (const { hash, bytes } of manifest.blobs) await compare(join(folder, blobFolderName, hash), bytes, hash)
  })
  return manifest
})

export const restore = Effect.fn("Backup.restore")(function* ({ folder, filename, accept }: RestoreOptions) {
  const manifest: BackupManifest = yield* readManifest(folder)
  const target = resolve(filename)
  const failureMessage = `The backup in ${folder} can't be restored to ${dirname(target)}`
  yield* withFileErrors(failureMessage, () => prepare(target))
  const newPaths = draftSuffixes.map((end) => target + end).filter((path) => !existsSync(path))
  yield* restoreFiles({ folder, target, failed: failureMessage, accept }, manifest).pipe(
    Effect.onError(() => Effect.ignore(withFileErrors(failureMessage, () => clear(newPaths))))
  )
  return manifest
})

interface RestoreTarget extends Pick<RestoreOptions, "folder"> {
  readonly target: string
  /** Prefix of error messages. */
  readonly failed: string
  readonly accept: RestoreOptions["accept"]
}

const restoreFiles = Effect.fnUntraced(function* (
  { folder, target, failed, accept }: RestoreTarget,
  manifest: BackupManifest
) {
  const draftFile = `${target}-restored`
  yield* withFileErrors(failed, async () => {
    const blobs = `${target}-blobs`
    const lostBlobs = (manifest.lost ?? []).filter(({ hash }) => existsSync(join(folder, blobFolderName, hash)))
    if (manifest.blobs.length + lostBlobs.length > 0) {
      if ((await mkdir(blobs, { recursive: true, mode: 0o700 })) !== undefined) inheritFolderOwner(blobs)
    }
    for (const { hash, bytes } of manifest.blobs) {
      await copyOf(join(folder, blobFolderName, hash), join(blobs, hash))
      await compare(join(blobs, hash), bytes, hash)
    }
    for (const { hash } of lostBlobs) await copySynced(join(folder, blobFolderName, hash), join(blobs, hash))
    if (manifest.blobs.length + lostBlobs.length > 0) syncFolder(blobs)
    await copyOf(join(folder, databaseName), draftFile)
    await compare(draftFile, manifest.database.bytes, manifest.database.sha256, databaseName)
  })
  if (accept !== undefined) yield* accept(draftFile)
  yield* withFileErrors(failed, async () => {
    for (const log of ["-wal", "-shm"]) await rm(draftFile + log, { force: true })
    await rename(draftFile, target)
    syncFolder(dirname(target))
  })
})

/** Suffixes of files that an interrupted restore leaves. */
const draftSuffixes = ["-blobs", "-key", "-restored", "-restored-wal", "-restored-shm"]

const clear = async (paths: ReadonlyArray<string>) => {
  for (const path of paths) await rm(path, { recursive: true, force: true })
}

/** Prepares the folder. Files of an interrupted restore are allowed. */
const prepare = async (target: string) => {
  const folder = dirname(target)
  const name = basename(target)
  await makeFolder(folder)
  const draftNames = new Set(draftSuffixes.map((end) => name + end))
  const unexpectedEntry = (await entriesOf(folder)).find((entry) => !draftNames.has(entry) && entry !== lockName)
  if (unexpectedEntry !== undefined) {
    throw new BackupFailed({
      message: `The data folder ${folder} is not empty: it holds ${unexpectedEntry}. Restore into an empty one`
    })
  }
}

const isMissing = (name: string) => new BackupFailed({ message: `The backup is not whole: ${name} is missing` })

/** Copies a file that the backup must contain. */
const copyOf = async (from: string, to: string) => {
  if (!existsSync(from)) throw isMissing(basename(from))
  await copySynced(from, to)
}

/** `name`: file name in the backup, for messages. */
const compare = async (path: string, bytes: number, sha256: string, name = basename(path)) => {
  const { size } = await stat(path).catch(() => {
    throw isMissing(name)
  })
  if (size === bytes && (await sha256Of(path)) === sha256) return
  throw new BackupFailed({ message: `The backup is damaged: ${name} is not what was written` })
}
