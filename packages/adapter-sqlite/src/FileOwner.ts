/**
 * Whose a file is that is made in somebody else's folder: root works on the data of a server that runs as a user of
 * its own, and what root makes there for its owner alone that server could not read. SQLite does so with its log.
 */
import { chownSync, fchownSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** Owner of the folder that this is in, where that is another and this process may give things away. */
const ownerAround = (path: string) => {
  if (process.geteuid?.() !== 0) return undefined
  const { uid, gid } = statSync(dirname(path))
  return uid === 0 ? undefined : { uid, gid }
}

/** Gives a file that this process has open to the owner of the folder that it is in. */
export const handOver = (path: string, file: number): void => {
  const owner = ownerAround(path)
  if (owner) fchownSync(file, owner.uid, owner.gid)
}

/** Gives a folder that this process has made to the owner of the one that it is in. */
export const handOverFolder = (path: string): void => {
  const owner = ownerAround(path)
  if (owner) chownSync(path, owner.uid, owner.gid)
}
