/**
 * Large blobs on their way into a backup. Each is read through there and compared with its name, which is the
 * hash of its bytes: a disk may have lost some of it, in the data as in a former backup, and whoever inherits
 * it unread inherits that. One that a former backup gives is read in the data, too, whose damage nobody would hear of
 * until somebody wants it. Reading takes about a second for each GB.
 */
import { constants } from "node:fs"
import { chmod, copyFile, link, open, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { type BackupManifest, type LostBlob, sha256Of } from "./BackupManifest.ts"
import { handOver } from "../FileOwner.ts"

export interface BlobSources {
  /** The folder of the data. */
  readonly data: string
  /** The same folder, or the one of a former backup that holds this blob: files may be linked to its own. */
  readonly linked?: string
}

export type Copied =
  | {
      readonly whole: BackupManifest["blobs"][number]
      /** Present where it is whole in a former backup, and not in the data. */
      readonly inData?: LostBlob
    }
  | { readonly lost: LostBlob }

/** Brings one into a folder. Fails where that folder can't be written; what can't be read is lost. */
export const copyBlob = async (hash: string, { data, linked }: BlobSources, to: string): Promise<Copied> => {
  const target = join(to, hash)
  await rm(target, { force: true })
  if (linked !== undefined) {
    const isThere = await linkOrCopy(join(linked, hash), target).then(
      () => true,
      () => false
    )
    if (isThere && (await isWhole(target, hash))) {
      const inData = linked === data ? undefined : await lossOf(join(data, hash), hash)
      return { ...(await wholeOf(hash, target)), ...(inData && { inData }) }
    }
    await rm(target, { force: true })
  }
  const source = join(data, hash)
  try {
    await copySynced(source, target)
  } catch (thrown) {
    await rm(target, { force: true })
    const unread = await failureOfReading(source)
    if (unread === undefined) throw thrown
    return { lost: unread === "ENOENT" ? { hash } : { hash, damaged: true } }
  }
  // It stays where it was copied to: half a picture may be worth more than none.
  return (await isWhole(target, hash)) ? wholeOf(hash, target) : { lost: { hash, damaged: true } }
}

const wholeOf = async (hash: string, path: string) => ({
  whole: { hash, bytes: (await stat(path)).size }
})

const isWhole = async (path: string, hash: string) => {
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

/** Undefined where a file is what its name says. */
const lossOf = async (path: string, hash: string): Promise<LostBlob | undefined> => {
  if (await isWhole(path, hash)) return undefined
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
    handOver(to, file.fd)
    await file.sync()
  } finally {
    await file.close()
  }
}
