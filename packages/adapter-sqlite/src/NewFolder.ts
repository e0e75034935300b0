/**
 * Creates a folder and its missing parents, by default for their owner only. Node's recursive `mkdir` never ends if the
 * system reports an existing folder as missing, as in `/proc`.
 */
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"

/** Returns the created folders, outermost first. An existing entry of any type is kept. */
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
    // Another process has created the folder meanwhile.
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown
    return false
  }
}
