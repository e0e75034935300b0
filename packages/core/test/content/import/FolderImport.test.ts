import { Contents } from "@lectern/core/content/Contents"
import { fold } from "@lectern/core/content/documents/StoredDocument"
import { assert, describe, it } from "@effect/vitest"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { plainText } from "@lectern/document/DocumentText"
import type { Document } from "@lectern/document/Document"
import * as Folder from "@lectern/core/content/import/Folder"
import { FolderImports } from "@lectern/core/content/import/FolderImports"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Cause, Effect, Exit } from "effect"
import {
  documentAt,
  importFiles,
  markdownAt,
  newSpace,
  onInstance,
  outline,
  pageAt,
  reader,
  revisionCount,
  revisionOf
} from "./Imports.ts"

const png = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2
])

const summary = `# Table of contents

* [Home](README.md)
* [Start](start/README.md)
  * [Install it](start/Install.md)
* [Missing](missing.md)
* [Home again](README.md)
* [The web](https://example.com)

## Guides

* [First](guides/first.md)
`

const folder = {
  "SUMMARY.md": summary,
  "README.md":
    "# Home\n\nSee [installing](start/Install.md#now) and [the first](guides/first).\n\n![logo](images/logo.png)\n",
  "start/README.md":
    "---\nicon: rocket\ndescription: How to start\n---\n\n# Starting\n\n[broken](nowhere.md) [up](../README.md)\n",
  "start/Install.md":
    "# Install it\n\nFirst paragraph.\n\nSecond paragraph.\n\n[file](/images/logo.png) [enc](../guides/with%20space.md)\n",
  "guides/first.md": "Text without a heading.\n",
  "guides/with space.md": "Not in the summary.\n",
  "images/logo.png": png,
  "images/unused.png": png.slice(0, 20),
  ".gitbook/assets/kept.bin": new Uint8Array([1, 2, 3]),
  ".gitbook/vars.yaml": "product: Lectern\nversion: 2\nbad: [1]\n",
  ".gitbook/includes/note.md": "---\ntitle: Note\n---\n\nReused.\n"
}

/** Changes a space's content as someone at work in Lectern would. */
const edit = Effect.fnUntraced(function* (
  space: SpaceId,
  change: (editor: ContentEditor.ContentEditor) => Effect.Effect<unknown, unknown>
) {
  const edits = yield* LiveEdits
  const base = yield* edits.begin(space)
  const draft = (yield* Objects).draft()
  const editor = ContentEditor.make(draft, base.content, yield* Timestamps.now)
  yield* Effect.orDie(change(editor))
  yield* edits.commit({ base, draft, content: yield* editor.finish })
})

const keysByText = (document: Document) => new Map(document.nodes.map((block) => [plainText(block), block.key]))

