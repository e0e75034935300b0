/**
 * Imports the parts of a folder into their spaces. A link to a page of another part needs the id of the page. Therefore
 * the parts are imported again while other parts have new pages: with its cache, an import then reads only the pages
 * whose links have other targets.
 */
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import type { Folder, OtherPage } from "../import/Folder.ts"
import type { FolderImports, SpaceFolderImport } from "../import/FolderImports.ts"
import { ImportCache } from "../import/ImportCache.ts"
import * as FolderParts from "./FolderParts.ts"

/** Maximum number of imports of a part. Ids don't depend on links, so the second import has all of them. */
const maxImports = 3

/** A part with its last import. */
export class ImportedPart {
  definition: FolderParts.PartDefinition
  readonly space: SpaceId
  readonly cache = new ImportCache()
  /** Result of the last import. Undefined before the first one. */
  last: SpaceFolderImport | undefined
  /** Pages of other parts at the last import, as text. */
  otherPages = ""

  constructor(definition: FolderParts.PartDefinition, space: SpaceId) {
    this.definition = definition
    this.space = space
  }
}

/** Returns the pages of parts by path. The first part with a page wins. */
export const pagesOf = (parts: Iterable<ImportedPart>): ReadonlyMap<string, OtherPage> => {
  const pages = new Map<string, OtherPage>()
  for (const { space, last } of parts) {
    for (const [path, page] of last?.pageIds ?? []) if (!pages.has(path)) pages.set(path, { space, page })
  }
  return pages
}

/**
 * Imports all parts. A part keeps its result if a later part can't be imported. `rounds`: maximum number of imports of a
 * part. Default: until all links have their targets.
 */
export const importAll = Effect.fnUntraced(function* (
  imports: FolderImports["Service"],
  parts: ReadonlyArray<ImportedPart>,
  folder: Folder,
  rounds = maxImports
) {
  const definitions = parts.map(({ definition }) => definition)
  for (let round = 0; round < rounds; round++) {
    for (const part of parts) {
      const otherPages = pagesOf(parts.filter((other) => other !== part))
      const otherPagesText = JSON.stringify([...otherPages])
      if (round > 0 && part.otherPages === otherPagesText) continue
      part.last = yield* imports.importFolder(
        part.space,
        { ...folder, part: FolderParts.partOf(part.definition, definitions, otherPages) },
        { cache: part.cache }
      )
      part.otherPages = otherPagesText
    }
  }
})
