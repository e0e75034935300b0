/** Edits of the text of a page: they change the lines of the block and of the footnote that they are of, and no other. */
import { assert } from "@effect/vitest"
import { ExportUrls } from "@lectern/core/content/export/ExportUrls"
import type { Metadata } from "@lectern/core/content/export/PageMetadata"
import * as KeptText from "@lectern/core/content/export/KeptText"
import * as ReadBack from "@lectern/core/content/export/ReadBack"
import type { Block, Document, Inline, Node, Text } from "@lectern/document/Document"
import * as AnnotationLabels from "@lectern/document/markdown/AnnotationLabels"
import { normalise } from "@lectern/document/markdown/LinkReferences"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"

const urls = new ExportUrls("space", {
  pages: new Map([["page", "page.md"]]),
  files: new Map(),
  reusableContents: new Map(),
  root: "",
  readme: "README.md",
  summary: "SUMMARY.md"
})

/** `text`: other words; the others make or unmake what explains a piece of text, and a paragraph more. */
export const kinds = ["text", "annotate", "strip", "note", "explain", "insert"] as const
export type Kind = (typeof kinds)[number]

/** A part of a page, with the innermost block around it that has a range. */
interface Part {
  readonly node: Node
  /** The node before it among its siblings. */
  readonly before: Node | undefined
  readonly isInInline: boolean
  readonly around: Block
}

interface Page {
  readonly document: Document
  readonly parts: ReadonlyArray<Part>
  readonly ranges: ReadonlyMap<Block, TextRange>
}

interface Edited {
  readonly document: Document
  /** Parts of the text that may be others. */
  readonly ranges: ReadonlyArray<TextRange>
}

/** The parts of blocks; parts of a footnote of an annotation have the footnote around them. */
const partsOf = (
  nodes: ReadonlyArray<Node>,
  ranges: ReadonlyMap<Block, TextRange>,
  around?: Block,
  isInInline = false
): Array<Part> =>
  nodes.flatMap((node, i) => {
    const own = around === undefined ? [] : [{ node, before: nodes[i - 1], isInInline, around }]
    if (node.object === "text") return own
    if (node.object === "inline") {
      const explaining = (node.fragments ?? []).flatMap((fragment) => partsOf(fragment.nodes, ranges))
      return [...own, ...partsOf(node.nodes ?? [], ranges, around, true), ...explaining]
    }
    // The title of an expandable block is a part of its tag.
    const located = ranges.has(node) ? node : around?.type === "expandable" ? undefined : around
    // The title of a column stands in its definition, too.
    const fragments = (node.fragments ?? []).filter(({ fragment = "" }) => !fragment.startsWith("header-"))
    const inside = [...(node.nodes ?? []), ...fragments.flatMap((fragment) => fragment.nodes)]
    const self = ranges.has(node) ? [{ node, before: nodes[i - 1], isInInline, around: node }] : []
    // A title is marked as one, and its hint has no title any more where that is not all of it.
    const within = i === 0 && around?.type === "hint" && isTitle(node) ? around : located
    return [...self, ...partsOf(inside, ranges, within)]
  })

const isTitle = ({ nodes = [], type }: Block): boolean =>
  type === "paragraph" &&
  nodes.every(
    (node) => node.object === "text" && node.leaves.every(({ marks }) => marks.some(({ type }) => type === "bold"))
  )

/** The nodes with text that stands side by side in one, as it is read. */
const joined = (nodes: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const out: Array<unknown> = []
  for (const node of nodes) {
    const before = out.at(-1)
    if (!isText(node) || !isText(before)) out.push(node)
    else {
      const leaves = [...before.leaves]
      for (const leaf of node.leaves) {
        const last = leaves.at(-1)
        if (last !== undefined && JSON.stringify(last.marks) === JSON.stringify(leaf.marks)) {
          leaves[leaves.length - 1] = { ...last, text: last.text + leaf.text }
        } else leaves.push(leaf)
      }
      out[out.length - 1] = { ...before, leaves }
    }
  }
  return out
}

const isText = (value: unknown): value is Text =>
  typeof value === "object" && value !== null && "object" in value && value.object === "text"

/** The value with others in the place of one in it. */
const replaced = <A>(value: A, from: unknown, to: ReadonlyArray<unknown>): A => {
  if (Array.isArray(value)) {
    return joined(value.flatMap((one) => (one === from ? to : [replaced(one, from, to)]))) as A
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, from, to)])) as A
}

const text = (words: string): Text => ({ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] })

const paragraph = (words: string): Block => ({
  object: "block",
  type: "paragraph",
  key: `new ${words}`,
  nodes: [text(words)]
})

