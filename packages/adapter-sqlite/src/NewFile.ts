/**
 * Creates files atomically, readable by their owner only. An interrupted write leaves a draft (`<name>-draft-…`) and no
 * file of the given name.
 */
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { inheritOwner } from "./FileOwner.ts"

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
