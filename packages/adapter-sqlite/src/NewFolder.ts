/**
 * Makes a folder, for its owner alone where nothing else is said, and those that it is in. Node's own way never ends
 * where the system says that a folder is not there, and it is: in `/proc`, for instance.
 */
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"

/** Leaves what is there, whatever it is. Gives those that it made, the outermost first. */
export const makeFolder = async (path: string, mode = 0o700): Promise<ReadonlyArray<string>> => {
  const missing: Array<string> = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at)
  const made: Array<string> = []
  for (const folder of missing) if (await isMade(folder, mode)) made.push(folder)
  return made
}

const isMade = async (folder: string, mode: number): Promise<boolean> => {
  try {
    await mkdir(folder, { mode })
    return true
  } catch (thrown) {
    // Somebody else has made it meanwhile.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown
    return false
  }
}
