/** Real documentation, which is not part of the project: skipped where it is not there. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as Folder from "@lectern/exchange/import/Folder"
import { Effect } from "effect"
import { newSpace, onInstance } from "../import/Imports.ts"
import { assertOneEdited, kinds } from "./EditedText.ts"
import { assertLaws } from "./Exports.ts"
import { runs } from "../../../core/test/Runs.ts"
import { assertWordEdits } from "./WordEdits.ts"

const corpus = resolve(import.meta.dirname, "../../../../../shared/corpus")

const read = (folder: string): ReadonlyArray<Folder.FolderFile> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((full) => Folder.file(full.slice(folder.length + 1), readFileSync(full)))

const pagesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !path.endsWith("SUMMARY.md"))
    .sort()
    .map((path) => join(folder, path))

for (const name of ["brighter", "adobe-aep"]) {
  const folder = join(corpus, name)
  const isThere = existsSync(folder)
  if (!isThere) console.warn(`SKIPPED: ${folder} is not there, so its export is not tested`)

  describe.skipIf(!isThere)(`export of ${name}`, () => {
    it.effect("keeps the laws, and every page goes back to its path byte by byte", () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          const files = read(folder)
          const { report } = yield* (yield* FolderImports).importFolder(space, { files })
          const others = report.problems.filter(({ message }) => message !== "It is left out: no page leads to it")
          const exported = yield* assertLaws(space, others)
          assert.deepStrictEqual(exported.problems, [])
          for (const path of report.added) assert.property(exported.files, path)
          const changed: Array<string> = []
          for (const file of files) {
            const is = exported.files[file.path]
            if (is !== undefined && !Buffer.from(yield* file.bytes()).equals(is)) changed.push(file.path)
          }
          assert.deepStrictEqual(changed, [])
        })
      )
    )

    it.effect("changes the bytes of a word where one is edited", () => assertWordEdits(folder, runs(100, 1_000)))

    it("changes the lines of one block where one is edited", () => {
      const changed: Array<string> = []
      for (const [i, path] of pagesOf(folder).entries()) {
        const text = readFileSync(path, "utf8")
        const kind = kinds[i % kinds.length]!
        for (const [of, edited] of [
          ["text", i],
          ["text", 31 * i + 7],
          [kind, 997 * i + 13]
        ] as const) {
          try {
            assertOneEdited(text, of, edited)
          } catch (error) {
            changed.push(`${path.slice(folder.length + 1)} ${of} ${edited}: ${String(error).slice(0, 200)}`)
          }
        }
      }
      assert.deepStrictEqual(changed, [])
    })
  })
}
