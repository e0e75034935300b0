/** Folders of tests of `lectern dev`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"

const folders: Array<string> = []

/** Writes files into a folder. */
export const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Creates a folder with files, which is removed after the tests of the file. */
export const folderOf = (files: Readonly<Record<string, string>>): string => {
  if (folders.length === 0) {
    afterAll(() => {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
    })
  }
  const folder = mkdtempSync(join(tmpdir(), "lectern-dev-"))
  folders.push(folder)
  write(folder, files)
  return folder
}
