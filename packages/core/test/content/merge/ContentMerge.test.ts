import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { describe } from "vitest"
import * as Content from "@lectern/core/content/Content"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import type { ContentEditor } from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { Objects } from "@lectern/core/content/store/Objects"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { document, documentOf, paragraph, tree } from "../Documents.ts"
import { layer } from "../store/MemoryObjects.ts"
import { type Case, checkEach, edited, file, start } from "./Merges.ts"

const unchanged = [["A", "A one"], "B", "C"]

/** Pages of which each stands below the one before. */
const chain = Effect.fnUntraced(function* (editor: ContentEditor, name: string, length: number, parent: string | null) {
  for (let i = 0; i < length; i++) {
    yield* editor.insertPage({ id: `${name}${i}`, title: name, parent: i === 0 ? parent : `${name}${i - 1}` })
  }
})

const depthOf = (nodes: ReadonlyArray<PageTree.PageNode>): number =>
  Math.max(...nodes.map(({ pages }) => (pages.length === 0 ? 0 : 1 + depthOf(pages))))

const isNoDeeper = (content: ContentReader.ContentReader) =>
  Effect.map(PageTree.tree(content), (nodes) => assert.isAtMost(depthOf(nodes), PageTree.maxDepth))

const cases: ReadonlyArray<Case> = [
  {
    name: "different pages",
    main: (editor) => editor.updatePage("a", { title: "Main's A" }),
    ours: (editor) => editor.updatePage("b", { title: "Our B" }),
    tree: [["Main's A", "A one"], "Our B", "C"]
  },
  {
    name: "different fields of a page",
    main: (editor) => editor.updatePage("b", { title: "Main's B", emoji: "🎈" }),
    ours: (editor) => editor.movePage("b", { parent: "c" }),
    tree: [
      ["A", "A one"],
      ["C", "Main's B"]
    ],
    check: (content) => Effect.map(content.page("b"), (page) => assert.strictEqual(page!.emoji, "🎈"))
  },
  {
    name: "the same field in the same way",
    main: (editor) => editor.updatePage("b", { title: "New" }),
    ours: (editor) => editor.updatePage("b", { title: "New" }),
    tree: [["A", "A one"], "New", "C"]
  },
  {
    name: "the same field in different ways",
    main: (editor) => editor.updatePage("b", { title: "Main's B" }),
    ours: (editor) => editor.updatePage("b", { title: "Our B" }),
    conflicts: ["b title"],
    tree: [["A", "A one"], "Our B", "C"],
    settledForMain: [["A", "A one"], "Main's B", "C"]
  },
  {
    name: "different blocks of a document",
    main: (editor) =>
      editor.replaceDocument("a", document(paragraph("p1", "first words of main"), paragraph("p2", "second"))),
    ours: (editor) =>
      editor.replaceDocument("a", document(paragraph("p1", "first words here"), paragraph("p2", "our second"))),
    check: (content) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* documentOf(content, (yield* content.page("a"))!.document),
          tree(paragraph("p1", "first words of main"), paragraph("p2", "our second"))
        )
      })
  },
  {
    name: "the same block of a document",
    main: (editor) => editor.replaceDocument("a", document(paragraph("p1", "main"), paragraph("p2", "second"))),
    ours: (editor) => editor.replaceDocument("a", document(paragraph("p1", "ours"), paragraph("p2", "second"))),
    conflicts: ["a p1"]
  },
  {
    name: "a page that both moved to different places",
    main: (editor) => editor.movePage("b", { parent: "a", at: 0 }),
    ours: (editor) => editor.movePage("b", { parent: "c" }),
    conflicts: ["b place"],
    tree: [
      ["A", "A one"],
      ["C", "B"]
    ],
    settledForMain: [["A", "B", "A one"], "C"]
  },
  {
    name: "a cycle made by two moves",
    main: (editor) => editor.movePage("b", { parent: "c" }),
    ours: (editor) => editor.movePage("c", { parent: "b" }),
    conflicts: ["c place"],
    tree: [
      ["A", "A one"],
      ["C", "B"]
    ],
    settledForMain: [
      ["A", "A one"],
      ["C", "B"]
    ]
  },
  {
    name: "a cycle that is there when a move is taken back, through a page that nobody touched",
    main: (editor) =>
      Effect.gen(function* () {
        yield* editor.movePage("c", { parent: "b" })
        yield* editor.movePage("b", { parent: "a1" })
      }),
    ours: (editor) =>
      Effect.gen(function* () {
        yield* editor.movePage("b", { parent: "c" })
        yield* editor.movePage("a", { parent: "b" })
      }),
    conflicts: ["b place", "a place"],
    tree: [["A", ["A one", ["B", "C"]]]],
    settledForMain: [["A", ["A one", ["B", "C"]]]]
  },
  {
    name: "a move that is taken back to below a page that ours deleted",
    main: (editor) => editor.movePage("b", { parent: "a1" }),
    ours: (editor) =>
      Effect.gen(function* () {
        yield* editor.movePage("a1", { parent: "b" })
        yield* editor.removePage("a")
      }),
    conflicts: ["a1 place"],
    tree: [["A one", "B"], "C"],
    settledForMain: [["A one", "B"], "C"]
  },
  {
    name: "moves that nest pages too deep together",
    main: (editor) =>
      Effect.gen(function* () {
        let parent = "b"
        for (let i = 0; i < 9; i++) {
          yield* editor.insertPage({ id: `m${i}`, title: "M", parent })
          parent = `m${i}`
        }
      }),
    ours: (editor) =>
      Effect.gen(function* () {
        yield* editor.movePage("b", { parent: "a1" })
      }),
    conflicts: ["b place"]
  },
  {
    name: "pages added below one that main moves too far down for them: its move waits",
    main: (editor) =>
      Effect.gen(function* () {
        yield* chain(editor, "m", 8, null)
        yield* editor.movePage("b", { parent: "m7" })
      }),
    ours: (editor) => chain(editor, "o", 9, "b"),
    conflicts: ["b place"],
    check: isNoDeeper
  },
  {
    name: "a page that takes untouched ones along, below one that main moved",
    main: (editor) =>
      Effect.gen(function* () {
        yield* chain(editor, "m", 9, null)
        yield* editor.movePage("c", { parent: "m8" })
      }),
    ours: (editor) => editor.movePage("a", { parent: "c" }),
    conflicts: ["a place"],
    check: isNoDeeper
  },
  {
    name: "pages added below one that is too far down wherever it stands: the rest of them goes to the top",
    main: (editor) =>
      Effect.gen(function* () {
        yield* chain(editor, "m", 8, null)
        yield* editor.movePage("c", { parent: "m7" })
        yield* editor.movePage("b", { parent: "m7" })
      }),
    ours: (editor) =>
      Effect.gen(function* () {
        yield* editor.movePage("b", { parent: "c" })
        yield* chain(editor, "o", 8, "b")
      }),
    conflicts: ["b place"],
    check: (content) =>
      Effect.gen(function* () {
        yield* isNoDeeper(content)
        assert.deepStrictEqual(
          (yield* PageTree.children(content, null)).map(({ id }) => id).filter((id) => id.startsWith("o")),
          ["o2"]
        )
      })
  },
  {
    name: "a page added under one that main deleted",
    main: (editor) => editor.removePage("b"),
    ours: (editor) => editor.insertPage({ id: "n", title: "New", parent: "b" }),
    conflicts: ["b page"],
    tree: [["A", "A one"], ["B", "New"], "C"],
    settledForMain: [["A", "A one"], "C"]
  },
  {
    name: "a page that main added under one that ours deleted",
    main: (editor) => editor.insertPage({ id: "n", title: "New", parent: "a1" }),
    ours: (editor) => editor.removePage("a"),
    conflicts: ["a1 page", "a page"],
    tree: [["A", ["A one", "New"]], "B", "C"],
    settledForMain: [["A", ["A one", "New"]], "B", "C"]
  },
  {
    name: "a page deleted by main and edited by ours",
    main: (editor) => editor.removePage("b"),
    ours: (editor) => editor.updatePage("b", { description: "Ours" }),
    conflicts: ["b page"],
    tree: unchanged,
    settledForMain: [["A", "A one"], "C"]
  },
  {
    name: "a page edited by main and deleted by ours",
    main: (editor) => editor.updatePage("b", { title: "Main's B" }),
    ours: (editor) => editor.removePage("b"),
    conflicts: ["b page"],
    tree: [["A", "A one"], "Main's B", "C"],
    settledForMain: [["A", "A one"], "Main's B", "C"]
  },
  {
    name: "a page that both deleted",
    main: (editor) => editor.removePage("a"),
    ours: (editor) => editor.removePage("a"),
    tree: ["B", "C"]
  },
  {
    name: "two new pages with the same slug at the same place: main's first, ours with a suffix",
    main: (editor) => editor.insertPage({ id: "m", title: "News", at: 1 }),
    ours: (editor) => editor.insertPage({ id: "i", title: "News", at: 1, emoji: "🎈" }),
    tree: [["A", "A one"], "News", "News", "B", "C"],
    check: (content) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          (yield* PageTree.children(content, null)).map(({ id, slug }) => `${id} ${slug}`),
          ["a a", "m news", "i news-1", "b b", "c c"]
        )
      })
  },
  {
    name: "siblings that swap their slugs while main adds a page",
    main: (editor) => editor.insertPage({ id: "m", title: "M" }),
    ours: (editor) =>
      Effect.gen(function* () {
        yield* editor.updatePage("b", { slug: "tmp" })
        yield* editor.updatePage("c", { slug: "b" })
        yield* editor.updatePage("b", { slug: "c" })
      }),
    check: (content) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* PageTree.byPath(content, "c"))?.id, "b")
        assert.strictEqual((yield* PageTree.byPath(content, "b"))?.id, "c")
      })
  },
  {
    name: "files, reusable content and variables",
    main: (editor) =>
      Effect.all([
        editor.putFile(file("f", "f.txt", "main")),
        editor.putReusableContent({ id: "r", title: "Main's R" }),
        editor.setVariable("v", "main"),
        editor.setVariable("m", "main")
      ]),
    ours: (editor) =>
      Effect.all([
        editor.putFile(file("f", "renamed.txt", "one")),
        editor.removeReusableContent("r"),
        editor.setVariable("v", "ours"),
        editor.setVariable("o", "ours")
      ]),
    conflicts: ["r reusableContent", "v "],
    check: (content) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* content.file("f"), file("f", "renamed.txt", "main"))
        assert.deepStrictEqual(yield* content.reusableContent("r"), { id: "r", title: "Main's R" })
        assert.deepStrictEqual(yield* content.variables, { v: "ours", m: "main", o: "ours" })
      })
  }
]

