/**
 * Files inside of the program, read from its file. Node would give them where they are mapped into memory, and
 * what is looked at there counts as memory of the process from then on.
 */
import { openSync, readSync } from "node:fs"
import { indexOf } from "./Archive.ts"
import type { Assets } from "./Inside.ts"

/** The file of the program. On Linux it is the one that runs, even where another has taken its place meanwhile. */
export const openProgram = (): number =>
  openSync(process.platform === "linux" ? "/proc/self/exe" : process.execPath, "r")

/**
 * Size of the memory that files are lent in, in bytes, of which only what is written counts. Of smaller ones, and of
 * one for each file, glibc would keep what is given back, and all that is as large from then on: 9 MB after a start.
 */
const lentSize = 33 * 1024 * 1024

/** `at`: first byte of the archive in the program. */
export const programFiles = (program: number, at: number): Assets => {
  const read = (from: number, size: number, bytes: Buffer = Buffer.allocUnsafeSlow(size)): Buffer => {
    for (let done = 0; done < size;) {
      const count = readSync(program, bytes, done, size - done, at + from + done)
      if (count === 0) throw new Error("The program is shorter than it was")
      done += count
    }
    return bytes
  }
  const files = new Map(indexOf(read).map((file) => [file.path, file]))
  const placeOf = (key: string) => {
    const file = files.get(key)
    if (file === undefined) throw new Error(`There is no ${key} in the program`)
    return file
  }
  let lent: Buffer | undefined
  const lentPlace = (): Buffer => {
    // Modules load one another in one go: then nothing is lent for long.
    if (lent === undefined) setImmediate(() => (lent = undefined))
    return (lent ??= Buffer.allocUnsafeSlow(lentSize))
  }
  return {
    program,
    keys: () => [...files.keys()],
    bytes: (key) => {
      const { at, size } = placeOf(key)
      return read(at, size)
    },
    lend: (key) => {
      const { at, size } = placeOf(key)
      return read(at, size, lentPlace().subarray(0, size))
    }
  }
}
