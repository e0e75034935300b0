/** Finds database files that other users of the machine can read. Files should have mode 0600, folders 0700. */
import { statSync } from "node:fs"
import { dirname } from "node:path"
import { keyFileOf, nextKeyFileOf } from "./SecretKeyFile.ts"

export interface WideFile {
  readonly path: string
  /** Current mode in octal, such as `644`. `expectedMode` is the secure mode, such as `600`. */
  readonly mode: string
  readonly expectedMode: string
}

/** Returns the files and folders with permissions for other users. Always empty on Windows. */
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
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined || (stats.mode & 0o077) === 0) return []
    return [{ path, mode: (stats.mode & 0o777).toString(8), expectedMode: stats.isDirectory() ? "700" : "600" }]
  })
}
