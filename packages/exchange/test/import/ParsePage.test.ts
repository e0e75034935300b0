/** Pages of imports: large ones are read in threads, the same as in place, and none stands in the way. */
import { assert, describe, it } from "@effect/vitest"
import type { ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as PageSource from "@lectern/exchange/import/PageSource"
import * as ParsePage from "@lectern/exchange/import/ParsePage"
import { parseDocument } from "@lectern/core/content/documents/StoredDocument"
import { keysFrom } from "@lectern/core/identity/Ids"
import { find } from "@lectern/core/thread/Computations"
import { exchangeComputations } from "@lectern/exchange/ExchangeComputations"
import { type Task, Threads, tooCostly } from "@lectern/core/thread/Threads"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect, Layer } from "effect"
import { documentAt, importFiles, markdownAt, newSpace, onInstance, pageAt, refusing } from "./Imports.ts"

const words = "A paragraph with *marks* and words enough to be long.\n\n".repeat(1500)
const linked = `[page](b.md#x) ![image](c.png "title") [gone](gone.md) [web](https://a.b) [ref][r] [same](b.md)

{% include "../.gitbook/includes/note.md" %}

{% content-ref url="b.md" %}
[b.md](b.md)
{% endcontent-ref %}

[r]: b.md
`
const said =
  '---\nicon: star\ncover: c.png\nother: 1\nlectern: {"urls":["https://a.b"],"slug":"own"}\n---\n\n# Title\n\n'

const known: ReadonlyMap<string, ContentRef> = new Map<string, ContentRef>([
  ["b.md", { kind: "page", page: "b" }],
  ["b.md#x", { kind: "anchor", page: "b", anchor: "x" }],
  ["c.png", { kind: "file", file: "c" }],
  ["https://a.b", { kind: "page", page: "never" }],
  ["../.gitbook/includes/note.md", { kind: "reusable-content", reusableContent: "note" }]
])

/** Does what threads do: all that goes there and back is cloned. */
const cloning = () => {
  const begun: Array<string> = []
  const threads = Threads.ofPool({
    count: 2,
    run: ({ name, input, shared }: Task) =>
      Effect.gen(function* () {
        begun.push(name)
        const run = yield* (yield* Effect.promise(() => find(exchangeComputations, name))).run
        return structuredClone(run(structuredClone(input), structuredClone(shared)))
      })
  })
  return { threads, begun }
}

describe("ParsePage", () => {
  const file = { path: "docs/a.md", title: undefined, hidden: false }

  it("reads the variables of a page, and leaves an emoji alone that is none", () => {
    const { metadata } = PageSource.read("---\nvars:\n  a: b\nemoji: none\nowners: [c]\n---\n\n# Title\n", {
      ...file,
      nextKey: () => "k",
      resolve: () => undefined,
      fenced: []
    })
    assert.deepStrictEqual(metadata.variables, { a: "b" })
    assert.isUndefined(metadata.emoji)
    assert.strictEqual(metadata.frontMatter, "emoji: none\nowners:\n  - c")
  })
  const seed = "0000000000"

  for (const [what, text, runs] of [
    ["with links that lead somewhere twice", `${said}${linked}\n${words}`, 2],
    ["with links that lead nowhere once", `# Title\n\n[gone](gone.md) [web](https://c.d)\n\n${words}`, 1]
  ] as const) {
    it.effect(`reads a large page ${what}, in a thread, as it would be in place`, () =>
      Effect.gen(function* () {
        const { threads, begun } = cloning()
        const resolve = (url: string) => known.get(url)
        const read = ParsePage.pageParser({
          threads,
          nextKey: () => seed,
          resolve,
          fenced: [],
          onVerbatim: assert.fail
        })
        const { document, findings, ...page } = yield* read(text, file)
        const inPlace = PageSource.read(text, { ...file, nextKey: keysFrom(seed), resolve, fenced: [] })
        assert.deepStrictEqual({ ...page, document: parseDocument(document) }, inPlace)
        assert.deepStrictEqual(findings, { markup: [], specs: [] })
        assert.deepStrictEqual(
          begun,
          Array.from({ length: runs }, () => "read-page")
        )
      })
    )
  }

  it.effect("reads a small page in place", () =>
    Effect.gen(function* () {
      const { threads, begun } = cloning()
      const resolve = (url: string) => known.get(url)
      yield* ParsePage.pageParser({ threads, nextKey: () => seed, resolve, fenced: [], onVerbatim: assert.fail })(
        linked,
        file
      )
      assert.deepStrictEqual(begun, [])
    })
  )

  for (const [what, how] of [
    ["takes too long to read", Effect.fail(tooCostly)],
    ["can't be read", Effect.die(new Error("no tree"))]
  ] as const) {
    it.effect(`a page that ${what} is kept as it is written, and reported`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          const { report } = yield* importFiles(space, {
            "a.md": `---\nicon: star\ntitle: Named\n---\n\n${linked}\n${words}`,
            "b.md": "# B\n\nSmall.\n",
            "c.png": new Uint8Array([1])
          })
          assert.deepStrictEqual(report.problems, [
            { path: "a.md", message: "It takes too long to read as Markdown, and is kept as it is written" },
            { path: "c.png", message: "It is left out: no page leads to it" }
          ])
          const { title, icon } = yield* pageAt(space, "a")
          assert.deepStrictEqual([title, icon], ["Named", "star"])
          const { nodes } = yield* documentAt(space, "a")
          assert.deepStrictEqual(
            nodes.map(({ type, data }) => [type, data?.["markdown"]]),
            [["verbatim", `${linked}\n${words}`.trim()]]
          )
          assert.include(yield* markdownAt(space, "b"), "Small.")
        }),
        refusing("read-page", how)
      )
    )
  }

  const folder = { "a.md": `# A\n\n[later](later.md)\n\n${words}` }
  const linksOf = (space: SpaceId) =>
    Effect.map(documentAt(space, "a"), (document) => Array.from(DocumentRefs.refs(document), ({ kind }) => kind))

  it.effect("mends the links of a large page that did not change in threads", () => {
    const { threads, begun } = cloning()
    return onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        begun.length = 0
        const { report } = yield* importFiles(space, { ...folder, "later.md": "# Later\n" })
        assert.deepStrictEqual(report.changed, ["a.md"])
        assert.deepStrictEqual(yield* linksOf(space), ["page"])
        assert.includeMembers(begun, ["find-references", "map-references"])
        assert.notInclude(begun, "read-page")
      }),
      Layer.succeed(Threads, threads)
    )
  })

  it.effect("leaves links as they are where they can't be mended", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        const { report } = yield* importFiles(space, { ...folder, "later.md": "# Later\n" })
        assert.deepStrictEqual(report.unchanged, ["a.md"])
        assert.deepStrictEqual(yield* linksOf(space), ["url"])
      }),
      refusing("find-references")
    )
  )
})
