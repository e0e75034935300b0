/**
 * Creates a backup of a database and its blobs while other processes write: a consistent snapshot that includes all
 * responses sent before it started. The backup is a folder with a copy of the database, the large blobs as files, and a
 * manifest with checksums, readable by its owner only. It does not contain the secret key.
 *
 * No blob is missing: a blob that the copied database references existed before the copy started, or was added during
 * the copy. So blobs are copied before and after the database. Blobs that garbage collection removed in between were
 * already copied.
 *
 * With a previous backup, its blobs are hard-linked instead of copied if both are on one disk, since blobs never
 * change. A blob that is damaged there is taken from the data (see `BlobCopies`). The database is always copied
 * completely. A blob that is damaged everywhere does not fail the backup; the manifest lists it.
 *
 * A failed backup removes its files and the folders that it created. The file of the database is created first and
 * exclusively, so of two concurrent backups in one folder only one proceeds.
 *
 * Limits: needs a process or thread of its own, since SQLite copies synchronously, 4 MiB at a time. Until it ends, the
 * write-ahead log grows with each write.
 */
import { constants, fdatasyncSync, statSync } from "node:fs"
import { chmod, mkdir, open, rm, rmdir, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import Database from "better-sqlite3"
import { Clock, Effect } from "effect"
import { entriesOf, makeFolder, replaceFile, syncFolder } from "../connections/PrivateFiles.ts"
import { accessError, isCorrupt } from "../connections/SqliteFailure.ts"
import {
  BackupFailed,
  type BackupManifest,
  blobFolderName,
  databaseName,
  manifestName,
  manifestOf,
  withFileErrors,
  readManifest,
  sha256Of
} from "./BackupManifest.ts"
import { copyBlob, type CopyResult } from "./BlobCopies.ts"

export interface BackupOptions {
  /** Path of the database. */
  readonly filename: string
  /** Folder of the backup. Must be empty; created if missing. */
  readonly folder: string
  /** Finished backup whose blobs need not be copied again. */
  readonly previous?: string
  /**
   * True to hard-link blobs instead of copying them, if the database and the backup are on one disk. For a backup next
   * to the data. Default: false.
   */
  readonly linked?: boolean
}

/** Number of pages (4 KiB) copied before other work can run. */
const pagesPerStep = 1_024

/** Steps between two syncs of the copy. A disk with many buffered writes delays the server's commits. */
const stepsPerSync = 4

export const make = Effect.fn("Backup.make")(function* (options: BackupOptions) {
  const { folder, previous } = options
  const former = new Set(previous === undefined ? [] : (yield* readManifest(previous)).blobs.map(({ hash }) => hash))
  const createdFolders = yield* withFileErrors(`A backup can't be made in ${folder}`, () => prepare(folder))
  const failureMessage = `The backup in ${folder} can't be made`
  return yield* writeBackup(options, former, failureMessage).pipe(
    Effect.onError(() => Effect.ignore(withFileErrors(failureMessage, () => cleanUp(folder, createdFolders))))
  )
})

const writeBackup = Effect.fnUntraced(function* (
  { filename, folder, previous, linked = false }: BackupOptions,
  former: ReadonlySet<string>,
  /** Prefix of error messages. */
  failureMessage: string
) {
  const source = resolve(filename)
  const from = `${source}-blobs`
  const to = join(folder, blobFolderName)
  const copies = new Map<string, CopyResult>()
  const copyAll = (hashes: ReadonlyArray<string>) =>
    withFileErrors(failureMessage, async () => {
      if (hashes.length > 0) await mkdir(to, { recursive: true, mode: 0o700 })
      for (const hash of hashes) {
        const previousFile = previous !== undefined && former.has(hash) ? join(previous, blobFolderName) : undefined
        const link = linked ? from : previousFile
        copies.set(hash, await copyBlob(hash, { data: from, ...(link !== undefined && { linked: link }) }, to))
      }
    })
  yield* copyAll(yield* withFileErrors(failureMessage, async () => filesOf(source)))

  const begunAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  const database = join(folder, databaseName)
  const blobHashes = yield* withFileErrors(failureMessage, () => copyDatabase(source, database))
  // Blobs that were missing in the first pass are copied again, since they may have been added since.
  yield* copyAll(blobHashes.filter((hash) => !("whole" in (copies.get(hash) ?? {}))))

  const manifest = yield* withFileErrors(failureMessage, async () => {
    const retainedHashes = new Set(blobHashes)
    for (const hash of copies.keys()) if (!retainedHashes.has(hash)) await rm(join(to, hash), { force: true })
    if (blobHashes.length > 0) syncFolder(to)
    const copyResults = blobHashes.map((hash) => copies.get(hash)!)
    const lostBlobs = copyResults.flatMap((result) => ("lost" in result ? [result.lost] : []))
    const { size: bytes } = await stat(database)
    return manifestOf({
      begunAt,
      database: { bytes, sha256: await sha256Of(database) },
      blobs: copyResults.flatMap((result) => ("whole" in result ? [result.whole] : [])),
      ...(lostBlobs.length > 0 && { lost: lostBlobs })
    })
  })
  yield* withFileErrors(failureMessage, async () =>
    replaceFile(join(folder, manifestName), JSON.stringify(manifest, undefined, 1))
  )
  const inData = blobHashes.flatMap((hash) => {
    const copyResult = copies.get(hash)
    return copyResult !== undefined && "whole" in copyResult && copyResult.lossInData ? [copyResult.lossInData] : []
  })
  return { ...(manifest satisfies BackupManifest), inData }
})

/** Prepares the folder and returns the folders that were created. */
const prepare = async (folder: string): Promise<ReadonlyArray<string>> => {
  const createdFolders = await makeFolder(folder)
  try {
    const [first] = await entriesOf(folder)
    if (first !== undefined) throw new BackupFailed({ message: `The folder ${folder} is not empty: it holds ${first}` })
    await chmod(folder, 0o700)
    const file = await open(join(folder, databaseName), "wx", 0o600)
    await file.close()
    return createdFolders
  } catch (thrown) {
    await removeEmpty(createdFolders)
    throw thrown
  }
}

const cleanUp = async (folder: string, createdFolders: ReadonlyArray<string>) => {
  for (const name of [manifestName, databaseName, `${databaseName}-journal`, blobFolderName]) {
    await rm(join(folder, name), { recursive: true, force: true })
  }
  await removeEmpty(createdFolders)
}

/** Removes empty folders. Keeps a folder if another program has put a file into it. */
const removeEmpty = async (folders: ReadonlyArray<string>) => {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {})
}

