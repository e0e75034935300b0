/** Imports of one folder with a cache: their reports are complete, and they read only what they must. */
import { assert, describe, it } from "@effect/vitest"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { gitBlobId } from "@lectern/exchange/import/GitBlobId"
import { ImportCache } from "@lectern/exchange/import/ImportCache"
import { Hasher } from "@lectern/core/storage/Hasher"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import { markdownAt, newSpace, onInstance } from "./Imports.ts"

/** Returns a function that imports a folder, and returns the problems, the changes and the paths that were read. */
const importing = Effect.fnUntraced(function* (space: SpaceId) {
  const imports = yield* FolderImports
  const hasher = yield* Hasher
  const cache = new ImportCache()
  const knownTexts = new Map<string, string>()
  return Effect.fnUntraced(function* (contents: Readonly<Record<string, string>>) {
    const read = new Set<string>()
    const files = Object.entries(contents).map(([path, text]) => {
      const file = Folder.file(path, text)
      const isKnown = knownTexts.get(path) === text
      knownTexts.set(path, text)
      const bytes = () => Effect.tap(file.bytes(), () => Effect.sync(() => read.add(path)))
      return { ...file, bytes, ...(isKnown && { oid: gitBlobId(hasher, new TextEncoder().encode(text)) }) }
    })
    // A table of contents, since a tree of files is ordered by the front matter of all files.
    const { report } = yield* imports.importFolder(space, { files }, { cache })
    return {
      problems: report.problems.map(({ path, line, message }) => `${path}:${line}: ${message}`),
      changed: report.changed,
      read: [...read].sort()
    }
  })
})

const summary = "# Contents\n\n* [A](a.md)\n* [B](b.md)\n"

describe("ImportCache", () => {
  it.effect("reports the problems of unchanged files, which are not read", () =>
    onInstance(
      Effect.gen(function* () {
        const importFolder = yield* importing(yield* newSpace)
        const a = "---\nicon: [\n---\n\n# A\n\n[x](x.md)\n\n[y](y.md) and [x](x.md)\n"
        const folder = { "SUMMARY.md": summary, "a.md": a, "b.md": "# B\n" }
        const first = yield* importFolder(folder)
        assert.lengthOf(first.problems, 3)
        assert.match(first.problems[0]!, /^a\.md:undefined: The front matter is no YAML/)
        assert.deepStrictEqual(first.problems.slice(1), [
          "a.md:7: A link leads to nothing in the folder: x.md",
          "a.md:9: A link leads to nothing in the folder: y.md"
        ])
        const second = yield* importFolder({ ...folder, "b.md": "# B\n\nMore.\n" })
        assert.deepStrictEqual(second, { problems: first.problems, changed: ["b.md"], read: ["SUMMARY.md", "b.md"] })
        const mended = yield* importFolder({ ...folder, "a.md": "# A\n" })
        assert.deepStrictEqual(mended.problems, [])
      })
    )
  )

  it.effect("parses the pages whose links lead elsewhere after a file was removed or added", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const importFolder = yield* importing(space)
        const { "b.md": b, ...withoutB } = {
          "SUMMARY.md": "# Contents\n\n* [A](a.md)\n* [C](c.md)\n",
          "a.md": "# A\n\n[b](b.md)\n",
          "b.md": "# B\n\n![](p.png)\n",
          "c.md": "# C\n"
        }
        assert.deepStrictEqual((yield* importFolder(withoutB)).problems, [
          "a.md:3: A link leads to nothing in the folder: b.md"
        ])
        for (const _ of [1, 2]) {
          const added = yield* importFolder({ ...withoutB, "b.md": b })
          assert.deepStrictEqual(added.problems, ["b.md:3: A link leads to nothing in the folder: p.png"])
          assert.deepStrictEqual(added.changed, ["a.md"])
          assert.include(yield* markdownAt(space, "a"), "[b](/pages/")
          const removed = yield* importFolder(withoutB)
          assert.deepStrictEqual(removed.problems, ["a.md:3: A link leads to nothing in the folder: b.md"])
          assert.strictEqual(yield* markdownAt(space, "a"), "[b](b.md)\n")
        }
        const withPicture = yield* importFolder({ ...withoutB, "b.md": b, "p.png": "picture" })
        assert.deepStrictEqual(withPicture.problems, [])
      })
    )
  )
})
