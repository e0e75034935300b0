/**
 * Owner of files that root creates in a folder of another user. Commands that root runs on a server's data must not
 * create files that the server cannot read. SQLite follows this rule for its log.
 */
import { chownSync, fchownSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** Returns the owner of the parent folder if the process is root and the owner is another user. */
const folderOwner = (path: string) => {
  if (process.geteuid?.() !== 0) return undefined
  const { uid, gid } = statSync(dirname(path))
  return uid === 0 ? undefined : { uid, gid }
}

/** Changes the owner of an open file to the owner of its folder. */
export const inheritOwner = (path: string, file: number): void => {
  const owner = folderOwner(path)
  if (owner) fchownSync(file, owner.uid, owner.gid)
}

/** Changes the owner of a folder to the owner of its parent folder. */
export const inheritFolderOwner = (path: string): void => {
  const owner = folderOwner(path)
  if (owner) chownSync(path, owner.uid, owner.gid)
}
