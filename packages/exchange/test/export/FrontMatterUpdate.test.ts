/**
 * Tests the front matter of imported pages: a change edits only the lines of its field, and all other bytes are
 * preserved.
 */
import { assert, describe, it } from "@effect/vitest"
import type * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { Effect } from "effect"
import { importFiles, newSpace, onInstance, pageAt } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit } from "./RandomContents.ts"

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

const front = `# Ours
title:   "Old title" # shown in the sidebar
owners:
- one
- two

description: >-
  Folded
  text
weight:   10
`
const page = `---\n${front}---\n\n# Old title\n\nText.\n`
const named = "# Contents\n\n- [Old title](a.md)\n- [B](b.md)\n"

type Change = (editor: ContentEditor.ContentEditor, id: string) => Effect.Effect<unknown, unknown>

/** Returns the exported file of the page at `a` after a change. */
const after = (files: Readonly<Record<string, string>>, change: Change) =>
  onInstance(
    Effect.gen(function* () {
      const space = yield* newSpace
      yield* importFiles(space, files)
      const { id } = yield* pageAt(space, "a")
      yield* edit(space, (editor) => change(editor, id))
      const exported = yield* assertLaws(space)
      assert.strictEqual(decoder.decode(exported.files["b.md"]), files["b.md"])
      return {
        page: decoder.decode(exported.files["a.md"]),
        summary: decoder.decode(exported.files["SUMMARY.md"]),
        problems: exported.problems
      }
    })
  )

describe("the front matter of a page that was edited", () => {
  const other = "---\ntitle: B\n---\n\nText.\n"
  const rename: Change = (editor, id) => editor.updatePage(id, { title: "New: title" })
  const cases: ReadonlyArray<readonly [name: string, change: Change, text: string]> = [
    ["a title", rename, page.replace('"Old title" #', '"New: title" #').replace("# Old title\n", "# New: title\n")],
    [
      "a slug",
      (editor, id) => editor.updatePage(id, { slug: "other" }),
      page.replace("weight:   10\n", 'weight:   10\nlectern: {"slug":"other"}\n')
    ],
    [
      "a description",
      (editor, id) => editor.updatePage(id, { description: "Short" }),
      page.replace(">-\n  Folded\n  text\n", "Short\n")
    ],
    [
      "a field that is new",
      (editor, id) => editor.updatePage(id, { icon: "bolt" }),
      page.replace("weight:   10\n", "weight:   10\nicon: bolt\n")
    ],
    [
      "a field that goes",
      (editor, id) => editor.updatePage(id, { description: undefined }),
      page.replace("description: >-\n  Folded\n  text\n", "")
    ],
    [
      "the front matter of others",
      (editor, id) => editor.updatePage(id, { frontMatter: "owners:\n  - one\n  - two\nweight: 20" }),
      page.replace("weight:   10", "weight: 20")
    ],
    [
      "a title with two blanks",
      (editor, id) => editor.updatePage(id, { title: "Two  blanks" }),
      page.replace('"Old title" #', '"Two  blanks" #').replace("# Old title\n", "# Two  blanks\n")
    ],
    [
      "a title with a no-break space",
      (editor, id) => editor.updatePage(id, { title: "One\u00A0word" }),
      page.replace('"Old title" #', '"One\u00A0word" #').replace("# Old title\n", "# One\u00A0word\n")
    ]
  ]
  for (const [name, change, text] of cases) {
    for (const [where, summary] of [
      ["with a table of contents", { "SUMMARY.md": named }],
      ["without", {}]
    ] as const) {
      it.effect(`changes by the lines of ${name}, ${where}`, () =>
        Effect.gen(function* () {
          const found = yield* after({ ...summary, "a.md": page, "b.md": other }, change)
          assert.strictEqual(found.page, text)
          assert.deepStrictEqual(found.problems, [])
        })
      )
    }
  }

  it.effect("keeps a title that the table of contents gave", () =>
    Effect.gen(function* () {
      const text = "---\ntitle: The long title\n---\n\nText.\n"
      const files = { "SUMMARY.md": "- [Short](a.md)\n- [B](b.md)\n", "a.md": text, "b.md": other }
      const found = yield* after(files, (editor, id) => editor.updatePage(id, { title: "Brief" }))
      assert.strictEqual(found.page, text)
      assert.strictEqual(found.summary, "- [Brief](a.md)\n- [B](b.md)\n")
      const slug = yield* after(files, (editor, id) => editor.updatePage(id, { slug: "x" }))
      assert.strictEqual(slug.page, text.replace("title\n---", 'title\nlectern: {"slug":"x"}\n---'))
    })
  )

  it.effect("keeps the quotes and the style of a title", () =>
    Effect.gen(function* () {
      for (const [before, now] of [
        ["'It''s old'", "'It''s new'"],
        ['"It\'s old"', '"It\'s new"'],
        ["It's old", "It's new"],
        [">-\n  It's old", "It's new"]
      ]) {
        const text = (title: string) => `---\nx: 1\ntitle: ${title}\ny:  2\n---\nText.\n`
        const found = yield* after({ "a.md": text(before!), "b.md": other }, (editor, id) =>
          editor.updatePage(id, { title: "It's new" })
        )
        assert.strictEqual(found.page, text(now!))
      }
    })
  )

  it.effect("is written anew where its keys have no lines", () =>
    Effect.gen(function* () {
      const text = "---\n{ title: Old, x: 1 }\n---\nText.\n"
      const found = yield* after({ "a.md": text, "b.md": other }, (editor, id) =>
        editor.updatePage(id, { title: "New" })
      )
      assert.strictEqual(found.page, "---\ntitle: New\nx: 1\n---\nText.\n")
    })
  )

  it.effect("is written in front of a file that had none", () =>
    Effect.gen(function* () {
      const found = yield* after({ "a.md": "# A\n\nText.\n", "b.md": other }, (editor, id) =>
        editor.updatePage(id, { slug: "x", icon: "bolt" })
      )
      assert.strictEqual(found.page, '---\nicon: bolt\nlectern: {"slug":"x"}\n---\n\n# A\n\nText.\n')
    })
  )
})