describe("FolderImport", () => {
  it.effect("reports paths of files alone, of entries without a file none", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const files = { "a.md": "# A\n", "b.md": "# B\n" }
        const first = { "SUMMARY.md": "* [A](a.md)\n  * Part\n    * [B](b.md)\n", ...files }
        assert.deepStrictEqual((yield* importFiles(space, first)).report.added, ["a.md", "b.md"])
        assert.deepStrictEqual(yield* outline(space), ["A (a)", "  Part (a/part)", "    B (a/part/b)"])
        const { report } = yield* importFiles(space, { "SUMMARY.md": "* [A](a.md)\n  * [B](b.md)\n", ...files })
        assert.deepStrictEqual([report.added, report.removed], [[], []])
        assert.deepStrictEqual(yield* outline(space), ["A (a)", "  B (a/b)"])
      })
    )
  )

  it.effect("answers links to parts of other pages by their ids, whatever they were written as", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const links = "[a](b.md#Some-Heading) [b](b.md#some-heading--more) [c](b.md#own) [d](b.md#gone) [e](#A-Part)"
        yield* importFiles(space, {
          "a.md": `# A\n\n## A part\n\n${links}\n`,
          "b.md": '# B\n\n## Some heading\n\n### Some heading & more\n\n## Other <a href="#own" id="own"></a>\n'
        })
        const { id } = yield* pageAt(space, "a")
        const contents = yield* Contents
        const answer = JSON.stringify(
          yield* contents.page(yield* contents.locate({ space }), id, { format: "document" })
        )
        assert.deepStrictEqual(
          Array.from(answer.matchAll(/"anchor":"([^"]*)"/g), ([, anchor]) => anchor),
          ["some-heading", "some-heading-and-more", "own", "gone", "a-part"]
        )
        // The text stays as it was written.
        assert.include(yield* markdownAt(space, "a"), "#Some-Heading")
      })
    )
  )

  it.effect("makes the tree of the summary, and hides what it does not name", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, folder)
        assert.deepStrictEqual(yield* outline(space), [
          "Home (readme)",
          "Start (start)",
          "  Install it (start/Install)",
          "The web (the-web) link",
          "Guides (guides) group",
          "  First (guides/first)",
          "Guides (guides-1) group hidden",
          "  With space (guides-1/with-space) hidden"
        ])
        assert.deepStrictEqual(report.added, [
          ".gitbook/assets/kept.bin",
          ".gitbook/includes/note.md",
          "README.md",
          "guides/first.md",
          "guides/with space.md",
          "images/logo.png",
          "start/Install.md",
          "start/README.md"
        ])
        assert.deepStrictEqual(
          report.problems.map(({ path, line }) => [path, line]),
          [
            ["SUMMARY.md", 6],
            ["SUMMARY.md", 7],
            [".gitbook/vars.yaml", undefined],
            ["images/unused.png", undefined]
          ]
        )
        const content = yield* reader(space)
        assert.deepStrictEqual(yield* content.variables, { product: "Lectern", version: 2 })
        assert.deepStrictEqual(
          (yield* content.reusableContents).map(({ title }) => title),
          ["Note"]
        )
        const start = yield* pageAt(space, "start")
        assert.strictEqual(start.icon, "rocket")
        assert.strictEqual(start.description, "How to start")
      })
    )
  )

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

  it.effect("reports files that no page leads to, folder by folder, but for those that no import reads", () =>
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
          { path: "docs/images/one.png", message: "It is left out: no page leads to it" },
          {
            path: "docs/old",
            message: "4 files are left out, since no page leads to them: 1.png, 2.png, 3.png …"
          }
        ])
      })
    )
  )

  it.effect("turns links into references, and keeps those that lead nowhere", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        const content = yield* reader(space)
        const logo = (yield* content.files).find(({ name }) => name === "logo.png")!
        assert.deepStrictEqual(logo.dimensions, { width: 3, height: 2 })
        const install = yield* pageAt(space, "start/install")
        const first = yield* pageAt(space, "guides/first")
        const home = yield* pageAt(space, "readme")
        const unlisted = yield* pageAt(space, "guides-1/with-space")
        assert.strictEqual(
          yield* markdownAt(space, "readme"),
          `See [installing](/pages/${install.id}#now) and [the first](/pages/${first.id}).\n\n![logo](/files/${logo.id})\n`
        )
        assert.strictEqual(
          yield* markdownAt(space, "start"),
          `# Starting\n\n[broken](nowhere.md) [up](/pages/${home.id})\n`
        )
        assert.include(
          yield* markdownAt(space, "start/install"),
          `[file](/files/${logo.id}) [enc](/pages/${unlisted.id})`
        )
      })
    )
  )

  it.effect("a second import of the same folder makes no revision", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const first = yield* importFiles(space, folder)
        const before = yield* revisionCount(space)
        const second = yield* importFiles(space, folder)
        assert.strictEqual(yield* revisionCount(space), before)
        assert.strictEqual(second.revision.id, first.revision.id)
        assert.deepStrictEqual(second.report.unchanged, first.report.added)
        assert.deepStrictEqual([second.report.added, second.report.changed, second.report.removed], [[], [], []])
      })
    )
  )

  it.effect("a changed file keeps the page, and its unchanged blocks their keys", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        const page = yield* pageAt(space, "start/install")
        const before = keysByText(yield* documentAt(space, "start/install"))
        const text = "# Install it\n\nFirst paragraph.\n\nIn between.\n\nSecond paragraph.\n"
        const { report } = yield* importFiles(space, { ...folder, "start/Install.md": text })
        assert.deepStrictEqual(report.changed, ["start/Install.md"])
        assert.strictEqual((yield* pageAt(space, "start/install")).id, page.id)
        const after = keysByText(yield* documentAt(space, "start/install"))
        assert.deepStrictEqual([...after.keys()], ["First paragraph.", "In between.", "Second paragraph."])
        for (const same of ["First paragraph.", "Second paragraph."])
          assert.strictEqual(after.get(same), before.get(same))
      })
    )
  )

  it.effect("what was edited in Lectern stays while its file stays the same", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        const page = yield* pageAt(space, "guides/first")
        const { document } = Markdown.parse("Written here.\n", { nextKey: () => "k" })
        yield* edit(space, (editor) =>
          Effect.andThen(
            editor.updatePage(page.id, { title: "Renamed here" }),
            editor.setDocument(page.id, fold(document))
          )
        )
        const { report } = yield* importFiles(space, { ...folder, "README.md": "# Home\n\nOther.\n" })
        assert.deepStrictEqual(report.changed, ["README.md"])
        assert.strictEqual((yield* pageAt(space, "guides/first")).title, "Renamed here")
        assert.strictEqual(yield* markdownAt(space, "guides/first"), "Written here.\n")
      })
    )
  )

  it.effect("pages whose file is gone go, and what was written below them in Lectern moves up", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        const start = yield* pageAt(space, "start")
        yield* edit(space, (editor) => editor.insertPage({ id: "own", title: "My own", parent: start.id }))
        const { "start/README.md": _, "start/Install.md": __, ...rest } = folder
        const { report } = yield* importFiles(space, {
          ...rest,
          "SUMMARY.md": "* [Home](README.md)\n* [First](guides/first.md)\n"
        })
        assert.deepStrictEqual(report.removed, ["start/Install.md", "start/README.md"])
        assert.deepStrictEqual(yield* outline(space), [
          "Home (readme)",
          "First (first)",
          "Guides (guides-1) group hidden",
          "  With space (guides-1/with-space) hidden",
          "My own (my-own)"
        ])
      })
    )
  )

  it.effect("titles, order and places follow the summary when it changes", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const pages = { "a.md": "a", "b.md": "b", "c.md": "c", "d/README.md": "d" }
        yield* importFiles(space, {
          ...pages,
          "SUMMARY.md": "* [A](a.md)\n* [B](b.md)\n  * [C](c.md)\n* [D](d/README.md)\n"
        })
        const ids = new Map((yield* (yield* reader(space)).allPages).map(({ id, git }) => [git!.path, id]))
        yield* importFiles(space, {
          ...pages,
          "SUMMARY.md": "* [C!](c.md)\n  * [B](b.md)\n* [D](d/README.md)\n* [A](a.md)\n"
        })
        assert.deepStrictEqual(yield* outline(space), ["C! (c)", "  B (c/b)", "D (d)", "A (a)"])
        for (const { id, git } of yield* (yield* reader(space)).allPages) assert.strictEqual(ids.get(git!.path), id)
      })
    )
  )

  it.effect("a page that the summary comes to name is hidden no longer, unless its file says so", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const pages = { "a.md": "a", "b.md": "b", "c.md": "---\nhidden: true\n---\n\nc" }
        yield* importFiles(space, { ...pages, "SUMMARY.md": "* [A](a.md)\n" })
        assert.deepStrictEqual(yield* outline(space), ["A (a)", "B (b) hidden", "C (c) hidden"])
        const { report } = yield* importFiles(space, {
          ...pages,
          "SUMMARY.md": "* [A](a.md)\n* [B](b.md)\n* [C](c.md)\n"
        })
        assert.deepStrictEqual(yield* outline(space), ["A (a)", "B (b)", "C (c) hidden"])
        assert.deepStrictEqual(report.changed, ["b.md"])
      })
    )
  )

  it.effect("a link that led nowhere leads to the page once its file is there", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, { "a.md": "[b](b.md) ![i](i.png)\n" })
        assert.strictEqual(yield* markdownAt(space, "a"), "[b](b.md) ![i](i.png)\n")
        yield* importFiles(space, { "a.md": "[b](b.md) ![i](i.png)\n", "b.md": "b\n", "i.png": png })
        const content = yield* reader(space)
        const b = yield* pageAt(space, "b")
        const [file] = yield* content.files
        assert.strictEqual(yield* markdownAt(space, "a"), `[b](/pages/${b.id}) ![i](/files/${file!.id})\n`)
      })
    )
  )

  it.effect("a plain tree: README first, then by name, folders by their README or as groups", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          "zebra.md": "---\ntitle: From front matter\n---\n\ntext\n",
          "index.md": "# Welcome\n",
          "guide/README.md": "# The guide\n",
          "guide/b-side.md": "text\n",
          "guide/a.md": "# A heading\n\ntext\n",
          "deep/er/page.md": "text\n",
          ".github/ignored.md": "text\n"
        })
        assert.deepStrictEqual(yield* outline(space), [
          "Welcome (index)",
          "Deep (deep) group",
          "  Er (deep/er)",
          "    Page (deep/er/page)",
          "The guide (guide)",
          "  A heading (guide/a)",
          "  B side (guide/b-side)",
          "From front matter (zebra)"
        ])
      })
    )
  )

  it.effect("the root of .gitbook.yaml is where absolute links start", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          ".gitbook.yaml": "root: ./docs\nstructure:\n  readme: Home.md\n  summary: toc.md\n",
          "docs/toc.md": "* [A](/sub/a.md)\n",
          "docs/Home.md": "# Hello\n\n[a](/sub/a.md)\n",
          "docs/sub/a.md": "[home](/HOME.md)\n",
          "outside.md": "not documentation\n"
        })
        const a = yield* pageAt(space, "a")
        const home = yield* pageAt(space, "home")
        assert.deepStrictEqual(yield* outline(space), ["Hello (Home)", "A (a)"])
        assert.strictEqual(yield* markdownAt(space, "home"), `[a](/pages/${a.id})\n`)
        assert.strictEqual(yield* markdownAt(space, "a"), `[home](/pages/${home.id})\n`)
      })
    )
  )

  it.effect("of two imports at once one wins, and the other changes nothing", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const exits = yield* Effect.all(
          [
            Effect.exit(importFiles(space, { "a.md": "one\n", "b.md": "b\n" })),
            Effect.exit(importFiles(space, { "a.md": "two\n", "b.md": "b\n" }))
          ],
          { concurrency: "unbounded" }
        )
        const [failed, ...others] = exits.filter(Exit.isFailure)
        assert.deepStrictEqual(others, [])
        const error = Cause.squash(failed!.cause)
        assert.strictEqual((error as { readonly _tag: string })._tag, "ContentOutdated")
        const winner = exits.findIndex(Exit.isSuccess)
        assert.strictEqual(yield* markdownAt(space, "a"), winner === 0 ? "one\n" : "two\n")
      })
    )
  )

  it.effect("a locked space takes no import", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* (yield* Spaces).update(space, { editMode: "locked" })
        const failure = yield* Effect.flip(importFiles(space, { "a.md": "a" }))
        assert.strictEqual(failure._tag, "SpaceLocked")
      })
    )
  )

  it.effect("hostile folders: paths, depth, bytes and sizes", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const deep = Array.from({ length: 40 }, (_, i) => `${"  ".repeat(i)}* [P${i}](p${i}.md)`).join("\n")
        const pages = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`p${i}.md`, `text ${i}\n`]))
        const { report } = yield* importFiles(space, {
          ...pages,
          "SUMMARY.md": deep,
          "../outside.md": "no",
          "a//b.md": "no",
          "component.mdx": "# <Component />",
          "node_modules/.hidden/x.mdx": "no page of this folder",
          "bad.md": new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x00, 0x0a]),
          "big.md": "x".repeat(Folder.maxMarkdownBytes + 1)
        })
        assert.strictEqual((yield* (yield* reader(space)).allPages).length, 42)
        for (const path of ["../outside.md", "a//b.md", "bad.md", "big.md", "p10.md", "component.mdx"]) {
          assert.isTrue(
            report.problems.some((problem) => problem.path === path),
            path
          )
        }
        assert.strictEqual(yield* reader(space).pipe(Effect.flatMap(({ pageCount }) => pageCount)), 42)
      })
    )
  )

  it.effect("too many pages are refused, and nothing is stored", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const before = yield* revisionOf(space)
        const many = Array.from({ length: 50_001 }, (_, i) => Folder.file(`p${i}.md`, ""))
        const failure = yield* Effect.flip((yield* FolderImports).importFolder(space, { files: many }))
        assert.strictEqual(failure._tag, "FolderTooLarge")
        assert.strictEqual((yield* revisionOf(space)).id, before.id)
      })
    )
  )

  it.effect("progress rises to its end", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const seen: Array<number> = []
        const files = Object.entries(folder).map(([path, bytes]) => Folder.file(path, bytes))
        yield* (yield* FolderImports).importFolder(
          space,
          { files },
          { onProgress: ({ done, total }) => Effect.sync(() => void seen.push(done / total)) }
        )
        assert.isAbove(seen.length, 5)
        assert.strictEqual(seen.at(-1), 1)
      })
    )
  )

  it.effect("takes a page again whose paragraphs changed places in groups", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const group = (name: string) => Array.from({ length: 140 }, (_, i) => `The ${name} paragraph ${i}.`)
        const middle = ["Between them.", "And between them."]
        yield* importFiles(space, { "README.md": [...group("one"), ...middle, ...group("other")].join("\n\n") })
        const before = keysByText(yield* documentAt(space, "readme"))
        const next = [...group("other").toReversed(), ...middle, ...group("one").toReversed()]
        yield* importFiles(space, { "README.md": next.join("\n\n") })
        const after = keysByText(yield* documentAt(space, "readme"))
        assert.deepStrictEqual([...after.keys()], next)
        assert.deepStrictEqual(after, new Map(next.map((text) => [text, before.get(text)!])))
      })
    )
  )
})
