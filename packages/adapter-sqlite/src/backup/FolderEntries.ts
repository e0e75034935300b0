/**
 * Lists a folder that should be empty. A new ext4 volume contains `lost+found`, which is ignored if it is empty or
 * readable by root only.
 */
import { readdir } from "node:fs/promises"
import { join } from "node:path"

const fileSystemFolder = "lost+found"

export const entriesOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder)
  if (!entries.includes(fileSystemFolder) || !(await isEmptyFolder(join(folder, fileSystemFolder)))) return entries
  return entries.filter((entry) => entry !== fileSystemFolder)
}

const isEmptyFolder = async (folder: string): Promise<boolean> => {
  try {
    return (await readdir(folder)).length === 0
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "EACCES"
  }
}
