/** Exports change the lines of a folder's own files that say something new, and keep all others. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import { assert, describe, it } from "@effect/vitest"
import type * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { Effect } from "effect"
import { makePageAliases } from "@lectern/core/content/pages/PageAliases"
import { importFiles, newSpace, onInstance, outline, pageAt, reader } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit, written } from "./RandomContents.ts"

const summary = `# Table of contents
<!-- A remark -->

* [Home](README.md "Start here")
* [Guide](guide.md)
    * Unlinked
        * [Deep](deep.md)
        * [A part](deep.md#part)
    * [Gone](gone.md)

## First group

- [A *b*](a.md)
- [Elsewhere](https://example.com/x)
- \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: petstore
  \`\`\`

## Second <a href="#2" id="2"></a>

- [C](c.md)

***

- [Last](last.md)
`

const folder = {
  "SUMMARY.md": summary,
  ".gitbook.yaml": "# Ours\nroot: ./\n\nredirects:\n  old/page: guide.md\n  gone: gone.md\n",
  ".gitbook/vars.yaml": "# The product\nproduct:   Lectern # its name\n\nversion: 2\nlong: >\n  a\n  b\n",
  ".gitbook/tags.yaml": "- tag: new\n  label:   New\n",
  ".gitbook/assets/note.md": "# No page\n",
  "README.md": "# Home\n\n[note](.gitbook/assets/note.md)\n",
  "guide.md": "# Guide\n",
  "deep.md": "# Deep\n\n## Part\n",
  "a.md": "# A b\n",
  "c.md": "# C\n",
  "last.md": "# Last\n",
  "unlisted.md": "Nobody names it\n"
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const texts = (files: Readonly<Record<string, Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, decoder.decode(bytes)]))

/** The lines that one text has and the other has not, marked as a patch marks them. */
const changes = (before: string, after: string): ReadonlyArray<string> => {
  const left = after.split("\n")
  const gone = before.split("\n").filter((line) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
  return [...gone.map((line) => `-${line}`), ...left.map((line) => `+${line}`)]
}

describe("a folder's own files", () => {
  it.effect("are read as the tree that they mean, and come out as they were", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, folder)
        assert.deepStrictEqual(
          report.problems.map(({ line, message }) => `${line}: ${message}`),
          [
            '9: The entry "Gone" has no file: there is no gone.md',
            'undefined: The redirect from "gone" leads to no page: there is no gone.md'
          ]
        )
        assert.deepStrictEqual(yield* outline(space), [
          "Home (readme)",
          "Guide (guide)",
          "  Unlinked (guide/unlinked)",
          "    Deep (guide/unlinked/deep)",
          "    A part (guide/unlinked/a-part) link",
          "First group (first-group) group",
          "  A b (first-group/a)",
          "  Elsewhere (first-group/elsewhere) link",
          "  petstore (first-group/petstore) computed",
          "Second (2) group",
          "  C (2/c)",
          "Last (last)",
          "Unlisted (unlisted) hidden"
        ])
        const old = yield* (yield* makePageAliases).resolve(space, yield* reader(space), ["Old", "page"])
        assert.strictEqual(old?.page.id, (yield* pageAt(space, "guide")).id)
        assert.strictEqual((yield* pageAt(space, "readme")).linkTitle, "Start here")
        assert.deepInclude(yield* pageAt(space, "guide/unlinked"), { type: "document", unlinked: true })
        const { files, problems } = yield* exportFolder(space)
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(texts(files), folder)
        const other = summary.replaceAll("\n", "\r\n")
        yield* importFiles(space, { ...folder, "SUMMARY.md": other })
        assert.strictEqual(texts((yield* exportFolder(space)).files)["SUMMARY.md"], other)
      })
    )
  )

  const edits: ReadonlyArray<
    readonly [
      name: string,
      change: (editor: ContentEditor.ContentEditor, id: (path: string) => string) => Effect.Effect<unknown, unknown>,
      changed: Readonly<Record<string, ReadonlyArray<string>>>
    ]
  > = [
    [
      "a page renamed",
      (editor, id) => editor.updatePage(id("readme"), { title: "Welcome" }),
      {
        "SUMMARY.md": ['-* [Home](README.md "Start here")', '+* [Welcome](README.md "Start here")'],
        "README.md": ["-# Home", "+# Welcome"]
      }
    ],
    [
      "labels",
      (editor, id) =>
        editor
          .updatePage(id("readme"), { linkTitle: undefined })
          .pipe(Effect.andThen(editor.updatePage(id("first-group/a"), { linkTitle: 'The "A"' }))),
      {
        "SUMMARY.md": [
          '-* [Home](README.md "Start here")',
          "-- [A *b*](a.md)",
          "+* [Home](README.md)",
          '+- [A *b*](a.md "The \\"A\\"")'
        ]
      }
    ],
    [
      "a page more, below another",
      (editor, id) =>
        editor.insertPage({
          id: "new",
          title: "New",
          parent: id("guide/unlinked/deep"),
          document: serialize(written("x"))
        }),
      { "SUMMARY.md": ["+            * [New](deep/new.md)"] }
    ],
    [
      "a page more at the top, between groups",
      (editor) => editor.insertPage({ id: "new", title: "New", at: 3, document: serialize(written("x")) }),
      { "SUMMARY.md": ["+* [New](new.md)", "+***", "+", "+"] }
    ],
    [
      "a page less, with those below it",
      (editor, id) => editor.removePage(id("guide/unlinked")),
      {
        "SUMMARY.md": ["-    * Unlinked", "-        * [Deep](deep.md)", "-        * [A part](deep.md#part)"]
      }
    ],
    [
      "a page moved",
      (editor, id) => editor.movePage(id("last"), { parent: id("guide"), at: 0 }),
      { "SUMMARY.md": ["-- [Last](last.md)", "+    - [Last](last.md)"] }
    ],
    [
      "a group renamed, and one moved",
      (editor, id) =>
        editor
          .updatePage(id("first-group"), { title: "One", slug: "one" })
          .pipe(Effect.andThen(editor.movePage(id("2"), { at: 2 }))),
      { "SUMMARY.md": ["-## First group", "+## One"] }
    ],
    [
      "an unlinked page that says something has a file",
      (editor, id) => editor.setDocument(id("guide/unlinked"), serialize(written("Now it does"))),
      { "SUMMARY.md": ["-    * Unlinked", "+    * [Unlinked](guide/unlinked/README.md)"] }
    ],
    [
      "variables",
      (editor) =>
        editor
          .setVariable("product", "Other")
          .pipe(Effect.andThen(editor.setVariable("long", undefined)), Effect.andThen(editor.setVariable("more", "b"))),
      {
        ".gitbook/vars.yaml": [
          "-product:   Lectern # its name",
          "-long: >",
          "-  a",
          "-  b",
          '+product: "Other" # its name',
          '+more: "b"'
        ]
      }
    ]
  ]
  for (const [name, change, changed] of edits) {
    it.effect(`change by the lines of what changed: ${name}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, folder)
          const ids = new Map<string, string>()
          for (const path of [
            "readme",
            "guide",
            "guide/unlinked",
            "guide/unlinked/deep",
            "first-group",
            "first-group/a",
            "2",
            "last"
          ]) {
            ids.set(path, (yield* pageAt(space, path)).id)
          }
          const before = texts((yield* exportFolder(space)).files)
          yield* edit(space, (editor) => change(editor, (path) => ids.get(path)!))
          const after = texts((yield* exportFolder(space)).files)
          const found = Object.keys(before).flatMap((path) => {
            const lines = changes(before[path]!, after[path] ?? "")
            return lines.length === 0 || !(path in after) ? [] : [[path, lines] as const]
          })
          assert.deepStrictEqual(Object.fromEntries(found), changed)
        })
      )
    )
  }

  const book = `# The book

[Introduction](intro.md)
[Notes](notes.md)

- [One](one.md)

# Part

- [Two](two.md)

---

[Last](last.md)
`
  const ofBook: ReadonlyArray<
    readonly [
      name: string,
      change: (editor: ContentEditor.ContentEditor, id: (path: string) => string) => Effect.Effect<unknown, unknown>,
      changed: ReadonlyArray<string>
    ]
  > = [
    ["nothing", () => Effect.void, []],
    [
      "an entry outside a list renamed",
      (editor, id) => editor.updatePage(id("intro"), { title: "Begin" }),
      ["-[Introduction](intro.md)", "+[Begin](intro.md)"]
    ],
    ["one that is gone", (editor, id) => editor.removePage(id("intro")), ["-[Introduction](intro.md)"]],
    [
      "a page more between two",
      (editor) => editor.insertPage({ id: "new", title: "New", at: 1, document: serialize(written("x")) }),
      ["+- [New](new.md)", "+", "+"]
    ],
    [
      "one that moves behind an entry of a list",
      (editor, id) => editor.movePage(id("notes"), { parent: null, at: 2 }),
      ["+"]
    ],
    [
      "one that moves below another",
      (editor, id) => editor.movePage(id("notes"), { parent: id("one"), at: 0 }),
      ["-[Notes](notes.md)", "+  - [Notes](notes.md)"]
    ],
    [
      "a page more below one",
      (editor, id) =>
        editor.insertPage({ id: "new", title: "New", parent: id("last"), document: serialize(written("x")) }),
      ["-[Last](last.md)", "+- [Last](last.md)", "+  - [New](last/new.md)"]
    ]
  ]
  for (const [name, change, changed] of ofBook) {
    it.effect(`of a book with entries outside lists: ${name}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          const names = ["intro", "notes", "one", "two", "last"]
          const { report } = yield* importFiles(space, {
            "SUMMARY.md": book,
            ...Object.fromEntries(names.map((name) => [`${name}.md`, `${name}\n`]))
          })
          assert.deepStrictEqual(report.problems, [])
          const ids = new Map<string, string>()
          for (const path of ["intro", "notes", "one", "last"]) ids.set(path, (yield* pageAt(space, path)).id)
          yield* edit(space, (editor) => change(editor, (path) => ids.get(path)!))
          const { files } = yield* exportFolder(space)
          assert.deepStrictEqual(changes(book, texts(files)["SUMMARY.md"]!), changed)
          yield* assertLaws(space)
        })
      )
    )
  }

  const unnamed = Object.fromEntries(
    ["x", "y", "deep/a", "deep/b", "deep/more/c", "topic/d", "topic/e"].map((name) => [
      `${name}.md`,
      `---\nother:  kept\n---\n\nText of ${name}\n`
    ])
  )
  const named = {
    "SUMMARY.md": "# Contents\n\n- [Home](README.md)\n- [Topic](topic/README.md)\n  - [One](topic/one.md)\n",
    "README.md": "# Home\n",
    "topic/README.md": "# Topic\n",
    "topic/one.md": "# One\n"
  }
  const besideUnnamed: ReadonlyArray<
    readonly [
      name: string,
      change: (editor: ContentEditor.ContentEditor, id: (path: string) => string) => Effect.Effect<unknown, unknown>,
      changed: Readonly<Record<string, ReadonlyArray<string>>>
    ]
  > = [
    [
      "a page more at the end of the top",
      (editor) => editor.insertPage({ id: "new", title: "New", document: serialize(written("x")) }),
      { "SUMMARY.md": ["+- [New](new.md)"] }
    ],
    [
      "a page more at the end below another",
      (editor, id) =>
        editor.insertPage({ id: "new", title: "New", parent: id("topic"), document: serialize(written("x")) }),
      { "SUMMARY.md": ["+  - [New](topic/new.md)"] }
    ],
    [
      "a hidden page more below a page without an entry",
      (editor, id) =>
        editor.insertPage({
          id: "new",
          title: "New",
          hidden: true,
          parent: id("deep"),
          document: serialize(written("x"))
        }),
      {}
    ],
    [
      "a listed page that moves to the end",
      (editor, id) => editor.movePage(id("readme"), { at: 4 }),
      { "SUMMARY.md": [] }
    ],
    ["a page without an entry that moves among its siblings", (editor, id) => editor.movePage(id("y"), { at: 0 }), {}],
    [
      "a page without an entry that moves below another",
      (editor, id) => editor.movePage(id("y"), { parent: id("topic") }),
      {
        "SUMMARY.md": ["+  - [Y](y.md)"],
        "y.md": ["+hidden: true"]
      }
    ],
    [
      "a page without an entry that is shown",
      (editor, id) => editor.updatePage(id("topic/d"), { hidden: undefined }),
      { "SUMMARY.md": ["+  - [D](topic/d.md)"] }
    ],
    [
      "a page without an entry in a folder that is shown",
      (editor, id) => editor.updatePage(id("deep/more/c"), { hidden: undefined }),
      {
        "SUMMARY.md": [
          '+## Deep <!--{"hidden":true}-->',
          "+",
          "+- [A](deep/a.md)",
          "+- [B](deep/b.md)",
          '+- More <!--{"hidden":true}-->',
          "+  - [C](deep/more/c.md)",
          "+"
        ],
        "deep/a.md": ["+hidden: true"],
        "deep/b.md": ["+hidden: true"]
      }
    ]
  ]
  for (const [name, change, changed] of besideUnnamed) {
    it.effect(`leave pages without an entry alone: ${name}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          const all = { ...named, ...unnamed }
          yield* importFiles(space, all)
          const ids = new Map<string, string>()
          for (const path of ["readme", "topic", "topic/d", "y", "deep", "deep/more/c"]) {
            ids.set(path, (yield* pageAt(space, path)).id)
          }
          const before: Record<string, string> = texts((yield* exportFolder(space)).files)
          assert.deepStrictEqual(before, all)
          yield* edit(space, (editor) => change(editor, (path) => ids.get(path)!))
          const after = texts((yield* exportFolder(space)).files)
          const found = Object.keys(before).flatMap((path) =>
            before[path] === after[path] ? [] : [[path, changes(before[path]!, after[path] ?? "")] as const]
          )
          assert.deepStrictEqual(Object.fromEntries(found), changed)
          const copy = yield* newSpace
          yield* importFiles(copy, after)
          assert.deepStrictEqual(texts((yield* exportFolder(copy)).files), after)
          assert.sameMembers([...(yield* outline(copy))], [...(yield* outline(space))])
        })
      )
    )
  }

  it.effect("keep the laws of exports", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          ...folder,
          "SUMMARY.md": summary.replace("    * [Gone](gone.md)\n", ""),
          ".gitbook.yaml": "redirects:\n  old: guide.md\n"
        })
        yield* assertLaws(space)
        yield* edit(space, (editor) => editor.insertPage({ id: "new", title: "* New", at: 1 }))
        yield* assertLaws(space)
      })
    )
  )

  it.effect("lie where the configuration says, and stay there", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const files = {
          ".gitbook.yaml": "root: ./docs/\nstructure:\n  summary: contents.md\n",
          "docs/contents.md": "* [Home](README.md)\n",
          "docs/README.md": "# Home\n",
          "docs/.gitbook/vars.yaml": "a: b\n"
        }
        yield* importFiles(space, files)
        assert.deepStrictEqual(texts((yield* exportFolder(space)).files), files)
        yield* edit(space, (editor) =>
          editor.insertPage({ id: "new", title: "New", document: serialize(written("x")) })
        )
        const after = texts((yield* exportFolder(space)).files)
        assert.strictEqual(after["docs/contents.md"], "* [Home](README.md)\n* [New](new.md)\n")
        assert.property(after, "docs/new.md")
        yield* assertLaws(space)
      })
    )
  )
})
