/** Real documentation for tests of search, which is not part of the project. Its tests are skipped without it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect } from "effect"
import { organization } from "../Instances.ts"

const corpus = resolve(import.meta.dirname, "../../../../../shared/corpus")

/** Returns true if the corpus has all of these folders; warns otherwise. */
export const exists = (folders: ReadonlyArray<string>): boolean => {
  const isThere = folders.every((folder) => existsSync(join(corpus, folder)))
  if (!isThere) console.warn(`SKIPPED: the documentation of ${folders.join(" and ")} is not at ${corpus}`)
  return isThere
}

/** Imports a folder of the corpus into a new space, and returns the space's id. */
export const imported = Effect.fnUntraced(function* (folder: string) {
  const { id } = yield* (yield* Spaces).create(yield* organization, {})
  const files = read(join(corpus, folder)).filter((file) => !isSource(file))
  yield* (yield* FolderImports).importFolder(id, { files })
  return id
})

const read = (folder: string): ReadonlyArray<Folder.FolderFile> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const full = join(entry.parentPath, entry.name)
      return Folder.file(full.slice(folder.length + 1), readFileSync(full))
    })

/**
 * Returns true for source texts from which pages of the folder are generated. They duplicate pages, and readers never
 * see them.
 */
const isSource = ({ path }: Folder.FolderFile) => path.startsWith("source/")
