/**
 * Makes a folder, for its owner alone where nothing else is said, and those that it is in. Node's own way never ends where the system says that a
 * folder is not there, and it is: in `/proc`, for instance.
 */
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"

/** Leaves what is there, whatever it is. */
export const makeFolder = async (path: string, mode = 0o700): Promise<void> => {
  const missing: Array<string> = []
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const folder of missing) await made(folder, mode)
}

const made = async (folder: string, mode: number) => {
  try {
    await mkdir(folder, { mode })
  } catch (thrown) {
    // Somebody else has made it meanwhile.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown
  }
}
