/** Pages that are read and written in a thread: as in place, in order, and none of them for ever. */
import { assert, describe, it } from "@effect/vitest"
import type { ExportPaths } from "@lectern/core/content/export/ExportPaths"
import type { Page } from "@lectern/core/content/export/PageText"
import * as ParsedFile from "@lectern/core/content/import/ParsedFile"
import { unparsable } from "@lectern/core/content/import/SyntaxAhead"
import * as Markdown from "@lectern/core/content/markdown/Markdown"
import { inPlace, PageThreads } from "@lectern/core/content/PageThreads"
import { NodePageThreads, type NodePageThreadsOptions } from "@lectern/services-node/page/NodePageThreads"
import { Effect } from "effect"

const open = (options?: NodePageThreadsOptions) =>
  PageThreads.use((threads) => threads.open).pipe(Effect.provide(NodePageThreads.layer(options), { local: true }))

const bytes = (text: string) => new TextEncoder().encode(text)

const texts = [
  "",
  "# Title\n\nText with *marks*, `code` and [a link](other.md).\n",
  '---\ntitle: Named\nicon: star\n---\n\n{% hint style="info" %}\nA hint.\n{% endhint %}\n',
  "\uFEFF\r\n| a | b |\r\n| - | - |\r\n| 1 | 2 |\r\n",
  "with a \u0000 in it, and what is no UTF-8: \uFFFD",
  `${">".repeat(10_000)} deep`
]

const paths: ExportPaths = {
  pages: new Map([
    ["one", "guide/one.md"],
    ["two", "two.md"]
  ]),
  files: new Map([["image", ".gitbook/assets/image.png"]]),
  reusableContents: new Map(),
  summary: "SUMMARY.md"
}

const page = (path: string, markdown: string): Page => {
  let keys = 0
  const { document } = Markdown.parse(markdown, { nextKey: () => `key-${++keys}` })
  return { path, title: "Page", listedTitle: "Page", metadata: { icon: "star" }, document }
}

const pages = [
  page("two.md", "See [one](/pages/one) and ![an image](/files/image)."),
  page("guide/one.md", '# Page\n\n{% tabs %}\n{% tab title="A" %}\nOne\n{% endtab %}\n{% endtabs %}\n'),
  page("three.md", texts.at(-1)!)
]

const some = bytes(texts[1]!)

describe("NodePageThreads", () => {
  it.live("reads what is read in place, in its order", () =>
    Effect.gen(function* () {
      const { parse } = yield* open()
      const all = [...texts, ...texts].map(bytes)
      const read = yield* Effect.forEach(all, parse, { concurrency: "unbounded" })
      assert.deepStrictEqual(read, all.map(ParsedFile.parse))
    })
  )

  it.live("writes what is written in place, for one export and the next", () =>
    Effect.gen(function* () {
      const thread = yield* open()
      for (const where of [paths, { ...paths, pages: new Map([["one", "elsewhere.md"]]) }]) {
        const written = yield* Effect.forEach(pages, thread.writer("space", where))
        assert.deepStrictEqual(written, yield* Effect.forEach(pages, inPlace.writer("space", where)))
      }
    })
  )

  it.live("gives up what takes too long", () =>
    Effect.gen(function* () {
      const { parse, writer } = yield* open({ pageTimeout: "1 millis" })
      assert.deepStrictEqual(yield* Effect.all([parse(some), parse(some)], { concurrency: "unbounded" }), [
        unparsable,
        unparsable
      ])
      const { message } = yield* Effect.flip(writer("space", paths)(pages[0]!))
      assert.strictEqual(message, "The page two.md takes too long to write")
    })
  )

  it.live("gives up what takes too much memory, and does what waits behind it in another thread", () =>
    Effect.gen(function* () {
      const thread = yield* open({ maxMemory: 64 })
      const large = bytes(`${"*a* ".repeat(20)}\n`.repeat(9_000).concat("\n").repeat(5))
      const [first, read, written] = yield* Effect.all(
        [thread.parse(large), thread.parse(some), thread.writer("space", paths)(pages[0]!)],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(first, unparsable)
      assert.deepStrictEqual(read, ParsedFile.parse(some))
      assert.deepStrictEqual(written, yield* inPlace.writer("space", paths)(pages[0]!))
    })
  )
})
