/** Links of real documentation, which is not part of the project: skipped where it is not there. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import type { Link } from "@lectern/core/link/Link"
import { Links } from "@lectern/core/link/Links"
import { Effect } from "effect"
import { newSpace, onInstance } from "../../../exchange/test/import/Imports.ts"

const corpus = resolve(import.meta.dirname, "../../../../../shared/corpus")

const read = (folder: string): ReadonlyArray<Folder.FolderFile> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((full) => Folder.file(full.slice(folder.length + 1), readFileSync(full)))

const allLinks = Effect.fnUntraced(function* (space: Parameters<Links["Service"]["ofSpace"]>[0]["space"]) {
  const links = yield* Links
  const items: Array<Link> = []
  for (let page: string | undefined = ""; page !== undefined;) {
    const found: Effect.Success<ReturnType<typeof links.ofSpace>> = yield* links.ofSpace(
      { space },
      { limit: 1000, ...(page !== "" && { page }) }
    )
    items.push(...found.items)
    page = found.next?.page
    if (page === undefined) assert.deepStrictEqual([items.length, found.stats.total], [found.count, found.count])
  }
  return items
})

for (const name of ["brighter", "adobe-aep"]) {
  const folder = join(corpus, name)
  const isThere = existsSync(folder)
  if (!isThere) console.warn(`SKIPPED: ${folder} is not there, so its links are not tested`)

  describe.skipIf(!isThere)(`links of ${name}`, () => {
    it.effect("lead to pages and files wherever the folder has them", () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          const files = read(folder)
          yield* (yield* FolderImports).importFolder(space, { files })
          const items = yield* allLinks(space)
          const pages = items.filter(({ ref }) => ref.kind === "page")
          assert.isNotEmpty(pages)
          // What an import found is there; what it did not find stays a URL, or names a heading that is gone.
          const broken = items.filter(({ status }) => status === "broken")
          assert.deepStrictEqual(
            broken.flatMap(({ ref }) => (ref.kind === "url" || ref.kind === "anchor" ? [] : [ref])),
            []
          )
          const paths = new Set(files.map(({ path }) => path.toLowerCase()))
          for (const { ref } of broken) {
            if (ref.kind === "url") assert.isFalse(paths.has(ref.url.toLowerCase()), ref.url)
          }
          for (const { status, targetReference } of items) {
            if (status === "ok") assert.isDefined(targetReference)
          }
        })
      )
    )
  })
}
