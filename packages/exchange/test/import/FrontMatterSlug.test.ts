/** Slugs that other programs state in front matter. */
import { assert, describe, it } from "@effect/vitest"
import * as FrontMatterSlug from "@lectern/exchange/import/FrontMatterSlug"
import { Effect } from "effect"
import { exportFolder, texts } from "../export/Exports.ts"
import { edit } from "../export/RandomContents.ts"
import { documentAt, importFiles, newSpace, onInstance, outline, pageAt } from "./Imports.ts"

const folder = {
  "guide/README.md": "# Guide\n\n[Install](setup.md) and [update](sub/update.md#how).\n",
  "guide/setup.md": '---\nslug: "/guide/install"\nauthor: Ada\n---\n\n# Setup\n',
  "guide/sub/update.md": "---\nslug: how-to-update\n---\n\n# Update\n\n## How\n",
  "home.md": "---\nslug: /\n---\n\n# Home\n",
  "one.md": "---\nslug: same\n---\n\n# One\n",
  "two.md": "---\nslug: same\n---\n\n# Two\n"
}

describe("FrontMatterSlug", () => {
  for (const [text, slug] of [
    ["slug: install", "install"],
    ["slug: /a/b/install/", "install"],
    ["slug: a/b c", "b-c"],
    ["slug: 2024", "2024"],
    ["slug: /", undefined],
    ["slug: ..", undefined],
    ["slug: [a]", undefined],
    ["slug: 'open", undefined],
    ["title: x", undefined]
  ] as const) {
    it(`reads ${text} as ${slug ?? "no slug"}`, () => assert.strictEqual(FrontMatterSlug.read(text), slug))
  }

  it.effect("gives pages their paths, keeps links to files, and exports the same bytes", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, folder)
        assert.deepStrictEqual(report.problems, [])
        assert.deepStrictEqual(yield* outline(space), [
          "Guide (guide)",
          "  Setup (guide/install)",
          "  Sub (guide/sub)",
          "    Update (guide/sub/how-to-update)",
          "Home (home)",
          "One (same)",
          "Two (same-1)"
        ])
        const guide = JSON.stringify(yield* documentAt(space, "guide"))
        assert.include(guide, (yield* pageAt(space, "guide/install")).id)
        assert.include(guide, (yield* pageAt(space, "guide/sub/how-to-update")).id)
        const exported = texts((yield* exportFolder(space)).files)
        assert.deepStrictEqual(
          Object.fromEntries(Object.keys(folder).map((path) => [path, exported[path]])),
          folder as Record<string, string>
        )
      })
    )
  )

  it.effect("is overridden by a slug that was chosen in Lectern, also by the name of the file", () =>
    onInstance(
      Effect.gen(function* () {
        for (const slug of ["begin", "setup"]) {
          const space = yield* newSpace
          yield* importFiles(space, folder)
          const { id } = yield* pageAt(space, "guide/install")
          yield* edit(space, (editor) => editor.updatePage(id, { slug }))
          const exported = texts((yield* exportFolder(space)).files)
          assert.include(exported["guide/setup.md"], `slug: "/guide/install"\nauthor: Ada\nlectern: {"slug":"${slug}"}`)
          const again = yield* newSpace
          yield* importFiles(again, exported)
          assert.strictEqual((yield* pageAt(again, `guide/${slug}`)).title, "Setup")
        }
      })
    )
  )
})
