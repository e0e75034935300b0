/**
 * Makes a backup of a database and its blobs while others go on writing: one moment of the data, with all
 * that was answered before it began. It is a folder with a copy of the database, the large blobs as files,
 * and a manifest with checksums, for its owner alone. The key for secrets is not in it.
 *
 * Why no blob is missing: a blob that the copy of the database speaks of was there before the copy began, or
 * came while it was made. So blobs are copied before it and after it; what only garbage collection
 * removed in between has been copied by then.
 *
 * With a former backup, blobs that it holds are linked instead of copied where both are on one disk (else
 * copied from there): they never change. One that is not whole there comes from the data (see `BlobCopies`).
 * The database is always copied as a whole.
 *
 * A blob that is not whole anywhere is no reason to have no backup of the rest: the manifest names it.
 *
 * What fails takes back what it has put there, and the folders that it has made. The file of the database is made
 * first, where there is none: of two that begin in one folder only one goes on, so what is there is its own.
 *
 * Limits: to be run in a process or a thread of its own, since SQLite copies on the thread that asks it to;
 * 4 MiB at a time. Until it ends the log of the database grows with what is written.
 */
import { constants, fdatasyncSync, statSync } from "node:fs"
import { chmod, mkdir, open, rm, rmdir, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import Database from "better-sqlite3"
import { Clock, Effect } from "effect"
import { refusedOf } from "../ClosedFile.ts"
import { replaceFile, syncFolder } from "../NewFile.ts"
import { makeFolder } from "../NewFolder.ts"
import { isCorrupt } from "../SqliteFailure.ts"
import {
  BackupFailed,
  type BackupManifest,
  blobFolderName,
  databaseName,
  manifestName,
  manifestOf,
  onFiles,
  readManifest,
  sha256Of
} from "./BackupManifest.ts"
import { copyBlob, type Copied } from "./BlobCopies.ts"
import { entriesOf } from "./FolderEntries.ts"

export interface BackupOptions {
  /** The database. */
  readonly filename: string
  /** The folder of the backup, which must be empty, and is made where it isn't there. */
  readonly folder: string
  /** A finished backup, whose blobs needn't be copied again. */
  readonly since?: string
  /** Link blobs to those of the database where both are on one disk: for a copy that stays beside it. */
  readonly linked?: boolean
}

/** How many pages of 4 KiB are copied before others have their turn. */
const pagesPerStep = 1_024

/**
 * After how many steps the copy waits until the disk has it: a disk that has much to write holds up whoever else waits
 * for it, and the server's commits do.
 */
const stepsPerSync = 4

export const make = Effect.fn("Backup.make")(function* (options: BackupOptions) {
  const { folder, since } = options
  const former = new Set(since === undefined ? [] : (yield* readManifest(since)).blobs.map(({ hash }) => hash))
  const made = yield* onFiles(`A backup can't be made in ${folder}`, () => prepare(folder))
  const failed = `The backup in ${folder} can't be made`
  return yield* put(options, former, failed).pipe(
    Effect.onError(() => Effect.ignore(onFiles(failed, () => takeBack(folder, made))))
  )
})

const put = Effect.fnUntraced(function* (
  { filename, folder, since, linked = false }: BackupOptions,
  former: ReadonlySet<string>,
  /** Begins what is said of files. */
  failed: string
) {
  const source = resolve(filename)
  const from = `${source}-blobs`
  const to = join(folder, blobFolderName)
  const copies = new Map<string, Copied>()
  const copyAll = (wanted: ReadonlyArray<string>) =>
    onFiles(failed, async () => {
      if (wanted.length > 0) await mkdir(to, { recursive: true, mode: 0o700 })
      for (const hash of wanted) {
        const known = since !== undefined && former.has(hash) ? join(since, blobFolderName) : undefined
        const link = linked ? from : known
        copies.set(hash, await copyBlob(hash, { data: from, ...(link !== undefined && { linked: link }) }, to))
      }
    })
  yield* copyAll(yield* onFiles(failed, async () => filesOf(source)))

  const begunAt = new Date(yield* Clock.currentTimeMillis).toISOString()
  const database = join(folder, databaseName)
  const wanted = yield* onFiles(failed, () => copyDatabase(source, database))
  // One that was gone before was garbage then, and may have come back since.
  yield* copyAll(wanted.filter((hash) => !("whole" in (copies.get(hash) ?? {}))))

  const manifest = yield* onFiles(failed, async () => {
    const kept = new Set(wanted)
    for (const hash of copies.keys()) if (!kept.has(hash)) await rm(join(to, hash), { force: true })
    if (wanted.length > 0) syncFolder(to)
    const all = wanted.map((hash) => copies.get(hash)!)
    const lost = all.flatMap((one) => ("lost" in one ? [one.lost] : []))
    const { size: bytes } = await stat(database)
    return manifestOf({
      begunAt,
      database: { bytes, sha256: await sha256Of(database) },
      blobs: all.flatMap((one) => ("whole" in one ? [one.whole] : [])),
      ...(lost.length > 0 && { lost })
    })
  })
  yield* onFiles(failed, async () => replaceFile(join(folder, manifestName), JSON.stringify(manifest, undefined, 1)))
  const inData = wanted.flatMap((hash) => {
    const copied = copies.get(hash)
    return copied !== undefined && "whole" in copied && copied.inData ? [copied.inData] : []
  })
  return { ...(manifest satisfies BackupManifest), inData }
})

/** Gives the folders that had to be made. */
const prepare = async (folder: string): Promise<ReadonlyArray<string>> => {
  const made = await makeFolder(folder)
  try {
    const [first] = await entriesOf(folder)
    if (first !== undefined) throw new BackupFailed({ message: `The folder ${folder} is not empty: it holds ${first}` })
    await chmod(folder, 0o700)
    const file = await open(join(folder, databaseName), "wx", 0o600)
    await file.close()
    return made
  } catch (thrown) {
    await removeEmpty(made)
    throw thrown
  }
}

const takeBack = async (folder: string, made: ReadonlyArray<string>) => {
  for (const name of [manifestName, databaseName, `${databaseName}-journal`, blobFolderName]) {
    await rm(join(folder, name), { recursive: true, force: true })
  }
  await removeEmpty(made)
}

/** Somebody else may have put something there meanwhile. */
const removeEmpty = async (folders: ReadonlyArray<string>) => {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {})
}

