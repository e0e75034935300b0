/**
 * Creates files and folders, readable by their owner only. A file is created atomically: an interrupted write leaves a
 * draft (`<name>-draft-…`) and no file of the given name.
 *
 * Files that root creates in a folder of another user get the owner of the folder. Commands that root runs on a
 * server's data must not create files that the server cannot read. SQLite follows this rule for its log.
 */
import { randomUUID } from "node:crypto"
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { mkdir, readdir } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"

/** Creates a file. Does not change an existing file, even if another process created the file meanwhile. */
export const makeFile = (path: string, content: string | Uint8Array): void => writeThenMove(path, content, linkSync)

/** Replaces a file. */
export const replaceFile = (path: string, content: string | Uint8Array): void =>
  writeThenMove(path, content, renameSync)

const writeThenMove = (path: string, content: string | Uint8Array, move: (from: string, to: string) => void) => {
  const draft = `${path}-draft-${randomUUID()}`
  try {
    write(draft, content)
    move(draft, path)
    syncFolder(dirname(path))
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown
  } finally {
    rmSync(draft, { force: true })
  }
}

const write = (path: string, content: string | Uint8Array) => {
  const file = openSync(path, "wx", 0o600)
  try {
    inheritOwner(path, file)
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Syncs a folder. Otherwise a new file name may be lost in a power failure. Does nothing on Windows, which cannot sync
 * folders.
 */
export const syncFolder = (path: string): void => {
  if (process.platform === "win32") return
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Creates a folder and its missing parents. Returns the created folders, outermost first. An existing entry of any type
 * is kept. Node's recursive `mkdir` never ends if the system reports an existing folder as missing, as in `/proc`.
 */
export const makeFolder = async (path: string, mode = 0o700): Promise<ReadonlyArray<string>> => {
  const missing: Array<string> = []
  for (let parent = resolve(path); !existsSync(parent); parent = dirname(parent)) missing.unshift(parent)
  const createdFolders: Array<string> = []
  for (const folder of missing) if (await create(folder, mode)) createdFolders.push(folder)
  return createdFolders
}

const create = async (folder: string, mode: number): Promise<boolean> => {
  try {
    await mkdir(folder, { mode })
    return true
  } catch (thrown) {
    // Another process created the folder after it was found missing.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown
    return false
  }
}

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

const fileSystemFolder = "lost+found"

/**
 * Returns the entries of a folder that should be empty. A new ext4 volume contains `lost+found`, which is ignored if it
 * is empty or readable by root only.
 */
export const entriesOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder)
  if (!entries.includes(fileSystemFolder) || !(await isEmptyFolder(join(folder, fileSystemFolder)))) return entries
  return entries.filter((entry) => entry !== fileSystemFolder)
}

const isEmptyFolder = async (folder: string): Promise<boolean> => {
  try {
    return (await readdir(folder)).length === 0
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EACCES"
  }
}
