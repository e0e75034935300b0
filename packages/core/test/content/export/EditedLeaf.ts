/** Edits of one leaf in the text of a page: they change the lines of the block that it stands in, and no other. */
import { assert } from "@effect/vitest"
import { ExportUrls } from "@lectern/core/content/export/ExportUrls"
import type { Metadata } from "@lectern/core/content/export/PageMetadata"
import * as KeptText from "@lectern/core/content/export/KeptText"
import * as ReadBack from "@lectern/core/content/export/ReadBack"
import type { Block, Document, Node, Text } from "@lectern/document/Document"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"

const urls = new ExportUrls("space", {
  pages: new Map([["page", "page.md"]]),
  files: new Map(),
  reusableContents: new Map(),
  root: "",
  readme: "README.md",
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
    // The title of a column stands in its definition, too.
    const fragments = (block.fragments ?? []).filter(({ fragment = "" }) => !fragment.startsWith("header-"))
    const nodes = [...(block.nodes ?? []), ...fragments.flatMap((fragment) => fragment.nodes)]
    return nodes.flatMap((node) => leavesIn(node, ranges, located))
  })

const leavesIn = (node: Node, ranges: ReadonlyMap<Block, TextRange>, around: Block | undefined): Array<Leaf> => {
  if (node.object === "block") return leavesOf([node], ranges, around)
  if (node.object === "text") return around === undefined ? [] : [{ block: around, text: node }]
  return [
    ...(node.nodes ?? []).flatMap((child) => leavesIn(child, ranges, around)),
    // What explains a piece of text stands in a footnote.
    ...(node.fragments ?? []).flatMap((fragment) => leavesOf(fragment.nodes, ranges))
  ]
}

/** The value with another in the range of one in it. */
const replaced = <A>(value: A, from: unknown, to: unknown): A => {
  if (value === from) return to as A
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to)) as A
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, from, to)])) as A
}

/** `edited`: which leaf, in any number. False for a page without text. */
export const assertOneEdited = (text: string, edited: number): boolean => {
  const page = { path: "page.md", listedTitle: "Page", urls }
  const ranges = new Map<Block, TextRange>()
  const empty: Document = { object: "document", data: {}, nodes: [] }
  const read = ReadBack.readBack({ ...page, title: "Page", metadata: {}, document: empty }, text, (block, range) => {
    ranges.set(block, range)
  })
  const { document, metadata: said, title } = read
  const metadata = Object.fromEntries(Object.entries(said).filter(([, field]) => field !== undefined)) as Metadata
  const source = { ...page, title, metadata }
  assert.strictEqual(KeptText.write({ ...source, document }, { text }), text)

  const leaves = leavesOf(document.nodes, ranges)
  if (leaves.length === 0) return false
  const { block, text: before } = leaves[edited % leaves.length]!
  const [first, ...others] = before.leaves
  const after = { ...before, leaves: [{ ...first!, text: `Other ${first!.text}` }, ...others] }
  const written = KeptText.write({ ...source, document: replaced(document, before, after) }, { text })
  assert.isDefined(written)

  const [was, is] = [text.split(/\r?\n/), written!.split(/\r?\n/)]
  const range = ranges.get(block)!
  const normal = text.replaceAll("\r\n", "\n")
  const from = normal.slice(0, range.from).split("\n").length - 1
  const to = normal.slice(range.to).split("\n").length - 1
  assert.deepStrictEqual(is.slice(0, from), was.slice(0, from))
  assert.deepStrictEqual(is.slice(is.length - to), was.slice(was.length - to))
  return true
}