describe("ContentMerge", () => {
  checkEach(cases)

  it.effect("keeps both versions of a block, main's first, and of nothing else", () =>
    Effect.gen(function* () {
      const draft = (yield* Objects).draft()
      const base = yield* edited(draft, Content.empty, start)
      const side = (text: string) =>
        edited(draft, base, (editor) =>
          Effect.gen(function* () {
            yield* editor.replaceDocument("a", document(paragraph("p1", text), paragraph("p2", "second")))
            yield* editor.updatePage("a", { title: text })
          })
        )
      const merged = yield* ContentMerge.merge(draft, { base, main: yield* side("main"), ours: yield* side("ours") })
      const title = merged.conflicts.find(({ field }) => field === "title")!
      const block = merged.conflicts.find((conflict) => conflict.block === "p1")!
      const refused = yield* Effect.result(ContentMerge.resolve(draft, merged.content, title, "both", () => "new"))
      assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "ConflictRefused")
      const settled = yield* ContentMerge.resolve(draft, merged.content, block, "both", () => "new")
      const content = ContentReader.make(draft, settled)
      const text = JSON.stringify(yield* documentOf(content, (yield* content.page("a"))!.document))
      assert.isTrue(text.indexOf('"main"') > 0 && text.indexOf('"main"') < text.indexOf('"ours"'))
      assert.strictEqual((yield* content.page("a"))!.title, "ours")
    }).pipe(Effect.provide(layer()))
  )

  it.effect("is settled by a change of that page and field", () =>
    Effect.gen(function* () {
      const draft = (yield* Objects).draft()
      const base = yield* edited(draft, Content.empty, start)
      const side = (name: string) =>
        edited(draft, base, (editor) =>
          Effect.gen(function* () {
            yield* editor.updatePage("a", { title: name, emoji: name })
            yield* editor.updatePage("b", { title: name })
            yield* editor.setVariable("v", name)
          })
        )
      const { conflicts } = yield* ContentMerge.merge(draft, { base, main: yield* side("m"), ours: yield* side("o") })
      const settled = (...changes: ReadonlyArray<ContentChange>) =>
        ContentMerge.resolvedBy(conflicts, changes).map(({ page, variable, field }) => `${page ?? variable} ${field}`)
      assert.lengthOf(conflicts, 4)
      assert.deepStrictEqual(settled({ operation: "update_page", page: "a", title: "x" }), ["a title"])
      assert.deepStrictEqual(settled({ operation: "update_page", page: "c", title: "x" }), [])
      const deleted = yield* edited(draft, base, (editor) => editor.removePage("a"))
      const left = yield* ContentMerge.openConflicts(draft, deleted, conflicts)
      assert.deepStrictEqual(
        left.map(({ page, variable }) => page ?? variable),
        ["b", "v"]
      )
      assert.deepStrictEqual(settled({ operation: "set_variables", variables: { v: null } }), ["v undefined"])
    }).pipe(Effect.provide(layer()))
  )
})
