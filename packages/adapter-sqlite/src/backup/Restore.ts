/**
 * Puts a backup where a database is to be: everything is read through and compared with its checksum, and
 * the database gets its name last. So what was interrupted is no database, and can be begun again. What fails
 * takes back what it has put there, and nothing that was there before. Blobs that were lost before the backup was
 * made are put back as they were found then, and named by the manifest.
 */
import { existsSync } from "node:fs"
import { mkdir, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { handOverFolder } from "../FileOwner.ts"
import { makeFolder } from "../NewFolder.ts"
import { lockName } from "../FolderHolder.ts"
import { syncFolder } from "../NewFile.ts"
import {
  BackupFailed,
  type BackupManifest,
  blobFolderName,
  databaseName,
  onFiles,
  readManifest,
  sha256Of
} from "./BackupManifest.ts"
import { copySynced } from "./BlobCopies.ts"
import { entriesOf } from "./FolderEntries.ts"

export interface RestoreOptions {
  /** A finished backup. */
  readonly folder: string
  /** The database that is to be made. Its folder must be empty, and is made where there is none. */
  readonly filename: string
  /** Looks at the restored database under another name, before it gets its own; what it fails with ends the restore. */
  readonly accept?: (filename: string) => Effect.Effect<void, BackupFailed>
}

/** Compares a backup with its manifest. It is what was written then; `lost` of the manifest wasn't whole before. */
export const verify = Effect.fn("Backup.verify")(function* (folder: string) {
  const manifest = yield* readManifest(folder)
  yield* onFiles(`The backup in ${folder} can't be read`, async () => {
    await compare(join(folder, databaseName), manifest.database.bytes, manifest.database.sha256)
    for (const { hash, bytes } of manifest.blobs) await compare(join(folder, blobFolderName, hash), bytes, hash)
  })
  return manifest
})

export const restore = Effect.fn("Backup.restore")(function* ({ folder, filename, accept }: RestoreOptions) {
  const manifest: BackupManifest = yield* readManifest(folder)
  const target = resolve(filename)
  const failed = `The backup in ${folder} can't be restored to ${dirname(target)}`
  yield* onFiles(failed, () => prepare(target))
  const made = unfinished.map((end) => target + end).filter((path) => !existsSync(path))
  yield* put({ folder, target, failed, accept }, manifest).pipe(
    Effect.onError(() => Effect.ignore(onFiles(failed, () => clear(made))))
  )
  return manifest
})

interface Putting extends Pick<RestoreOptions, "folder"> {
  readonly target: string
  /** Begins what is said of files. */
  readonly failed: string
  readonly accept: RestoreOptions["accept"]
}

const put = Effect.fnUntraced(function* ({ folder, target, failed, accept }: Putting, manifest: BackupManifest) {
  const waiting = `${target}-restored`
  yield* onFiles(failed, async () => {
    const blobs = `${target}-blobs`
    const lost = (manifest.lost ?? []).filter(({ hash }) => existsSync(join(folder, blobFolderName, hash)))
    if (manifest.blobs.length + lost.length > 0) {
      if ((await mkdir(blobs, { recursive: true, mode: 0o700 })) !== undefined) handOverFolder(blobs)
    }
    for (const { hash, bytes } of manifest.blobs) {
      await copyOf(join(folder, blobFolderName, hash), join(blobs, hash))
      await compare(join(blobs, hash), bytes, hash)
    }
    for (const { hash } of lost) await copySynced(join(folder, blobFolderName, hash), join(blobs, hash))
    if (manifest.blobs.length + lost.length > 0) syncFolder(blobs)
    await copyOf(join(folder, databaseName), waiting)
    await compare(waiting, manifest.database.bytes, manifest.database.sha256, databaseName)
  })
  if (accept !== undefined) yield* accept(waiting)
  yield* onFiles(failed, async () => {
    for (const log of ["-wal", "-shm"]) await rm(waiting + log, { force: true })
    await rename(waiting, target)
    syncFolder(dirname(target))
  })
})

/** Ends of the names of files that stand beside a database which is not there yet. */
const unfinished = ["-blobs", "-key", "-restored", "-restored-wal", "-restored-shm"]

const clear = async (paths: ReadonlyArray<string>) => {
  for (const path of paths) await rm(path, { recursive: true, force: true })
}

/** Makes the folder ready. Remains of an interrupted restore are no obstacle. */
const prepare = async (target: string) => {
  const folder = dirname(target)
  const name = basename(target)
  await makeFolder(folder)
  const left = new Set(unfinished.map((end) => name + end))
  const other = (await entriesOf(folder)).find((entry) => !left.has(entry) && entry !== lockName)
  if (other !== undefined) {
    throw new BackupFailed({
      message: `The data folder ${folder} is not empty: it holds ${other}. Restore into an empty one`
    })
  }
}

const isMissing = (name: string) => new BackupFailed({ message: `The backup is not whole: ${name} is missing` })

/** Copies a file that a backup should have. */
const copyOf = async (from: string, to: string) => {
  if (!existsSync(from)) throw isMissing(basename(from))
  await copySynced(from, to)
}

/** `name`: of the file in the backup. */
const compare = async (path: string, bytes: number, sha256: string, name = basename(path)) => {
  const { size } = await stat(path).catch(() => {
    throw isMissing(name)
  })
  if (size === bytes && (await sha256Of(path)) === sha256) return
  throw new BackupFailed({ message: `The backup is damaged: ${name} is not what was written` })
}
