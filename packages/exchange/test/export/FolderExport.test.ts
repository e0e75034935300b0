import { serialize, jsonOf } from "@lectern/core/content/documents/StoredDocument"
import { assert, describe, it } from "@effect/vitest"
import type * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type { ContentRef } from "@lectern/document/Document"
import { FileId } from "@lectern/core/content/files/File"
import * as FileType from "@lectern/core/content/files/FileType"
import { FolderExports } from "@lectern/exchange/export/FolderExports"
import { Objects } from "@lectern/core/content/store/Objects"
import { SpaceId } from "@lectern/core/space/Space"
import { BlobHash, BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Storage } from "@lectern/core/storage/Storage"
import { tooCostly } from "@lectern/core/thread/Threads"
import { Effect } from "effect"
import * as fc from "fast-check"
import { documentAt, importFiles, newSpace, onInstance, pageAt, refusing } from "../import/Imports.ts"
import { assertLaws, exportFolder, look, texts } from "./Exports.ts"
import { edit, fill, link, type RandomPages, randomPages, written } from "./RandomContents.ts"
import { runs } from "../../../core/test/Runs.ts"

const putFile = Effect.fnUntraced(function* (
  editor: ContentEditor.ContentEditor,
  id: string,
  name: string,
  bytes: Uint8Array,
  contentType?: string
) {
  const blob = BlobHash.make((yield* Hasher).sha256(bytes))
  yield* (yield* Storage).transaction((yield* BlobStore).put(blob, bytes))
  yield* editor.putFile({
    id: FileId.make(id),
    name,
    ...FileType.detect(bytes, name, contentType),
    size: bytes.length,
    blob
  })
})

const summary = `# Table of contents

* [Home](README.md)
* [Start](start/README.md)
  * [Install it](start/Install.md)

## Guides <a href="#the-guides" id="the-guides"></a>

* [First](guides/first.md)
* [The web](https://example.com)
`

const folder = {
  "SUMMARY.md": summary,
  "README.md":
    "# Home\n\n[install](start/Install.md#now) ![logo](images/logo.png) [gone](gone.md) [web](https://a.b)\n",
  "start/README.md":
    "---\nicon: rocket\nother: [1]\ncover: ../images/logo.png\ncoverY: 3\n---\n\n# Starting\n\n[up](../README.md)\n",
  "start/Install.md":
    '# Install it\n\n{% hint style="info" %}\nHi\n{% endhint %}\n\n| a | b |\n| - | - |\n| [x](../guides/first.md) | 2 |\n',
  "guides/first.md": "---\nhidden: true\n---\n\nText without a heading.\n",
  "guides/with space.md": "Not in the summary. [note](../.gitbook/includes/note.md)\n",
  "images/logo.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  ".gitbook/assets/kept.bin": new Uint8Array([1, 2, 3]),
  ".gitbook/vars.yaml": "product: Lectern\nversion: 2\n",
  ".gitbook/includes/note.md": "---\ntitle: Note\n---\n\n# Note\n\nReused [home](../../README.md).\n"
}

const encoder = new TextEncoder()
const encoded = (folder: Readonly<Record<string, string>>) =>
  Object.entries(folder).map(([path, text]) => [path, encoder.encode(text)] as const)

