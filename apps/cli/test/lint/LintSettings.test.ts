/** The section `lint` of `lectern.toml`. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folderOf, write } from "../dev/Folders.ts"
import * as FolderLint from "../../src/lint/FolderLint.ts"

const page = "# Home\n\n![](p.png)\n\n## A\n\n#### B\n"

const refusals: ReadonlyArray<readonly [toml: string, message: RegExp]> = [
  ["lint = 1\n", /^lint in \S+lectern\.toml has to be a section: \[lint\]$/],
  ["[lint]\nrule = 1\n", /^lint\.rule in \S+ is not a setting: did you mean rules\?$/],
  ["[lint]\nignore = 'a'\n", /^lint\.ignore in \S+ has to be a list of texts: patterns as in \.gitignore$/],
  ["[lint]\nrules = 1\n", /^lint\.rules in \S+ has to be a section: \[lint\.rules\]$/],
  ["[lint.rules]\nbroken-lnk = 'off'\n", /^lint\.rules\.broken-lnk in \S+ is not a rule: did you mean broken-link\?$/],
  [
    "[lint.rules]\nbroken-link = 'no'\n",
    /^lint\.rules\.broken-link in \S+ has to be one of "error", "warning", "off"$/
  ],
  ["[lint\n", /^The settings file \S+ is not valid TOML, line 1: /]
]

describe("LintSettings", () => {
  it.effect("set levels and turn rules off", () =>
    Effect.gen(function* () {
      const toml = '[lint.rules]\nmissing-alt-text = "error"\nskipped-heading-level = "off"\nbroken-link = "warning"\n'
      const { problems } = yield* FolderLint.run(folderOf({ "README.md": page, "lectern.toml": toml }))
      assert.deepStrictEqual(
        problems.map(({ level, rule }) => [rule, level]),
        [
          ["missing-alt-text", "error"],
          ["broken-link", "warning"]
        ]
      )
    })
  )

  it.effect("ignore problems of files, but not links to them", () =>
    Effect.gen(function* () {
      const folder = folderOf({
        "README.md": "# Home\n\n[Draft](drafts/a.md) [Gone](drafts/gone.md)\n",
        "drafts/a.md": page,
        "b.tmp.md": page,
        "lectern.toml": '[lint]\nignore = ["drafts/", "*.tmp.md"]\n'
      })
      const { problems } = yield* FolderLint.run(folder)
      assert.deepStrictEqual(
        problems.map(({ path, rule }) => `${path} ${rule}`),
        ["README.md broken-link"]
      )
    })
  )

  it.effect("come from the nearest file with the section, up to the repository", () =>
    Effect.gen(function* () {
      const root = folderOf({ "lectern.toml": '[lint.rules]\nbroken-link = "off"\n' })
      const docs = join(root, "repository/docs")
      write(docs, { "README.md": "# Home\n\n[Gone](gone.md)\n", "drafts/a.md": "# A\n\n[Gone](gone.md)\n" })
      const countOf = Effect.map(FolderLint.run(docs), ({ problems }) => problems.length)
      assert.strictEqual(yield* countOf, 0)
      mkdirSync(join(root, "repository/.git"))
      assert.strictEqual(yield* countOf, 2)
      write(join(root, "repository"), { "lectern.toml": 'port = 4000\n[lint]\nignore = ["docs/drafts/"]\n' })
      assert.strictEqual(yield* countOf, 1)
      write(docs, { "lectern.toml": "port = 4000\n" })
      assert.strictEqual(yield* countOf, 1)
    })
  )

  for (const [toml, message] of refusals) {
    it.effect(`are refused: ${JSON.stringify(toml)}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(FolderLint.run(folderOf({ "README.md": "# Home\n", "lectern.toml": toml })))
        assert.match(failure.message, message)
      })
    )
  }
})