const annotation = (nodes: ReadonlyArray<Node>, body: ReadonlyArray<Block>, label?: string): Inline =>
  ({
    object: "inline",
    type: "annotation",
    data: label === undefined ? {} : { label },
    nodes: nodes as Inline["nodes"],
    isVoid: false,
    fragments: [{ object: "fragment", type: "annotation-body", nodes: body }]
  }) as Inline

const labelOf = (node: Node): string =>
  normalise(String(node.object === "text" ? "" : ((node.data?.label as string | undefined) ?? "")))

/** The ranges of footnotes with the label. */
const footnotes = ({ ranges }: Page, label: string): Array<TextRange> =>
  Array.from(ranges).flatMap(([block, range]) =>
    block.type === "footnote-definition" && labelOf(block) === label ? [range] : []
  )

/** Behind what a new footnote may stand: the page, and any other. */
const ends = ({ ranges }: Page, length: number): Array<TextRange> => [
  { from: length, to: length },
  ...Array.from(ranges).flatMap(([{ type }, { to }]) => (type === "footnote-definition" ? [{ from: to, to }] : []))
]

/** One of a list, by any number. */
const one = <A>(list: ReadonlyArray<A>, number: number): A | undefined =>
  list.length === 0 ? undefined : list[number % list.length]

const isIn = (page: Page, type: string) =>
  page.parts.filter(({ node }) => node.object === "inline" && node.type === type)

/** Undefined where the page has nothing to edit so. */
const edit = (page: Page, kind: Kind, number: number, length: number): Edited | undefined => {
  const { document, parts, ranges } = page
  switch (kind) {
    case "text": {
      const part = one(
        parts.filter(({ node }) => node.object === "text"),
        number
      )
      if (part?.node.object !== "text") return undefined
      const [first, ...others] = part.node.leaves
      const after = { ...part.node, leaves: [{ ...first!, text: `Other ${first!.text}` }, ...others] }
      return { document: replaced(document, part.node, [after]), ranges: [ranges.get(part.around)!] }
    }
    case "annotate": {
      const candidates = parts.filter(
        ({ around, isInInline, node }) =>
          node.object === "text" &&
          !isInInline &&
          node.leaves.some((leaf) => leaf.text !== "") &&
          ["paragraph", "heading-1", "heading-2", "hint"].includes(around.type) &&
          // Text that is aligned is HTML, which has no annotations.
          around.data?.align === undefined &&
          !isExplaining(page, around) &&
          // A hint that has no title any more is written whole, and what explains text must not stand in it.
          (around.type !== "hint" || !hasFootnotes(page, around))
      )
      const part = one(candidates, number)
      if (part === undefined) return undefined
      const label = number % 2 === 0 ? undefined : "new.one"
      const after = [part.node, annotation([text("said")], [paragraph("What it means")], label)]
      return {
        document: replaced(document, part.node, after),
        ranges: [ranges.get(part.around)!, ...ends(page, length)]
      }
    }
    case "strip":
    case "note": {
      const part = one(isIn(page, "annotation"), number)
      if (part?.node.object !== "inline") return undefined
      const { data, fragments = [], nodes = [] } = part.node
      const label = labelOf(part.node)
      const own = [ranges.get(part.around)!, ...footnotes(page, label), { from: length, to: length }]
      // Definitions in it are gone or moved with it, and with them the labels of links.
      if (JSON.stringify(fragments).includes('"definition"')) return undefined
      if (kind === "strip") return { document: replaced(document, part.node, nodes), ranges: own }
      const mark: Inline = { object: "inline", type: "footnote-reference", data: data!, isVoid: true }
      const noted = replaced(document, part.node, [...nodes, mark])
      const definition: Block = {
        object: "block",
        type: "footnote-definition",
        key: "noted",
        data: data!,
        nodes: fragments[0]!.nodes
      }
      return { document: { ...noted, nodes: [...noted.nodes, definition] }, ranges: own }
    }
    case "explain": {
      const marks = isIn(page, "footnote-reference")
      const labels = marks.map(({ node }) => labelOf(node))
      const definitions = parts.filter(({ node }) => node.object === "block" && node.type === "footnote-definition")
      const candidates = marks.filter(({ around, before, node }) => {
        const label = labelOf(node)
        return (
          before?.object === "text" &&
          around.type === "paragraph" &&
          labels.filter((each) => each === label).length === 1 &&
          definitions.filter((each) => labelOf(each.node) === label).length === 1 &&
          !isExplaining(page, around)
        )
      })
      const part = one(candidates, number)
      if (part?.node.object !== "inline") return undefined
      const label = labelOf(part.node)
      const definition = definitions.find(({ node }) => labelOf(node) === label)!.node as Block
      if (!document.nodes.includes(definition)) return undefined
      const after = annotation(
        [text("said")],
        definition.nodes as ReadonlyArray<Block>,
        part.node.data!.label as string
      )
      const without = { ...document, nodes: document.nodes.filter((block) => block !== definition) }
      return {
        document: replaced(without, part.node, [after]),
        ranges: [ranges.get(part.around)!, ranges.get(definition)!]
      }
    }
    case "insert": {
      const above = one(document.nodes, number)
      if (above === undefined) return undefined
      const { to } = ranges.get(above)!
      return {
        document: replaced(document, above, [above, paragraph("A new one")]),
        ranges: [{ from: to, to }, ...ends(page, length)]
      }
    }
  }
}