describe("FolderExport", () => {
  for (const [what, how] of [
    ["takes too long to write", Effect.fail(tooCostly)],
    ["can't be written", Effect.die(new Error("no form"))]
  ] as const) {
    it.effect(`a page that ${what} is exported as JSON, with all that is known of it`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, folder)
          const before = yield* look(space)
          const { files, problems } = yield* exportFolder(space)
          assert.includeMembers(problems, [
            "README.md: It can't be written as Markdown in the time a page may take: it holds its document as JSON"
          ])
          const copy = yield* newSpace
          yield* importFiles(copy, files)
          const after = yield* look(copy)
          assert.deepStrictEqual(after.pages, before.pages)
          assert.deepStrictEqual(after.reusableContents, before.reusableContents)
          assert.deepStrictEqual(after.files, before.files)
          const exported = yield* documentAt(space, "start")
          const code = texts(files)["start/README.md"]!.split("```")
          assert.strictEqual(code[1], `json\n${jsonOf(exported)}\n`)
        }),
        refusing("write-page", how)
      )
    )
  }

  it.effect("what was imported goes back to where it came from", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        const { files, problems } = yield* assertLaws(space)
        assert.deepStrictEqual(problems, [])
        assert.sameMembers(Object.keys(files), Object.keys(folder))
        assert.strictEqual(texts(files)["SUMMARY.md"], summary)
        assert.strictEqual(
          texts(files)["README.md"],
          "# Home\n\n[install](start/Install.md#now) ![logo](images/logo.png) [gone](gone.md) [web](https://a.b)\n"
        )
      })
    )
  )

  const fromElsewhere = {
    "SUMMARY.md": "# Contents\n\n* [Home](README.md)\n* [A](site/guide/a.md)\n* [B](site/learn/b.md)\n",
    "README.md": "# Home\n",
    "site/guide/a.md": "# A\n\n[b](/learn/b#part), [b](/repository/site/learn/b.md) and [gone](/pricing)\n\nMore.\n",
    "site/learn/b.md": "# B\n"
  }

  it.effect("a link from the root of another folder that an earlier version left alone stays in its file", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, fromElsewhere)
        const { id } = yield* pageAt(space, "a")
        const left = written("[b](/learn/b#part), [b](/repository/site/learn/b.md) and [gone](/pricing)\n\nMore.\n")
        yield* edit(space, (editor) => editor.setDocument(id, serialize(left)))
        const { files } = yield* exportFolder(space, true)
        assert.deepStrictEqual(texts(files), texts(Object.fromEntries(encoded(fromElsewhere))))
      })
    )
  )

  for (const [what, folder] of Object.entries({
    "with pages that nobody lists, whose slugs are taken": {
      "SUMMARY.md": "# Contents\n\n* [Triggers](triggers/README.md)\n\n## More\n\n* [Home](README.md)\n",
      "README.md": "# Home\n",
      "triggers/README.md": "# Triggers\n",
      "triggers.md": "# Another\n",
      "More/a.md": "# A\n",
      "more/README.md": "# More\n",
      "more/b.md": "# B\n"
    },
    "whose first page has a name of its own": {
      ".gitbook.yaml": "structure:\n  readme: INTRODUCTION.md\n",
      "SUMMARY.md": "# Contents\n\n* [Guide](guide.md)\n",
      "INTRODUCTION.md": "# Welcome\n",
      "README.md": "# Not listed\n",
      "guide.md": "# Guide\n"
    },
    "with paths that differ in case alone": {
      "README.md": "# Home\n\n![](.gitbook/assets/a.txt)\n",
      ".gitbook/assets/A.txt": "one",
      ".gitbook/assets/a.txt": "two",
      "Guide.md": "# One\n",
      "guide.md": "# Other\n",
      "notes/x.md": "# X\n",
      "Notes/X.md": "# Y\n",
      "SUMMARY.md":
        "# Contents\n\n* [Home](README.md)\n* [One](Guide.md)\n* [Other](guide.md)\n* [X](notes/x.md)\n* [Y](Notes/X.md)\n"
    },
    "with links from the root of another folder": fromElsewhere,
    "with links to pages as others publish them": {
      "SUMMARY.md": "# Contents\n\n* [A](guide/a.md)\n* [B](guide/b.md)\n",
      "guide/a.md": "# A\n\n[b](b.html), [part](b.html#part), [id](b.md?id=part), [gone](c.html)\n",
      "guide/b.md": "# B\n\n## Part\n"
    },
    "with a picture that others publish at the root": {
      ".gitbook.yaml": "root: ./docs/\n",
      "docs/SUMMARY.md": "# Contents\n\n* [A](guide/a.md)\n",
      "docs/guide/a.md": "# A\n\n![a](/img/a.png)\n",
      "static/img/a.png": "a picture"
    },
    "with a slug in the front matter that the page has anyway": {
      "README.md": "# Home\n",
      "one.md": '---\nlectern: {"slug":"one"}\n---\n\n# One\n',
      "SUMMARY.md": "# Contents\n\n* [Home](README.md)\n* [One](one.md)\n"
    }
  })) {
    it.effect(`a folder ${what} goes back as it was`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, folder)
          const { files } = yield* exportFolder(space, true)
          assert.deepStrictEqual(texts(files), texts(Object.fromEntries(encoded(folder))))
        })
      )
    )
  }

  it.effect("two paths that differ in case alone become two names where a disk can't tell them apart", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "README.md": "# Home\n",
          ".gitbook/assets/A.txt": "1",
          ".gitbook/assets/a.txt": "2"
        })
        const { files } = yield* exportFolder(space)
        const names = Object.keys(files).map((path) => path.toLowerCase())
        assert.strictEqual(new Set(names).size, names.length)
        assert.include(names, ".gitbook/assets/a-1.txt")
      })
    )
  )

  it.effect("pages made in Lectern get paths from their slugs, that never clash", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, { "SUMMARY.md": "* [A](a.md)\n", "a.md": "a\n", "SUMMARY-1.md": "x\n" })
        const a = yield* pageAt(space, "a")
        yield* edit(space, (editor) =>
          Effect.gen(function* () {
            const page = (id: string, title: string, slug: string, parent: string | null = null, type?: "group") =>
              editor.insertPage({ id, title, slug, parent, ...(type && { type }) })
            yield* page("below", "Below", "below", a.id)
            yield* page("con", "Con", "con.")
            yield* page("up", "Up", "..a")
            yield* page("con-child", "Child", "README", "con")
            yield* page("group", "Group", "A.md", null, "group")
            yield* page("in-group", "In", "x", "group")
            yield* page("empty", "Empty", 'em"pty', "group", "group")
            yield* page("summary", "Summary", "summary")
            yield* page("long", "Long", "é".repeat(100))
          })
        )
        const { files, problems } = yield* assertLaws(space)
        assert.deepStrictEqual(problems, [])
        assert.deepStrictEqual(
          Object.keys(files).sort(),
          [
            "A.md-1/x.md",
            "SUMMARY-1.md",
            "SUMMARY.md",
            "_con/README-1.md",
            "_con/README.md",
            "a-1.md",
            "a.md",
            "a/below.md",
            "summary-2.md",
            `${"é".repeat(40)}.md`
          ].sort()
        )
      })
    )
  )

  it.effect("files that the cells of a table name go along, and are named again", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const table =
          `<table><thead><tr><th data-type="files">Files</th></tr></thead>` +
          `<tbody><tr><td><a href="../images/logo.png">logo</a></td></tr></tbody></table>`
        yield* importFiles(space, {
          "SUMMARY.md": "* [A](docs/a.md)\n",
          "docs/a.md": `# A\n\n${table}\n`,
          "images/logo.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47])
        })
        const { document } = yield* pageAt(space, "a")
        const cells = yield* (yield* Objects).read<object>(document!)
        assert.match(JSON.stringify(cells), /"values":\{"[^"]+":\["[\w-]+"\]\}/)
        const { files, problems } = yield* assertLaws(space)
        assert.deepStrictEqual(problems, [])
        assert.include(texts(files)["docs/a.md"], `<a href="../images/logo.png">`)
        assert.property(files, "images/logo.png")
      })
    )
  )

  it.effect("links, files, titles and metadata that a folder has no words for come back", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const services = yield* Effect.context<BlobStore | Hasher | Storage>()
        yield* edit(space, (editor) =>
          Effect.gen(function* () {
            yield* editor.insertPage({
              id: "one",
              title: "two  spaces [and] <b> *this*",
              slug: "one",
              emoji: "👩‍💻",
              description: "",
              hidden: true,
              condition: "a > b",
              variables: { x: 1, y: "z" },
              frontMatter: "icon: x\ntags: [a]",
              cover: { ref: { kind: "file", file: "f1" }, refDark: { kind: "url", url: "https://x.y" }, yPos: 1.5 }
            })
            yield* editor.insertPage({ id: "two", title: "Two", document: serialize(written("# Two\n\ntext\n")) })
            yield* editor.insertPage({ id: "bad", title: "Bad", icon: "i", frontMatter: "a: [" })
            yield* editor.insertPage({
              id: "g",
              title: "G",
              type: "group",
              emoji: "🌍",
              description: "-->",
              parent: "two"
            })
            const url = (id: string, target: ContentRef, slug?: string) =>
              editor.insertPage({ id, title: "L", type: "link", target, parent: "g", ...(slug && { slug }) })
            yield* url("l1", { kind: "page", page: "one" })
            yield* url("l2", { kind: "url", url: "one.md" })
            yield* url("l3", { kind: "url", url: "" }, "l-three")
            yield* url("l4", { kind: "file", file: "f2" })
            yield* url("l5", { kind: "user", user: "u" })
            yield* url("l6", { kind: "page", page: "p", space: "other" })
            yield* editor.replaceDocument(
              "one",
              serialize({
                ...written(""),
                nodes: [
                  link("own", { kind: "page", page: "two", space }),
                  link("literal", { kind: "url", url: "two/README.md" }),
                  link("anchor", { kind: "anchor", page: "one", anchor: "a b" }),
                  link("here", { kind: "anchor", anchor: "here" }),
                  link("other", { kind: "page", page: "two", space: "other" }),
                  link("lost", { kind: "page", page: "lost" }),
                  link("user", { kind: "user", user: "u" }),
                  link("reused", { kind: "reusable-content", reusableContent: "r" }),
                  link("file", { kind: "file", file: "f3" })
                ]
              })
            )
            yield* editor.putReusableContent({
              id: "r",
              title: "R  R",
              document: (yield* editor.writeDocument(serialize(written("# R\n"))))!
            })
            yield* editor.putReusableContent({ id: "r2", title: "R" })
            for (const [n, name] of ["a.png", "A.png", "x/y:z.md", "CON", "a.b.txt", ".md"].entries()) {
              yield* putFile(editor, `f${n + 1}`, name, new Uint8Array([n]), n === 0 ? "image/x-own" : undefined)
            }
            yield* editor.setVariable("ünï", 'a\u200d\u2028"b')
            yield* editor.setVariable("no", true)
            yield* editor.setVariable("n", -1.5e-7)
          }).pipe(Effect.provideContext(services))
        )
        const { problems } = yield* assertLaws(space)
        assert.deepStrictEqual(problems, [])
      })
    )
  )

  it.effect("a document that Markdown has no form for is reported, and what comes of it stays", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* edit(space, (editor) =>
          editor.insertPage({
            id: "one",
            title: "One",
            document: serialize({
              ...written(""),
              nodes: [
                { object: "block", type: "carousel", key: "c", data: { n: 1 }, nodes: written("- a\n- b\n").nodes }
              ]
            })
          })
        )
        const { problems, files } = yield* assertLaws(space)
        assert.deepStrictEqual(problems, ["one.md: Markdown has no form for all that it holds"])
        assert.strictEqual(texts(files)["one.md"], "# One\n\n* a\n* b\n")
      })
    )
  )

  it.effect("an empty space, and one that is not there", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { files } = yield* assertLaws(space)
        assert.deepStrictEqual(texts(files), { "SUMMARY.md": "# Table of contents\n" })
        const missing = yield* Effect.flip(
          (yield* FolderExports).exportFolder(SpaceId.make("none"), { write: () => Effect.void })
        )
        assert.strictEqual(missing._tag, "SpaceNotFound")
        const revision = yield* Effect.flip(
          (yield* FolderExports).exportFolder(space, { revision: "none", write: () => Effect.void })
        )
        assert.strictEqual(revision._tag, "RevisionNotFound")
      })
    )
  )

  it.effect("paths of an import that lead elsewhere are not written to", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* edit(space, (editor) =>
          Effect.forEach(
            [
              "../out.md",
              "/abs.md",
              ".git/hooks.md",
              "a/node_modules/b.md",
              "x\\..\\y.md",
              "SAME.md",
              "same.md",
              "Same.MD/a.md"
            ],
            (path, i) => editor.insertPage({ id: `p${i}`, title: `P${i}`, git: { oid: "", path } }),
            { discard: true }
          )
        )
        const { files } = yield* exportFolder(space)
        assert.deepStrictEqual(Object.keys(files).sort(), [
          "SAME.md",
          "SUMMARY.md",
          "p0.md",
          "p1.md",
          "p2.md",
          "p3.md",
          "p4.md",
          "p6.md",
          "p7.md"
        ])
        yield* assertLaws(space)
      })
    )
  )
})

describe("the laws of exports", () => {
  it("hold for random contents", () =>
    fc.assert(
      fc.asyncProperty(randomPages, (pages) => Effect.runPromise(onInstance(lawsOf(pages)))),
      runs(100)
    ))
})

const lawsOf = Effect.fnUntraced(function* (pages: RandomPages) {
  const space = yield* newSpace
  yield* edit(space, (editor) => fill(editor, pages))
  yield* assertLaws(space)
})
