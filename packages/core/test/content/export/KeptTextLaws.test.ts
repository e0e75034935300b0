/** Of a page in any style, an edit of one leaf changes the lines of the block that it stands in, and no other. */
import { assert, describe, it } from "@effect/vitest"
import { ExportUrls } from "@lectern/core/content/export/ExportUrls"
import * as KeptText from "@lectern/core/content/export/KeptText"
import * as ReadBack from "@lectern/core/content/export/ReadBack"
import type { Block, Document, Text } from "@lectern/document/Document"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import * as fc from "fast-check"
import { runs } from "../../Runs.ts"

const word = fc.constantFrom("alpha", "beta", "gamma *delta*", "__epsilon__", "`zeta` eta", "[theta](https://a.b 't')")
const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `Some ${words.join("  ")} here`)
const indented = (text: string, prefix: string) => text.replaceAll("\n", `\n${prefix}`)

const leaf = fc.oneof(
  line,
  fc.tuple(line, line).map(([one, other]) => `${one}\n${other}`),
  line.map((text) => `${text}\n---`),
  line.map((text) => `###   ${text} ###`),
  fc.tuple(line, line).map(([one, other]) => `~~~ js\n${one}\n${other}\n~~~`),
  fc.tuple(line, line, line).map(([a, b, c]) => `|  A|B  |\n|:---|:-:|\n|${a}|   ${b} |\n| ${c}||`)
)

const blocks = fc.letrec<{ block: string; body: string }>((tie) => ({
  body: fc.array(tie("block"), { minLength: 1, maxLength: 3 }).map((all) => all.join("\n\n")),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom("- ", "*   ", "+ ", "1) ", "3. "), fc.array(tie("body"), { minLength: 1, maxLength: 3 }))
      .map(([bullet, items]) =>
        items.map((item) => bullet + indented(item, " ".repeat(bullet.length))).join(items.length > 2 ? "\n" : "\n\n")
      ),
    tie("body").map((body) => `> ${indented(body, "> ")}`),
    tie("body").map((body) => `{% hint style='info' %}\n${body}\n{% endhint %}`),
    // With HTML in it, what is between colons stays text.
    tie("body")
      .filter((body) => !body.includes("<details>"))
      .map((body) => `:::note Be *careful*\n${body}\n:::`),
    tie("body").map((body) => `<details>\n<summary>More</summary>\n\n${body}\n\n</details>`)
  )
}))

const pages = fc.record({
  blocks: fc.array(blocks.block, { minLength: 2, maxLength: 6 }),
  gap: fc.constantFrom("\n\n", "\n\n\n", "\n\n<!-- a remark -->\n\n"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  end: fc.constantFrom("", "\n", "\n\n"),
  edited: fc.nat(1000)
})

const urls = new ExportUrls("space", {
  pages: new Map([["page", "page.md"]]),
  files: new Map(),
  reusableContents: new Map(),
  root: "",
  summary: "SUMMARY.md"
})

interface Leaf {
  readonly block: Block
  readonly text: Text
}

/** The leaves of text, each with the innermost block around it that has a range. */
const leavesOf = (all: ReadonlyArray<Block>, ranges: ReadonlyMap<Block, TextRange>, around?: Block): Array<Leaf> =>
  all.flatMap((block) => {
    // The title of an expandable block is a part of its tag.
    const located = ranges.has(block) ? block : around?.type === "expandable" ? undefined : around
    const nodes = [...(block.nodes ?? []), ...(block.fragments ?? []).flatMap((fragment) => fragment.nodes)]
    const own = nodes.flatMap((node) => (node.object === "text" && located ? [{ block: located, text: node }] : []))
    return [
      ...own,
      ...leavesOf(
        nodes.filter((node) => node.object === "block"),
        ranges,
        located
      )
    ]
  })

/** The value with another in the range of one in it. */
const replaced = <A>(value: A, from: unknown, to: unknown): A => {
  if (value === from) return to as A
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to)) as A
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, from, to)])) as A
}

describe("the text of a page", () => {
  it("changes by the lines of the block that was edited", { timeout: 600_000 }, () =>
    fc.assert(
      fc.property(pages, ({ blocks, edited, end, gap, lineEnd }) => {
        const text = (blocks.join(gap) + end).replaceAll("\n", lineEnd)
        const page = { path: "page.md", listedTitle: "Page", urls }
        const ranges = new Map<Block, TextRange>()
        const empty: Document = { object: "document", data: {}, nodes: [] }
        const read = ReadBack.readBack(
          { ...page, title: "Page", metadata: {}, document: empty },
          text,
          (block, range) => {
            ranges.set(block, range)
          }
        )
        const { document, title } = read
        const source = { ...page, title, metadata: {} }
        assert.strictEqual(KeptText.write({ ...source, document }, { text }), text)

        const leaves = leavesOf(document.nodes, ranges)
        fc.pre(leaves.length > 0)
        const { block, text: before } = leaves[edited % leaves.length]!
        const [first, ...others] = before.leaves
        const after = { ...before, leaves: [{ ...first!, text: `Other ${first!.text}` }, ...others] }
        const written = KeptText.write({ ...source, document: replaced(document, before, after) }, { text })
        assert.isDefined(written)

        const [was, is] = [text.split(lineEnd), written!.split(lineEnd)]
        const range = ranges.get(block)!
        const normal = text.replaceAll("\r\n", "\n")
        const from = normal.slice(0, range.from).split("\n").length - 1
        const to = normal.slice(range.to).split("\n").length - 1
        assert.deepStrictEqual(is.slice(0, from), was.slice(0, from))
        assert.deepStrictEqual(is.slice(is.length - to), was.slice(was.length - to))
      }),
      runs(50, 10_000)
    )
  )
})
