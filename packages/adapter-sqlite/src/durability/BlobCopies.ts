/**
 * Copies large blobs into a backup. Each copy is hashed and compared with its name, since a disk may have damaged the
 * data or the previous backup, and unverified damage would be inherited. A blob that comes from the previous backup is
 * also verified in the data, so that damage there is reported. Reading takes about a second per GB.
 */
import { constants } from "node:fs"
import { chmod, copyFile, link, open, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { inheritOwner } from "../connections/PrivateFiles.ts"
import { type BackupManifest, type LostBlob, sha256Of } from "./BackupManifest.ts"

export interface BlobSources {
  /** Blob folder of the data. */
  readonly data: string
  /** Folder to hard-link from: the data, or a previous backup that holds this blob. */
  readonly linked?: string
}

export type CopyResult =
  | {
      readonly whole: BackupManifest["blobs"][number]
      /** Present if the blob is lost in the data and intact in the previous backup. */
      readonly lossInData?: LostBlob
    }
  | { readonly lost: LostBlob }

/** Copies one blob into a folder. Fails if the folder cannot be written. An unreadable source is a lost blob. */
export const copyBlob = async (hash: string, { data, linked }: BlobSources, to: string): Promise<CopyResult> => {
  const target = join(to, hash)
  await rm(target, { force: true })
  if (linked !== undefined) {
    const isCopied = await linkOrCopy(join(linked, hash), target).then(
      () => true,
      () => false
    )
    if (isCopied && (await matchesHash(target, hash))) {
      const lossInData = linked === data ? undefined : await lossOf(join(data, hash), hash)
      return { ...(await wholeOf(hash, target)), ...(lossInData && { lossInData }) }
    }
    await rm(target, { force: true })
  }
  const source = join(data, hash)
  try {
    await copySynced(source, target)
  } catch (thrown) {
    await rm(target, { force: true })
    const readFailure = await failureOfReading(source)
    if (readFailure === undefined) throw thrown
    return { lost: readFailure === "ENOENT" ? { hash } : { hash, damaged: true } }
  }
  // The damaged copy is retained: a part of a file may still be useful.
  return (await matchesHash(target, hash)) ? wholeOf(hash, target) : { lost: { hash, damaged: true } }
}

const wholeOf = async (hash: string, path: string) => ({
  whole: { hash, bytes: (await stat(path)).size }
})

const matchesHash = async (path: string, hash: string) => {
  try {
    return (await sha256Of(path)) === hash
  } catch {
    return false
  }
}

const failureOfReading = async (path: string): Promise<string | undefined> => {
  try {
    await sha256Of(path)
    return undefined
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? "unknown"
  }
}

/** Returns how a blob is lost. Undefined if its file matches its hash. */
const lossOf = async (path: string, hash: string): Promise<LostBlob | undefined> => {
  if (await matchesHash(path, hash)) return undefined
  return (await failureOfReading(path)) === "ENOENT" ? { hash } : { hash, damaged: true }
}

const linkOrCopy = async (from: string, to: string) => {
  try {
    await link(from, to)
  } catch {
    await copySynced(from, to)
  }
}

export const copySynced = async (from: string, to: string) => {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  await chmod(to, 0o600)
  const file = await open(to, "r+")
  try {
    inheritOwner(to, file.fd)
    await file.sync()
  } finally {
    await file.close()
  }
}
