import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { describe } from "vitest"
import * as Content from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { Objects } from "@lectern/core/content/store/Objects"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { document, paragraph } from "../Documents.ts"
import { emptyStore, layer } from "../store/MemoryObjects.ts"

const now = Timestamps.at(0)
const later = Timestamps.at(1000)

const edit = Effect.gen(function* () {
  return ContentEditor.make((yield* Objects).draft(), Content.empty, now)
})

const titles = (nodes: ReadonlyArray<PageTree.PageNode>): ReadonlyArray<unknown> =>
  nodes.map(({ page, pages }) => (pages.length === 0 ? page.title : [page.title, ...titles(pages)]))

describe("ContentEditor", () => {
  it.effect("places pages in order, and says the same before and after it has finished", () =>
    Effect.gen(function* () {
      const draft = (yield* Objects).draft()
      const editor = ContentEditor.make(draft, Content.empty, now)
      yield* editor.insertPage({ id: "a", title: "A" })
      yield* editor.insertPage({ id: "c", title: "C" })
      yield* editor.insertPage({ id: "b", title: "B", at: 1 })
      yield* editor.insertPage({ id: "g", title: "Group", type: "group", at: 0 })
      yield* editor.insertPage({ id: "x", title: "X", parent: "g" })
      yield* editor.insertPage({ id: "y", title: "Y", parent: "g", at: 99 })
      const expected = [["Group", "X", "Y"], "A", "B", "C"]
      assert.deepStrictEqual(titles(yield* PageTree.tree(editor)), expected)
      const content = ContentReader.make(draft, yield* editor.finish)
      assert.deepStrictEqual(titles(yield* PageTree.tree(content)), expected)
      for (const reader of [editor, content]) {
        assert.strictEqual((yield* PageTree.byPath(reader, "/GROUP/y"))?.id, "y")
        assert.isUndefined(yield* PageTree.byPath(reader, "group/nothing"))
        assert.isUndefined(yield* PageTree.byPath(reader, ""))
        assert.strictEqual(yield* PageTree.path(reader, (yield* reader.page("y"))!), "group/y")
        assert.strictEqual(yield* reader.pageCount, 6)
        assert.isTrue(yield* PageTree.isWithin(reader, "x", "g"))
        assert.isFalse(yield* PageTree.isWithin(reader, "g", "x"))
        assert.deepStrictEqual(
          (yield* PageTree.children(reader, "g")).map(({ id }) => id as string),
          ["x", "y"]
        )
        assert.deepStrictEqual(
          (yield* PageTree.ancestors(reader, (yield* reader.page("x"))!)).map(({ id }) => id as string),
          ["g"]
        )
        const pages = yield* reader.pages(["x", "none", "a", "y"])
        assert.deepStrictEqual(
          (yield* PageTree.ancestorsOfEach(reader, pages)).map((above) => above.map(({ id }) => id as string)),
          [["g"], [], [], ["g"]]
        )
      }
    }).pipe(Effect.provide(layer()))
  )

  it.effect("derives slugs that siblings don't share, and refuses a given one that is taken", () =>
    Effect.gen(function* () {
      const editor = yield* edit
      const slug = (id: string, title: string) => Effect.map(editor.insertPage({ id, title }), (page) => page.slug)
      assert.strictEqual(yield* slug("1", "Über uns, kurz & gut!"), "ueber-uns-kurz-and-gut")
      assert.strictEqual(yield* slug("2", "über UNS, KURZ and gut"), "ueber-uns-kurz-and-gut-1")
      assert.strictEqual(yield* slug("3", "Ueber uns kurz & gut"), "ueber-uns-kurz-and-gut-2")
      assert.strictEqual(yield* slug("4", "订阅计划 v1.2"), "ding-yue-ji-hua-v1.2")
      assert.strictEqual(yield* slug("5", "🎉 ..."), "page")
      assert.strictEqual(yield* slug("6", "?"), "page-1")
      assert.isAtMost((yield* slug("7", "long ".repeat(50))).length, 100)
      const taken = yield* Effect.result(editor.insertPage({ id: "8", title: "Other", slug: "PAGE" }))
      assert.isTrue(Result.isFailure(taken) && taken.failure._tag === "SlugTaken" && taken.failure.page === "5")
      const suffixed = yield* editor.insertPage({ id: "9", title: "Other", slug: "page", onConflict: "suffix" })
      assert.strictEqual(suffixed.slug, "page-2")
      // A link answers to no path, so it takes no slug from others.
      yield* editor.insertPage({ id: "10", title: "Link", type: "link", target: { kind: "url", url: "https://a.b" } })
      assert.strictEqual(yield* slug("11", "Link"), "link")
      const rename = yield* Effect.result(editor.updatePage("11", { slug: "page" }))
      assert.isTrue(Result.isFailure(rename) && rename.failure._tag === "SlugTaken")
      yield* editor.updatePage("11", { slug: "moved" })
      assert.strictEqual(yield* slug("12", "Link"), "link")
    }).pipe(Effect.provide(layer()))
  )

  it.effect("leaves a page untouched where nothing changes", () =>
    Effect.gen(function* () {
      const draft = (yield* Objects).draft()
      const first = ContentEditor.make(draft, Content.empty, now)
      const text = document(paragraph("k1", "One"), paragraph("k2", "Two"))
      yield* first.insertPage({ id: "a", title: "A", emoji: "🎈", document: text })
      yield* first.insertPage({ id: "b", title: "B" })
      const content = yield* first.finish
      const second = ContentEditor.make(draft, content, later)
      yield* second.updatePage("a", { title: "A", emoji: "🎈", icon: undefined, slug: "a" })
      yield* second.setDocument("a", document(paragraph("n1", "One"), paragraph("n2", "Two")))
      yield* second.movePage("b", { parent: null, at: 1 })
      yield* second.movePage("b", { at: 7 })
      assert.deepStrictEqual(yield* second.finish, content)
      yield* second.updatePage("a", { emoji: undefined })
      const changed = yield* second.page("a")
      assert.isFalse("emoji" in changed!)
      assert.strictEqual(changed!.updatedAt, later)
      assert.strictEqual((yield* second.page("b"))!.updatedAt, now)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("moves a page, but never below itself nor too deep", () =>
    Effect.gen(function* () {
      const editor = yield* edit
      let parent: string | null = null
      for (let depth = 0; depth <= PageTree.maxDepth; depth++) {
        yield* editor.insertPage({ id: `d${depth}`, title: "Deep", parent })
        parent = `d${depth}`
      }
      const tooDeep = yield* Effect.result(editor.insertPage({ id: "no", title: "No", parent }))
      assert.isTrue(Result.isFailure(tooDeep) && tooDeep.failure._tag === "ContentLimitReached")
      const cycle = yield* Effect.result(editor.movePage("d2", { parent: "d5" }))
      assert.isTrue(Result.isFailure(cycle) && cycle.failure._tag === "PageCycle")
      const self = yield* Effect.result(editor.movePage("d2", { parent: "d2" }))
      assert.isTrue(Result.isFailure(self) && self.failure._tag === "PageCycle")
      yield* editor.insertPage({ id: "top", title: "Top" })
      yield* editor.insertPage({ id: "below", title: "Below", parent: "top" })
      const deep = yield* Effect.result(editor.movePage("top", { parent: `d${PageTree.maxDepth - 1}` }))
      assert.isTrue(Result.isFailure(deep) && deep.failure._tag === "ContentLimitReached")
      yield* editor.movePage("top", { parent: `d${PageTree.maxDepth - 2}`, at: 0 })
      yield* editor.movePage("d1", { parent: null, at: 0, slug: "first" })
      assert.strictEqual((yield* PageTree.byPath(editor, "first"))?.id, "d1")
      const removed: ReadonlyArray<string> = yield* editor.removePage("d1")
      assert.sameMembers(Array.from(removed), ["top", "below", ...Array.from({ length: 10 }, (_, i) => `d${i + 1}`)])
      assert.deepStrictEqual(titles(yield* PageTree.tree(editor)), ["Deep"])
      assert.strictEqual(yield* editor.pageCount, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("finds room between siblings that have none", () =>
    Effect.gen(function* () {
      const editor = yield* edit
      yield* editor.insertPage({ id: "a", title: "A" })
      yield* editor.insertPage({ id: "z", title: "Z" })
      // Always between the same two: a fractional index grows with each.
      for (let i = 0; i < 1000; i++) yield* editor.insertPage({ id: `m${i}`, title: "M", at: 1 + (i % 2) * i })
      const children = yield* editor.children(null)
      assert.lengthOf(children, 1002)
      assert.strictEqual(children[0]!.id, "a")
      assert.strictEqual(children.at(-1)!.id, "z")
      assert.isTrue(children.every(({ position }) => position.length <= 64))
      const positions = children.map(({ position }) => position)
      assert.deepStrictEqual(positions, Array.from(new Set(positions)).sort())
    }).pipe(Effect.provide(layer()))
  )

  it.effect("an edit writes a few objects, however many pages there are", () =>
    Effect.gen(function* () {
      const objects = yield* Objects
      for (const count of [10, 2_000]) {
        const draft = objects.draft()
        const editor = ContentEditor.make(draft, Content.empty, now)
        for (let i = 0; i < count; i++) {
          yield* editor.insertPage({
            id: `p${i}`,
            title: `Page ${i}`,
            parent: i % 20 === 0 ? null : `p${i - (i % 20)}`
          })
        }
        const content = yield* editor.finish
        yield* draft.flush
        const second = objects.draft()
        const again = ContentEditor.make(second, content, later)
        yield* again.updatePage("p5", { title: "Changed" })
        yield* again.finish
        assert.isAtMost(second.staged().length, 4)
      }
    }).pipe(Effect.provide(layer(emptyStore())))
  )
})
