/** Both laws on real documentation, and nothing that counts is lost. The corpus is not part of the project. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Block, Inline, Node } from "@lectern/document/Document"
import * as HtmlTree from "@lectern/document/markdown/HtmlTree"
import { brokenLaw, parse, print } from "./laws.ts"

const corpus = new URL("../../../../../shared/corpus/", import.meta.url).pathname
const isThere = existsSync(corpus)
if (!isThere) console.warn("SKIPPED: the Markdown laws on real pages, as ../shared/corpus is absent")

const counted = (nodes: ReadonlyArray<Node>): Record<string, number> => {
  const counts: Record<string, number> = {}
  const open: Array<Node> = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === "text") continue
    counts[node.type] = (counts[node.type] ?? 0) + 1
    const below: ReadonlyArray<Block | Inline | Node> = [
      ...(node.nodes ?? []),
      ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes)
    ]
    open.push(...below)
  }
  return counts
}

describe.skipIf(!isThere)("Markdown of real documentation", () => {
  const pages = isThere ? globSync(`${corpus}{brighter,adobe-aep}/**/*.md`).sort() : []

  it("keeps the laws on every page", () => {
    assert.isAbove(pages.length, 400)
    for (const page of pages) assert.isUndefined(brokenLaw(readFileSync(page, "utf8")), page)
  })

  it("keeps every tag, link, image and word", () => {
    const tags = (text: string) =>
      [...text.matchAll(/\{% *(end)?(tabs?|hint|embed) /g)].map(([tag]) => tag.replace(/ +/g, " ")).sort()
    // Quotes that begin so are hints, of a style that is no word.
    const alert = /^ *>[ \t]*\[!(?:NOTE|TIP|WARNING)\]/gm
    const alerts = (text: string) => text.match(alert)?.length ?? 0
    // Elements that are read are written otherwise: their names are no words.
    const element = /<\/?(?:table|thead|tbody|t[rhd]|p|ul|ol|li|b|i|em|strong|code|del|s)(?:\s+style="[^"]*")?>/g
    const words = (text: string) =>
      [...HtmlTree.decodeReferences(text.replace(alert, " ").replace(element, " ")).matchAll(/[\p{L}\p{N}]{3,}/gu)]
        .map(String)
        .sort()
    for (const page of pages) {
      const source = readFileSync(page, "utf8").replaceAll("\r\n", "\n")
      const first = parse(source)
      const printed = print(first)
      const hints = Array.from({ length: alerts(source) }, () => ["{% endhint ", "{% hint "]).flat()
      assert.deepStrictEqual(tags(printed), [...tags(source), ...hints].sort(), page)
      assert.deepStrictEqual(counted(parse(printed).document.nodes), counted(first.document.nodes), page)
      const after = new Set(words(printed))
      const lost = words(source).filter((word) => !after.has(word))
      assert.deepStrictEqual(lost, [], page)
    }
  })

  it("finds the blocks that the tags stand for", () => {
    const total: Record<string, number> = {}
    for (const page of pages) {
      for (const [type, count] of Object.entries(counted(parse(readFileSync(page, "utf8")).document.nodes))) {
        total[type] = (total[type] ?? 0) + count
      }
    }
    assert.isAtLeast(total.tabs ?? 0, 420)
    assert.isAtLeast(total.hint ?? 0, 385)
    assert.strictEqual(total.embed, 12)
  })
})
