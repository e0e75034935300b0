/** Git object ids of files on disk. A file is read in parts of 1 MiB, so that its size does not matter. */
import { createHash } from "node:crypto"
import { closeSync, fstatSync, openSync, readSync } from "node:fs"

const partBytes = 1024 * 1024

export interface HashedFile {
  readonly oid: string
  /** Size in bytes. */
  readonly size: number
}

export const hashFile = (path: string): HashedFile => {
  const file = openSync(path, "r")
  try {
    const { size } = fstatSync(file)
    const hash = createHash("sha1").update(`blob ${size}\0`)
    const part = Buffer.allocUnsafe(Math.min(partBytes, Math.max(1, size)))
    for (let count = readSync(file, part); count > 0; count = readSync(file, part)) {
      hash.update(part.subarray(0, count))
    }
    return { oid: hash.digest("hex"), size }
  } finally {
    closeSync(file)
  }
}

export const hashBytes = (bytes: Uint8Array): string =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex")
