/** A folder that is imported again: what did not change stays, as it was edited here. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import { assert, describe, it } from "@effect/vitest"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { plainText } from "@lectern/document/DocumentText"
import type { Document } from "@lectern/document/Document"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import { assertLaws } from "../export/Exports.ts"
import {
  documentAt,
  importFiles,
  markdownAt,
  newSpace,
  onInstance,
  outline,
  pageAt,
  reader,
  revisionCount
} from "./Imports.ts"
import { folder, png } from "./ImportedFolder.ts"

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

describe("FolderImport, again", () => {
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
            editor.setDocument(page.id, serialize(document))
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

  describe("a file that was renamed", () => {
    const text = (n: number) => `# Page ${n}\n\nThe first of ${n}.\n\nThe second of ${n}.\n\nThe third of ${n}.\n`
    const before = { "a.md": text(1), "b.md": text(2), "b/c.md": text(3) }
    const summary = "* [Page 1](a.md)\n* [Page 2](b.md)\n  * [Page 3](b/c.md)\n"
    const ids = Effect.fnUntraced(function* (space: SpaceId) {
      return new Map((yield* (yield* reader(space)).allPages).map(({ id, title }) => [title, id]))
    })

    const moved: ReadonlyArray<readonly [string, Record<string, string>, ReadonlyArray<string>]> = [
      [
        "is the page it was, under the name that it has now",
        {
          "uno.md": text(1),
          "manual/b.md": text(2),
          "manual/c.md": text(3),
          "SUMMARY.md": "* [Page 1](uno.md)\n* [Page 2](manual/b.md)\n  * [Page 3](manual/c.md)\n"
        },
        ["Page 1 (uno)", "Page 2 (b)", "  Page 3 (b/c)"]
      ],
      [
        "is so with a line that was edited meanwhile",
        {
          "uno.md": text(1).replace("The first of 1.", "The first one."),
          "b.md": text(2),
          "b/c.md": text(3),
          "SUMMARY.md": summary.replace("a.md", "uno.md")
        },
        ["Page 1 (uno)", "Page 2 (b)", "  Page 3 (b/c)"]
      ]
    ]
    it.effect.each(moved)("%s", ([, after, expected]) =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, { ...before, "SUMMARY.md": summary })
          const known = yield* ids(space)
          const { report } = yield* importFiles(space, after)
          assert.deepStrictEqual([report.added, report.removed], [[], []])
          assert.deepStrictEqual(yield* outline(space), expected)
          assert.deepStrictEqual(yield* ids(space), known)
          const count = yield* revisionCount(space)
          yield* importFiles(space, after)
          assert.strictEqual(yield* revisionCount(space), count)
        })
      )
    )

    it.effect("keeps a slug that was chosen here, and what was written", () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, { ...before, "SUMMARY.md": summary })
          const page = yield* pageAt(space, "a")
          const { document } = Markdown.parse("Written here.\n", { nextKey: () => "k" })
          yield* edit(space, (editor) =>
            Effect.andThen(
              editor.updatePage(page.id, { slug: "start" }),
              editor.setDocument(page.id, serialize(document))
            )
          )
          const { "a.md": a, ...rest } = before
          yield* importFiles(space, { ...rest, "uno.md": a, "SUMMARY.md": summary.replace("a.md", "uno.md") })
          assert.deepStrictEqual(yield* outline(space), ["Page 1 (start)", "Page 2 (b)", "  Page 3 (b/c)"])
          assert.strictEqual(yield* markdownAt(space, "start"), "Written here.\n")
        })
      )
    )

    it.effect("is told from one that says something else under the same name", () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, { ...before, "SUMMARY.md": summary })
          const known = yield* ids(space)
          const { report } = yield* importFiles(space, {
            "a.md": before["a.md"],
            "other/b.md": "# Page 2\n\nNothing alike.\n",
            "b/c.md": before["b/c.md"],
            "SUMMARY.md": summary.replace("b.md", "other/b.md")
          })
          assert.deepStrictEqual([report.added, report.removed], [["other/b.md"], ["b.md"]])
          assert.deepStrictEqual(yield* outline(space), ["Page 1 (a)", "Page 2 (b)", "  Page 3 (b/c)"])
          assert.notStrictEqual((yield* ids(space)).get("Page 2"), known.get("Page 2"))
        })
      )
    )
  })

  it.effect("a picture and reusable content whose files were renamed stay what they are, and what refers to them", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const note = "---\ntitle: Note\n---\n\nReused.\n"
        const page = (image: string, include: string) =>
          `# A\n\n![](img/${image})\n\n{% include ".gitbook/includes/${include}" %}\n`
        const other = Uint8Array.from([...png, 7])
        yield* importFiles(space, {
          "a.md": page("one.png", "note.md"),
          "img/one.png": png,
          "img/two.png": png,
          "img/three.png": other,
          "b.md": "# B\n\n![](img/two.png) ![](img/three.png)\n",
          ".gitbook/includes/note.md": note
        })
        const known = Effect.gen(function* () {
          const content = yield* reader(space)
          const all = [...(yield* content.files), ...(yield* content.reusableContents)]
          return new Map(all.map(({ git, id }) => [git!.path, id]))
        })
        const before = yield* known
        const { document } = yield* pageAt(space, "a")
        const { report } = yield* importFiles(space, {
          "a.md": page("new.png", "notice.md"),
          "img/new.png": png,
          "pictures/two.png": png,
          "pictures/other.png": Uint8Array.from([...png, 8]),
          "b.md": "# B\n\n![](pictures/two.png) ![](pictures/other.png)\n",
          ".gitbook/includes/notice.md": note
        })
        const after = yield* known
        assert.strictEqual(after.get("img/new.png"), before.get("img/one.png"))
        assert.strictEqual(after.get("pictures/two.png"), before.get("img/two.png"))
        assert.notStrictEqual(after.get("pictures/other.png"), before.get("img/three.png"))
        assert.strictEqual(after.get(".gitbook/includes/notice.md"), before.get(".gitbook/includes/note.md"))
        assert.lengthOf([...after.keys()], 4)
        assert.deepStrictEqual([report.added, report.removed], [["pictures/other.png"], ["img/three.png"]])
        assert.strictEqual((yield* pageAt(space, "a")).document, document)
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

  it.effect("a group and the page of its name become one page, and paths below it stay", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const files = { "b.md": "# The B\n", "b/a.md": "# A\n", "c/a.md": "# A\n" }
        const summary = '## B <a id="b"></a>\n\n* [A](b/a.md)\n\n***\n\n* [The B](b.md)\n* [C](c/a.md)\n'
        yield* importFiles(space, { ...files, "SUMMARY.md": summary })
        assert.deepStrictEqual(yield* outline(space), ["B (b) group", "  A (b/a)", "The B (b-1)", "A (a)"])
        const [a, b] = yield* Effect.all([pageAt(space, "b/a"), pageAt(space, "b-1")])
        const { report } = yield* importFiles(space, files)
        assert.deepStrictEqual([report.added, report.removed], [[], []])
        const one = ["The B (b)", "  A (b/a)"]
        assert.deepStrictEqual((yield* outline(space)).slice(0, 2), one)
        assert.strictEqual((yield* pageAt(space, "b/a")).id, a.id)
        assert.strictEqual((yield* pageAt(space, "b")).id, b.id)

        yield* edit(space, (editor) => editor.insertPage({ id: "own", title: "My own", parent: b.id }))
        const exported = yield* assertLaws(space)
        assert.includeMembers(Object.keys(exported.files), ["b.md", "b/a.md", "b/my-own.md"])
        const { "b.md": _, ...others } = files
        yield* importFiles(space, others)
        assert.includeMembers(yield* outline(space), ["B (b) group", "  A (b/a)"])
        yield* importFiles(space, files)
        assert.includeMembers(yield* outline(space), one)
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