/** Blobs that are whole files, as a database has them. */
const filesSql = "SELECT hash FROM lectern_blob WHERE place = 1"

const opened = (filename: string) => new Database(filename, { readonly: true, fileMustExist: true })

const filesIn = (database: Database.Database) => database.prepare(filesSql).pluck().all() as ReadonlyArray<string>

const filesOf = (filename: string) => {
  let database: Database.Database | undefined
  try {
    database = opened(filename)
    return filesIn(database)
  } catch (thrown) {
    throw unreadable(filename, thrown) ?? thrown
  } finally {
    database?.close()
  }
}

/** The reason why SQLite can't read a database, which it doesn't tell; undefined where the files don't tell it either. */
const unreadable = (filename: string, thrown: unknown): BackupFailed | undefined => {
  if (!(thrown instanceof Database.SqliteError)) return undefined
  const failed = (reason: string) => new BackupFailed({ message: `The database ${filename} can't be read: ${reason}` })
  if (isCorrupt(thrown.code)) return failed(fileErrorReason(thrown))
  if (!/^SQLITE_(CANTOPEN|READONLY)/.test(thrown.code)) {
    return statSync(filename, { throwIfNoEntry: false })?.size === 0 ? failed("it is empty") : undefined
  }
  const file = refusedOf(filename, constants.R_OK)
  if (file !== undefined) return failed(fileErrorReason(file))
  const folder = refusedOf(dirname(filename), constants.W_OK)
  if (folder === undefined) return undefined
  return failed(
    `SQLite makes files beside it even so, and nothing can be written there: ${fileErrorReason(folder)}. ` +
      "Make the backup where the server writes, as its user"
  )
}

/** Copies the database, and tells which blobs it speaks of that are files. */
const copyDatabase = async (filename: string, target: string): Promise<ReadonlyArray<string>> => {
  const file = await open(target, "r+")
  const source = opened(filename)
  try {
    // A copy in steps begins anew whenever somebody commits, but not while it reads within one transaction.
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
