/**
 * Text made to break a parser. No clock: what takes quadratic time here would take minutes, beyond
 * the time limit of any test.
 */
import { assert, describe, it } from "@effect/vitest"
import { maxDepth } from "@lectern/core/content/DocumentInput"
import type { Node } from "@lectern/core/content/Document"
import { parse, print } from "./laws.ts"

const depthOf = (nodes: ReadonlyArray<Node>): number => {
  let deepest = 0
  const open = nodes.map((node) => ({ node, depth: 1 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    deepest = Math.max(deepest, next.depth)
    if (next.node.object === "text") continue
    for (const node of next.node.nodes ?? []) open.push({ node, depth: next.depth + 1 })
    for (const { nodes: below } of next.node.fragments ?? []) {
      for (const node of below) open.push({ node, depth: next.depth + 1 })
    }
  }
  return deepest
}

const staircase = (levels: number) => Array.from({ length: levels }, (_, i) => `${"  ".repeat(i)}- a\n`).join("")

const texts: Record<string, string> = {
  "a megabyte on one line": "word ".repeat(200_000),
  "10,000 quotes": `${">".repeat(10_000)} a`,
  "10,000 lists on one line": `${"- ".repeat(10_000)}a`,
  "a megabyte of list markers": `${"- ".repeat(500_000)}a`,
  "lists that nest 200 deep": staircase(200),
  "10,000 lazy lines": `> a\n${"b\n".repeat(12_000)}`,
  "10,000 open brackets": "[".repeat(10_000),
  "10,000 closed brackets": "a]".repeat(10_000),
  "10,000 nested images": `${"![".repeat(10_000)}a${"](b)".repeat(10_000)}`,
  "20,000 stars": "*a_ ".repeat(20_000),
  "20,000 strong openings": "a**b".repeat(20_000),
  "20,000 code openings of all lengths": Array.from({ length: 300 }, (_, i) => `${"`".repeat(i + 1)} `)
    .join("")
    .repeat(3),
  "20,000 comments without end": "a <!--".repeat(20_000),
  "20,000 titles without end": "[a](b (c".repeat(20_000),
  "20,000 underlined headings": "a\n=\n".repeat(20_000),
  "10,000 definitions": Array.from({ length: 9000 }, (_, i) => `[a${i}]: b\n`).join(""),
  "a long definition used often": `[a]: /${"u".repeat(100_000)}\n\n${"[a]\n\n".repeat(2000)}`,
  "10,000 tags without end": "{% hint %}\n".repeat(9000),
  "tags that end nothing": "{% hint %}\n".repeat(2000) + "{% endtabs %}\n{% endtab %}\n{% tab %}\n".repeat(2000),
  "200,000 empty tags": "{% %}".repeat(50_000),
  "tags never closed": '{% a="\n'.repeat(9000),
  "a wide table with many short rows": `${"|a".repeat(5000)}|\n${"|-".repeat(5000)}|\n${"|x|\n".repeat(5000)}`,
  "addresses everywhere": `[ ${"`a` a@b.c www.x ".repeat(5000)}`,
  "dots that could be an address": "a.".repeat(50_000),
  "front matter that never ends": `---\n${"a: [\n".repeat(9000)}`,
  "front matter of aliases": `---\na: &a [x]\nb: &b [${"*a,".repeat(20)}*a]\nc: [${"*b,".repeat(2000)}*b]\n---\n`
}

describe("Markdown that is hostile", { timeout: 120_000 }, () => {
  for (const [name, text] of Object.entries(texts)) {
    it(name, () => {
      const parsed = parse(text)
      const printed = print(parsed)
      assert.strictEqual(print(parse(printed)), printed)
      assert.isAtMost(depthOf(parsed.document.nodes), maxDepth)
      for (const word of new Set(text.match(/[a-z]+/g)?.slice(0, 20))) assert.include(printed, word)
    })
  }
})
