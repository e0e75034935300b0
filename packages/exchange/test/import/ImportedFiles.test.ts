/** Files of a folder beside its pages: which come along, and which are told of. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { png } from "./ImportedFolder.ts"
import { importFiles, newSpace, onInstance, reader } from "./Imports.ts"

describe("ImportedFiles", () => {
  it.effect("brings files that reusable content alone leads to", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, {
          "README.md": '# Home\n\n{% include ".gitbook/includes/note.md" %}\n',
          ".gitbook/includes/note.md": "# Note\n\n![logo](../../images/logo.png)\n",
          "images/logo.png": png
        })
        assert.deepStrictEqual([report.added.length, report.problems], [3, []])
        const { files } = yield* reader(space)
        assert.deepStrictEqual(
          (yield* files).map(({ name }) => name),
          ["logo.png"]
        )
      })
    )
  )

  it.effect("reports files that no page leads to, folder by folder", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, {
          ".gitbook.yaml": "root: ./docs\n",
          ".gitignore": "dist\n",
          "package.json": "{}",
          "docs/README.md": "# Home\n\n![logo](images/logo.png)\n",
          "docs/SUMMARY.md": "* [Home](README.md)\n",
          "docs/.gitbook/other.yaml": "a: 1\n",
          "docs/.hidden/one.png": png,
          "docs/images/logo.png": png,
          "docs/images/one.png": png,
          "docs/old/1.png": png,
          "docs/old/2.png": png,
          "docs/old/3.png": png,
          "docs/old/4.png": png
        })
        assert.deepStrictEqual(report.problems, [
          { path: "docs/.hidden/one.png", message: "It is left out: no page leads to it" },
          { path: "docs/images/one.png", message: "It is left out: no page leads to it" },
          {
            path: "docs/old",
            message: "4 files are left out, since no page leads to them: 1.png, 2.png, 3.png …",
            files: ["docs/old/1.png", "docs/old/2.png", "docs/old/3.png", "docs/old/4.png"]
          }
        ])
      })
    )
  )
})
