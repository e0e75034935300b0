/**
 * Tests the names of a page whose entry in the table of contents differs from its heading. The heading is the title,
 * and the entry is the name in navigation. Exported files are unchanged except for lines with a changed name.
 */
import type * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { importFiles, markdownAt, newSpace, onInstance, pageAt } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit } from "./RandomContents.ts"

const folder = {
  "SUMMARY.md": [
    "# Table of contents",
    "",
    "* [Start](README.md)",
    "* [Setup](setup.md)",
    '* [Same](same.md "In the menu")',
    "* [Formula](formula.md)",
    "* [Remark](remark.md)",
    "* [Marks](marks.md)",
    "* [Plain](plain.md)",
    "* [Own](own.md)",
    ""
  ].join("\n"),
  "README.md": "# Welcome to the handbook\n\nHello\n",
  "setup.md": "---\ndescription: How\n---\n\nSet up the machine\n==================\n\nText\n\n# Another\n",
  "same.md": "# Same\n\nText\n",
  "formula.md": "# The $x^2$ method\n\nText\n",
  "remark.md": '<!-- Written\nby hand -->\n\n<a id="old"></a>\n\n# Below a remark\n\nText\n',
  "marks.md": "# **Marks** and `code`\n\nText\n",
  "plain.md": "Text without a heading\n",
  "own.md": "---\ntitle: Own\n---\n\n# Its heading\n\nText\n"
}

const decoder = new TextDecoder()
const texts = (files: Readonly<Record<string, Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, decoder.decode(bytes)]))

const names = [
  ["readme", "Welcome to the handbook", "Start", "Hello\n"],
  ["setup", "Set up the machine", "Setup", "Text\n\n# Another\n"],
  ["same", "Same", "In the menu", "Text\n"],
  ["formula", "The x^2 method", "Formula", "Text\n"],
  ["remark", "Below a remark", "Remark", undefined],
  ["marks", "Marks and code", "Marks", "Text\n"],
  ["plain", "Plain", undefined, "Text without a heading\n"],
  ["own", "Own", undefined, undefined]
] as const

const imported = Effect.gen(function* () {
  const space = yield* newSpace
  yield* importFiles(space, folder)
  return space
})

describe("names of pages", () => {
  it.effect("are those of the heading and of the entry, and no title stands twice", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* imported
        for (const [path, title, linkTitle, text] of names) {
          const page = yield* pageAt(space, path)
          assert.deepStrictEqual([page.title, page.linkTitle], [title, linkTitle], path)
          if (text !== undefined) assert.strictEqual((yield* markdownAt(space, path)).trimEnd(), text.trimEnd(), path)
        }
        assert.notInclude(yield* markdownAt(space, "remark"), "# Below")
        const { files, problems } = yield* exportFolder(space)
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(texts(files), folder)
        yield* assertLaws(space)
      })
    )
  )

  type Change = (editor: ContentEditor.ContentEditor, id: string) => Effect.Effect<unknown, unknown>
  const edits: ReadonlyArray<
    readonly [name: string, path: string, change: Change, changed: Readonly<Record<string, readonly [string, string]>>]
  > = [
    [
      "a title",
      "setup",
      (editor, id) => editor.updatePage(id, { title: "Set it up" }),
      { "setup.md": ["Set up the machine\n==================", "Set it up\n========="] }
    ],
    [
      "a title below a remark",
      "remark",
      (editor, id) => editor.updatePage(id, { title: "Other" }),
      { "remark.md": ["# Below a remark", "# Other"] }
    ],
    [
      "a title with a formula",
      "formula",
      (editor, id) => editor.updatePage(id, { title: "Other" }),
      { "formula.md": ["# The $x^2$ method", "# Other"] }
    ],
    [
      "a name in navigation",
      "readme",
      (editor, id) => editor.updatePage(id, { linkTitle: "Begin" }),
      { "SUMMARY.md": ["[Start]", "[Begin]"] }
    ],
    [
      "a name in navigation that goes",
      "readme",
      (editor, id) => editor.updatePage(id, { linkTitle: undefined }),
      { "SUMMARY.md": ["[Start]", "[Welcome to the handbook]"] }
    ],
    [
      "a description, below a formula",
      "formula",
      (editor, id) => editor.updatePage(id, { description: "How" }),
      { "formula.md": ["# The", "---\ndescription: How\n---\n\n# The"] }
    ]
  ]
  for (const [name, path, change, changed] of edits) {
    it.effect(`change in their own lines alone: ${name}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* imported
          const { id } = yield* pageAt(space, path)
          yield* edit(space, (editor) => change(editor, id))
          const expected: Record<string, string> = { ...folder }
          for (const [file, [from, to]] of Object.entries(changed)) expected[file] = expected[file]!.replace(from, to)
          const { files } = yield* exportFolder(space)
          assert.deepStrictEqual(texts(files), expected)
          yield* assertLaws(space)
          // A second import of an equal folder changes nothing.
          const before = yield* pageAt(space, path)
          yield* importFiles(space, texts(files))
          const after = yield* pageAt(space, path)
          assert.deepStrictEqual([after.title, after.linkTitle], [before.title, before.linkTitle])
        })
      )
    )
  }

  it.effect("follow the heading and the entry when those change in the folder", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* imported
        const named = (path: string) => Effect.map(pageAt(space, path), ({ title, linkTitle }) => [title, linkTitle])
        const first = { ...folder, "setup.md": folder["setup.md"].replace("the machine", "all of it") }
        yield* importFiles(space, first)
        assert.deepStrictEqual(yield* named("setup"), ["Set up all of it", "Setup"])
        const second = { ...first, "SUMMARY.md": folder["SUMMARY.md"].replace("[Setup]", "[Set up all of it]") }
        yield* importFiles(space, second)
        assert.deepStrictEqual(yield* named("setup"), ["Set up all of it", undefined])
        const third = { ...second, "setup.md": folder["setup.md"].replace("Set up the machine\n=", "Gone\n=") }
        yield* importFiles(space, third)
        assert.deepStrictEqual(yield* named("setup"), ["Gone", "Set up all of it"])
        yield* importFiles(space, { ...third, "setup.md": "Text\n" })
        assert.deepStrictEqual(yield* named("setup"), ["Set up all of it", undefined])
      })
    )
  )
})
