/** Finds a database, and files beside it, that others than their owner may read: files are to be 0600, folders 0700. */
import { statSync } from "node:fs"
import { dirname } from "node:path"
import { keyFileOf, nextKeyFileOf } from "./SecretKeyFile.ts"

export interface WideFile {
  readonly path: string
  /** As it is, and as it should be: `644` and `600`. */
  readonly mode: string
  readonly wanted: string
}

/** Those that other users of the machine may look into. Windows has no such modes. */
export const wideFiles = (filename: string): ReadonlyArray<WideFile> => {
  if (process.platform === "win32") return []
  const paths = [
    dirname(filename),
    filename,
    `${filename}-wal`,
    `${filename}-shm`,
    `${filename}-blobs`,
    keyFileOf(filename),
    nextKeyFileOf(filename)
  ]
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined || (found.mode & 0o077) === 0) return []
    return [{ path, mode: (found.mode & 0o777).toString(8), wanted: found.isDirectory() ? "700" : "600" }]
  })
}