/** Selects blobs that are complete files. */
const filesSql = "SELECT hash FROM lectern_blob WHERE place = 1"

const openReadonly = (filename: string) => new Database(filename, { readonly: true, fileMustExist: true })

const filesIn = (database: Database.Database) => database.prepare(filesSql).pluck().all() as ReadonlyArray<string>

const filesOf = (filename: string) => {
  let database: Database.Database | undefined
  try {
    database = openReadonly(filename)
    return filesIn(database)
  } catch (thrown) {
    throw readFailure(filename, thrown) ?? thrown
  } finally {
    database?.close()
  }
}

/** Returns why SQLite cannot read a database, as far as its files explain it. SQLite does not report a reason. */
const readFailure = (filename: string, thrown: unknown): BackupFailed | undefined => {
  if (!(thrown instanceof Database.SqliteError)) return undefined
  const failure = (reason: string) => new BackupFailed({ message: `The database ${filename} can't be read: ${reason}` })
  if (isCorrupt(thrown.code)) return failure(fileErrorReason(thrown))
  if (!/^SQLITE_(CANTOPEN|READONLY)/.test(thrown.code)) {
    return statSync(filename, { throwIfNoEntry: false })?.size === 0 ? failure("it is empty") : undefined
  }
  const file = accessError(filename, constants.R_OK)
  if (file !== undefined) return failure(fileErrorReason(file))
  const folder = accessError(dirname(filename), constants.W_OK)
  if (folder === undefined) return undefined
  return failure(
    `SQLite makes files beside it even so, and nothing can be written there: ${fileErrorReason(folder)}. ` +
      "Make the backup where the server writes, as its user"
  )
}

/** Copies the database and returns the blobs that it references as files. */
const copyDatabase = async (filename: string, target: string): Promise<ReadonlyArray<string>> => {
  const file = await open(target, "r+")
  const source = openReadonly(filename)
  try {
    // The source reads within one transaction. Otherwise a backup in steps restarts on each commit.
    source.exec("BEGIN")
    const blobs = filesIn(source)
    let steps = 0
    await source.backup(target, {
      progress: () => {
        if (++steps % stepsPerSync === 0) fdatasyncSync(file.fd)
        return pagesPerStep
      }
    })
    await file.sync()
    return blobs
  } finally {
    source.close()
    await file.close()
  }
}
