/**
 * Files that are there as a whole or not at all, for their owner alone. Whoever is killed halfway
 * leaves a draft (`<name>-draft-…`) and nothing under the name itself.
 */
import { randomUUID } from "node:crypto"
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { handOver } from "./FileOwner.ts"

/** Makes a file where there is none; leaves the one that another process has made meanwhile. */
export const makeFile = (path: string, content: string | Uint8Array): void => place(path, content, linkSync)

/** Puts a file in the place of another. */
export const replaceFile = (path: string, content: string | Uint8Array): void => place(path, content, renameSync)

const place = (path: string, content: string | Uint8Array, move: (from: string, to: string) => void) => {
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
    handOver(path, file)
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Without it the name of a new file may be gone after a power cut. Windows has no such thing. */
export const syncFolder = (path: string): void => {
  if (process.platform === "win32") return
  const folder = openSync(path, "r")
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