/** Tells whether a block stands in a footnote, where no text is explained. */
const isExplaining = ({ ranges }: Page, block: Block): boolean => {
  const own = ranges.get(block)
  return (
    own !== undefined &&
    Array.from(ranges).some(
      ([{ type }, { from, to }]) => type === "footnote-definition" && from <= own.from && own.to <= to
    )
  )
}

/** Tells whether footnotes stand in a block. */
const hasFootnotes = ({ ranges }: Page, block: Block): boolean => {
  const own = ranges.get(block)!
  return Array.from(ranges).some(
    ([{ type }, { from, to }]) => type === "footnote-definition" && own.from <= from && to <= own.to
  )
}

/** Lines of a text outside of ranges, in the pieces that these leave; blank ones beside a range count as a part of it. */
const piecesOf = (text: string, ranges: ReadonlyArray<TextRange>): ReadonlyArray<ReadonlyArray<string>> => {
  const lines = text.split("\n")
  const pieces: Array<Array<string>> = [[]]
  let at = 0
  for (const line of lines) {
    const end = at + line.length
    const isOwn = ranges.some(({ from, to }) => from !== to && from <= end && to >= at && !(to === at && from < to))
    if (isOwn) pieces.push([])
    else {
      pieces.at(-1)!.push(line)
      if (ranges.some(({ from, to }) => from === to && at <= from && from <= end)) pieces.push([])
    }
    at = end + 1
  }
  return pieces
}

const isBlank = (line: string): boolean => /^[>\s]*$/.test(line)

const trimmed = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  let [from, to] = [0, lines.length]
  while (from < to && isBlank(lines[from]!)) from++
  while (to > from && isBlank(lines[to - 1]!)) to--
  return lines.slice(from, to)
}

/** The pieces stand in the lines whole and one behind the other, the first and the last at their ends. */
const assertHas = (lines: ReadonlyArray<string>, pieces: ReadonlyArray<ReadonlyArray<string>>, whole: string): void => {
  const all = trimmed(lines)
  const [first, last] = [trimmed(pieces[0]!), trimmed(pieces.at(-1)!)]
  assert.deepStrictEqual(all.slice(0, first.length), first, whole)
  assert.deepStrictEqual(all.slice(all.length - last.length), last, whole)
  let at = first.length
  const end = all.length - (pieces.length > 1 ? last.length : 0)
  for (const piece of pieces.slice(1, -1)) {
    const wanted = trimmed(piece)
    while (at <= end - wanted.length && !wanted.every((line, i) => all[at + i] === line)) at++
    assert.isAtMost(at, end - wanted.length, `${wanted.join("\n")}\n--- is missing in ---\n${whole}`)
    at += wanted.length
  }
}

/** `number`: which part, any. A page that has none to edit so has its text edited; false for one without text. */
export const assertOneEdited = (written: string, kind: Kind, number: number): boolean => {
  const page = { path: "page.md", listedTitle: "Page", urls }
  const ranges = new Map<Block, TextRange>()
  const empty: Document = { object: "document", data: {}, nodes: [] }
  const read = ReadBack.readBack({ ...page, title: "Page", metadata: {}, document: empty }, written, (block, range) => {
    ranges.set(block, range)
  })
  const { document, metadata: said, title } = read
  const metadata = Object.fromEntries(Object.entries(said).filter(([, field]) => field !== undefined)) as Metadata
  const source = { ...page, title, metadata }
  assert.strictEqual(AnnotationLabels.settled(document), document)
  assert.strictEqual(KeptText.write({ ...source, document }, { text: written }), written)

  const normal = written.replaceAll("\r\n", "\n")
  const parts = { document, ranges, parts: partsOf(document.nodes, ranges) }
  const edited = edit(parts, kind, number, normal.length) ?? edit(parts, "text", number, normal.length)
  if (edited === undefined) return false
  const after = KeptText.write({ ...source, document: AnnotationLabels.settled(edited.document) }, { text: written })
  assert.isDefined(after, `${kind} ${number} rewrites\n${written}`)
  const is = after!.replaceAll("\r\n", "\n")
  if (normal !== written) assert.strictEqual(is.replaceAll("\n", "\r\n"), after)
  assertHas(is.split("\n"), piecesOf(normal, edited.ranges), `${normal}\n--- as ---\n${is}`)
  return true
}
