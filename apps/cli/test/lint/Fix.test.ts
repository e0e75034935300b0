/** `--fix`: it changes the lines of the problems and no others, and once is enough. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { runs } from "../../../../packages/core/test/Runs.ts"
import { folderOf } from "../dev/Folders.ts"
import * as Fix from "../../src/lint/Fix.ts"
import * as FolderLint from "../../src/lint/FolderLint.ts"

const run = (folder: string, fixes: boolean) => Effect.runPromise(FolderLint.run(folder, { fixes }))

const others = { "my page.md": "# Mine\n", "folder/page.md": "# Page\n" }

/** Texts of one or more lines, with and without problems. */
const pieces = [
  "[Mine](my page.md) and [mine](my page.md#part)",
  "[Page](folder\\page.md) [gone](gone\\page.md)",
  "`[Mine](my page.md)`",
  "<!-- lectern-disable-next-line broken-link -->",
  "<!-- lectern-disable-next-line broken-link, spaced-link -->",
  "> <!-- lectern-disable-next-line -->",
  "<!-- lectern-disable-file unlisted-page -->",
  "```md\n[Mine](my page.md)\n<!-- lectern-disable-next-line -->\n```",
  "[Gone](gone.md)",
  "* Item\n* [Mine](my page.md)",
  "Text",
  "",
  "\t",
  "## Part"
]

const heads = ["", "---\nhidden: 'Yes' # later\ntitle: 2024\n---\n", "---\ntitle: Home\nif: true\nhidden: true\n---\n"]

const linesOf = (text: string) => text.replace(/^\uFEFF/, "").match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

describe("Fix", () => {
  it("changes only the lines of problems, finds nothing more in a second run, and keeps clean folders", async () => {
    const text = fc.record({
      mark: fc.constantFrom("", "\uFEFF"),
      lineEnd: fc.constantFrom("\n", "\r\n"),
      head: fc.constantFrom(...heads),
      body: fc.array(fc.constantFrom(...pieces), { maxLength: 12 }),
      end: fc.constantFrom("", "\n")
    })
    const property = fc.asyncProperty(text, async ({ body, end, head, lineEnd, mark }) => {
      const source = mark + (head + body.join("\n") + end).replaceAll("\n", lineEnd)
      const folder = folderOf({ "README.md": source, ...others })
      const file = join(folder, "README.md")
      const { problems } = await run(folder, false)
      const fixes = problems.flatMap(({ fix }) => fix ?? [])
      const first = await run(folder, true)
      const fixed = readFileSync(file, "utf8")
      const changedLines = new Set(fixes.map(({ line }) => line))
      const removedLines = new Set(fixes.flatMap((fix) => ("isRemoval" in fix ? [fix.line] : [])))
      const before = linesOf(source).flatMap((line, i) => (removedLines.has(i + 1) ? [] : [{ line, number: i + 1 }]))
      const after = linesOf(fixed)
      assert.strictEqual(fixed.startsWith("\uFEFF"), source.startsWith("\uFEFF"))
      // A comment that hid a problem may hide nothing after its next line was removed.
      if (first.fixed === fixes.length) {
        assert.lengthOf(after, before.length)
        for (const [i, { line, number }] of before.entries())
          if (!changedLines.has(number)) assert.strictEqual(after[i], line)
      }
      if (fixes.length === 0) assert.strictEqual(fixed, source)
      assert.isFalse(first.problems.some(({ fix }) => fix !== undefined))
      const changedAt = statSync(file).mtimeMs
      assert.strictEqual((await run(folder, true)).fixed, 0)
      assert.strictEqual(readFileSync(file, "utf8"), fixed)
      assert.strictEqual(statSync(file).mtimeMs, changedAt)
    })
    await fc.assert(property, runs(25))
  })

  it("mends each kind of problem", async () => {
    const folder = folderOf({
      "README.md":
        '---\ntitle: 2024\nhidden: "no" # shown\n---\n\n[Mine](my page.md) [Page](folder\\page.md#p)\n\n<!-- lectern-disable-next-line -->\nText\n\n<!-- lectern-disable-next-line broken-link spaced-link -->\n[Gone](gone.md)\n',
      "folder/page.md": "# Page\n\n## P\n",
      "my page.md": "# Mine\n"
    })
    const { fixed, problems } = await run(folder, true)
    assert.deepStrictEqual([fixed, problems], [6, []])
    assert.strictEqual(
      readFileSync(join(folder, "README.md"), "utf8"),
      '---\ntitle: "2024"\nhidden: false # shown\n---\n\n[Mine](my%20page.md) [Page](folder/page.md#p)\n\nText\n\n<!-- lectern-disable-next-line broken-link -->\n[Gone](gone.md)\n'
    )
  })

  it("makes one of two changes that overlap, and ignores lines that don't exist", () => {
    const replace = (line: number, column: number, length: number, text: string) => ({ line, column, length, text })
    assert.strictEqual(Fix.apply("abc\r\ndef", [replace(1, 1, 2, "x"), replace(1, 2, 1, "y")]), "xc\r\ndef")
    assert.strictEqual(Fix.apply("a\nb\n", [{ line: 1, isRemoval: true }, replace(9, 1, 1, "z")]), "b\n")
  })
})
