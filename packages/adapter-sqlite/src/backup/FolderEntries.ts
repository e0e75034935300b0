/**
 * Entries of a folder that should be empty. A volume that was just made with ext4 holds `lost+found`, which is its
 * own: where that is empty, or root's alone, it is nothing.
 */
import { readdir } from "node:fs/promises"
import { join } from "node:path"

const ofFileSystem = "lost+found"

export const entriesOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder)
  if (!entries.includes(ofFileSystem) || !(await isNothing(join(folder, ofFileSystem)))) return entries
  return entries.filter((entry) => entry !== ofFileSystem)
}

const isNothing = async (folder: string): Promise<boolean> => {
  try {
    return (await readdir(folder)).length === 0
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EACCES"
  }
}
