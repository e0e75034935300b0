/** Trees of pages: whole where they are small, and else as far as a reader needs them. */
import { assert, describe, it } from "@effect/vitest"
import type * as Resources from "@lectern/core/content/ContentResources"
import type { NavEntry } from "../src/page/SitePage.ts"
import * as Tree from "../src/reading/Tree.ts"

const page = (id: string, pages: ReadonlyArray<unknown> = [], type = "document") => ({
  object: "page",
  type,
  id,
  title: id,
  path: id,
  slug: id,
  pages
})

const treeOf = (branches: number, below: number) =>
  ({
    pages: [
      page("home"),
      page("group", [page("inside", [page("deep")])], "group"),
      ...Array.from({ length: branches }, (_, i) =>
        page(
          `b${i}`,
          Array.from({ length: below }, (_, k) => page(`b${i}-${k}`, [page(`b${i}-${k}-x`)]))
        )
      )
    ]
  }) as unknown as Resources.Pages

const shownOn = (tree: Resources.Pages, id: string) => {
  const way = Tree.pathTo(tree, id).map((one) => one.id)
  const ids = (all: ReadonlyArray<NavEntry>): ReadonlyArray<string> =>
    all.flatMap((one) => [one.id, ...ids(one.children)])
  return ids(Tree.entries({ base: "/", tree }, way))
}

describe("Trees of pages", () => {
  it("are whole up to 600 entries", () => {
    assert.lengthOf(shownOn(treeOf(5, 50), "home"), 4 + 5 * 101)
  })

  it("have the same closed entries on all pages, and others on the way to the page", () => {
    const tree = treeOf(5, 50)
    const entriesOn = (id: string) =>
      Tree.entries(
        { base: "/", tree },
        Tree.pathTo(tree, id).map((one) => one.id)
      )
    const [first, second] = [entriesOn("b1-3"), entriesOn("b2-3")]
    const same = first.flatMap((entry, i) => (entry === second[i] ? [entry.id] : []))
    assert.deepStrictEqual(same, ["home", "group", "b0", "b3", "b4"])
    const [before, after] = [entriesOn("b1"), entriesOn("home")].map((all) => all.find(({ id }) => id === "b1"))
    assert.isTrue(before?.isCurrent)
    assert.isFalse(after?.isOpen)
  })

  it("call pages, groups and links as they are called in navigation", () => {
    const pages = ["document", "group", "link"].map((type) => ({ ...page(type, [], type), linkTitle: `A ${type}` }))
    const tree = { pages } as unknown as Resources.Pages
    assert.deepStrictEqual(
      Tree.entries({ base: "/", tree }, []).map(({ title }) => title),
      ["A document", "A group", "A link"]
    )
  })

  it("tell operations of an API by their methods", () => {
    const ofSpec = (id: string, props: object) => ({ ...page(id), computed: { type: "builtin:openapi", props } })
    const pages = [
      ofSpec("pets", { doc: "tag", page: "pets" }),
      ofSpec("list", { doc: "operation", page: "/pets", method: "get" }),
      page("plain")
    ]
    const entries = Tree.entries({ base: "/", tree: { pages } as unknown as Resources.Pages }, [])
    assert.deepStrictEqual(
      entries.map(({ method }) => method),
      [undefined, "get", undefined]
    )
  })

  it("are found their way in, page by page", () => {
    const tree = treeOf(2, 1)
    assert.deepStrictEqual(
      Tree.pathTo(tree, "b0-0-x").map(({ id }) => id),
      ["b0", "b0-0", "b0-0-x"]
    )
    assert.isEmpty(Tree.pathTo(tree, "nowhere"))
    assert.strictEqual(Tree.find(tree, "deep")?.id, "deep")
    const order = ["home", "inside", "deep", "b0", "b0-0", "b0-0-x", "b1", "b1-0", "b1-0-x"]
    for (const [i, id] of order.entries()) {
      const { previous, next } = Tree.neighborsOf(tree, id)
      assert.deepStrictEqual([previous?.id, next?.id], [order[i - 1], order[i + 1]], id)
    }
    assert.deepStrictEqual(Tree.neighborsOf(tree, "group"), {})
  })

  it("show of more what is at the top, in groups, and on the way to the page", () => {
    const tree = treeOf(30, 50)
    const top = Array.from({ length: 30 }, (_, i) => `b${i}`)
    assert.deepStrictEqual(shownOn(tree, "home"), ["home", "group", "inside", ...top])
    const seen = shownOn(tree, "b1-7")
    assert.lengthOf(seen, 3 + 30 + 50 + 1)
    assert.includeMembers([...seen], ["b1-6", "b1-7", "b1-7-x", "b29"])
    assert.notInclude(seen, "b1-6-x")
    assert.notInclude(seen, "b2-1")
  })

  it("show of a level that is too large what is around the page, and the way on", () => {
    const flat = { pages: Array.from({ length: 10_000 }, (_, i) => page(`p${i}`)) } as unknown as Resources.Pages
    const first = shownOn(flat, "p0")
    assert.deepStrictEqual([first.length, first[0], first.at(-1)], [201, "p0", "p200…"])
    const middle = shownOn(flat, "p5000")
    assert.deepStrictEqual([middle.length, middle[0], middle.at(-1)], [202, "p4899…", "p5100…"])
    assert.include(middle, "p5000")
    const last = shownOn(flat, "p9999")
    assert.deepStrictEqual([last.length, last[0], last.at(-1)], [201, "p9799…", "p9999"])
    const { entries } = Tree
    const way = entries({ base: "/", tree: flat }, ["p5000"]).at(-1)
    assert.deepStrictEqual([way?.title, way?.url], ["… p5100", "/p5100"])
    const grouped = {
      pages: [
        page("home"),
        page(
          "g",
          Array.from({ length: 900 }, (_, i) => page(`p${i}`)),
          "group"
        )
      ]
    } as unknown as Resources.Pages
    assert.lengthOf(shownOn(grouped, "home"), 2 + 50 + 1)
    assert.lengthOf(shownOn(grouped, "p500"), 2 + 200 + 2)
  })

  it("show emoji that are written as their codes, and others as they are", () => {
    for (const [written, shown] of [
      ["1f680", "🚀"],
      ["1F1EB-1f1f7", "🇫🇷"],
      ["📗", "📗"],
      ["rocket", "rocket"]
    ] as const) {
      const one = { ...page("x"), emoji: written } as unknown as Resources.Pages["pages"][number]
      assert.strictEqual(Tree.emojiOf(one).emoji, shown)
    }
  })
})