describe("titles with odd blanks", () => {
  for (const title of ["Two  blanks", "No\u00A0break", "Wide\u3000blank", "Thin\u2009x", "a \u00A0 b", "Tab\there"]) {
    for (const [where, text] of [
      ["front matter", `---\ntitle: ${JSON.stringify(title)}\nx:   1\n---\nText.\n`],
      ["plain front matter", `---\ntitle: ${title}\n---\nText.\n`],
      ["heading", `# ${title}\n\nText.\n`]
    ] as const) {
      it.effect(`change no page that nobody touched: ${JSON.stringify(title)} in the ${where}`, () =>
        onInstance(
          Effect.gen(function* () {
            const space = yield* newSpace
            yield* importFiles(space, { "a.md": text, "b.md": "# B\n" })
            const { files } = yield* assertLaws(space)
            assert.strictEqual(decoder.decode(files["a.md"]), text)
            // An import of the exported table of contents creates the same pages.
            const next = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, decoder.decode(bytes)]))
            yield* importFiles(space, next)
            assert.strictEqual(decoder.decode((yield* exportFolder(space)).files["a.md"]), text)
            const listed = yield* newSpace
            const summary = `* [${title}](a.md)\n* [B](b.md)\n`
            yield* importFiles(listed, { "SUMMARY.md": summary, "a.md": text, "b.md": "# B\n" })
            const again = (yield* exportFolder(listed)).files
            assert.strictEqual(decoder.decode(again["a.md"]), text)
            assert.strictEqual(decoder.decode(again["SUMMARY.md"]), summary)
          })
        )
      )
    }
  }
})

describe("front matter that is no YAML", () => {
  const broken = `title: What: a title
description: One: two: three
tags: [a, b]
hidden: true
key: *nothing
list:
  - a
 - b`
  const text = `---\n${broken}\n---\n\nText.\n`
  const files = { "a.md": text, "b.md": "---\ntitle: B\n---\n\nText.\n" }

  it.effect("is reported, kept, and read by its lines", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, files)
        assert.strictEqual(report.problems.length, 1)
        assert.match(report.problems[0]!.message, /^The front matter is no YAML \(.* at line \d+, column \d+\)/)
        const page = yield* pageAt(space, "a")
        assert.deepInclude(page, {
          title: "What: a title",
          description: "One: two: three",
          hidden: true,
          frontMatter: "key: *nothing\nlist:\n  - a\n - b"
        })
        assert.deepStrictEqual(page.tags, ["a", "b"])
        const exported = yield* assertLaws(space, report.problems)
        assert.strictEqual(decoder.decode(exported.files["a.md"]), text)
      })
    )
  )

  for (const [name, change, expected] of [
    ["a title", { title: "Other" }, text.replace("What: a title", "Other")],
    ["a description", { description: "Four" }, text.replace("One: two: three", "Four")],
    ["a slug", { slug: "x" }, text.replace(" - b\n", ' - b\nlectern: {"slug":"x"}\n')],
    ["a field that goes", { tags: undefined }, text.replace("tags: [a, b]\n", "")]
  ] as const) {
    it.effect(`changes by the lines of ${name}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, files)
          const { id } = yield* pageAt(space, "a")
          yield* edit(space, (editor) => editor.updatePage(id, change))
          const exported = (yield* exportFolder(space)).files
          assert.strictEqual(decoder.decode(exported["a.md"]), expected)
        })
      )
    )
  }

  it.effect("begins after remarks as well, and in quotes", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "a.md": "---\n# A remark\n\ntitle: One: two\n---\nText.\n",
          "b.md": '---\n"title": Three: four\n---\nText.\n'
        })
        assert.strictEqual((yield* pageAt(space, "a")).title, "One: two")
        assert.strictEqual((yield* pageAt(space, "b")).title, "Three: four")
      })
    )
  )
})
