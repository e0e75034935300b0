/**
 * Reads the files of the archive in the program from its file. Node's own API maps them into memory, and every page that
 * is read then counts as memory of the process.
 */
import { openSync, readSync } from "node:fs"
import { entriesOf } from "./Archive.ts"
import type { Assets } from "./CurrentBinary.ts"

/** Opens the file of the program. On Linux this is the running file, even if it was replaced since. */
export const openProgram = (): number =>
  openSync(process.platform === "linux" ? "/proc/self/exe" : process.execPath, "r")

/**
 * Size in bytes of the shared buffer of `lend`. Only its written pages count as memory. glibc retains freed blocks that are
 * smaller, or that vary in size: 9 MB after a start.
 */
const sharedSize = 33 * 1024 * 1024

/** `archiveOffset`: offset of the archive in the program, in bytes. */
export const programFiles = (program: number, archiveOffset: number): Assets => {
  const read = (from: number, size: number, bytes: Buffer = Buffer.allocUnsafeSlow(size)): Buffer => {
    for (let readCount = 0; readCount < size;) {
      const count = readSync(program, bytes, readCount, size - readCount, archiveOffset + from + readCount)
      if (count === 0) throw new Error("The file of the program was truncated")
      readCount += count
    }
    return bytes
  }
  const files = new Map(entriesOf(read).map((file) => [file.path, file]))
  const locate = (key: string) => {
    const file = files.get(key)
    if (file === undefined) throw new Error(`${key} is missing in the program`)
    return file
  }
  let shared: Buffer | undefined
  const sharedBuffer = (): Buffer => {
    // The buffer is shared until the end of the current turn, since modules load each other synchronously.
    if (shared === undefined) setImmediate(() => (shared = undefined))
    return (shared ??= Buffer.allocUnsafeSlow(sharedSize))
  }
  return {
    program,
    keys: () => [...files.keys()],
    bytes: (key) => {
      const { offset, size } = locate(key)
      return read(offset, size)
    },
    readShared: (key) => {
      const { offset, size } = locate(key)
      return read(offset, size, sharedBuffer().subarray(0, size))
    }
  }
}
