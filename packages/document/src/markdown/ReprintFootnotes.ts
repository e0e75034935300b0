/**
 * The footnotes of annotations in the text of a page: what explains a piece of text stands elsewhere in it, as a
 * block that its document does not have. Among the blocks of the page they are printed anew as those are (see
 * `Reprint`): one that says something else where it stands, and one that nothing has any more goes.
 */
import { align } from "../alignment/DocumentAlignment.ts"
import type { Block, Document, Inline } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { contentOf, type WrittenFootnotes } from "./AnnotationFootnotes.ts"
import { normalise } from "./LinkReferences.ts"
import { type Print, reprint, type Written } from "./Reprint.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

/** A page of blocks and of footnotes, and the blocks without what explains their annotations. */
export interface Parted {
  readonly blocks: ReadonlyArray<Block>
  /** By label. */
  readonly footnotes: ReadonlyMap<string, Block>
}

/** `moved`: told of each block that is another without what explains its annotations. */
export const part = (blocks: ReadonlyArray<Block>, moved?: (from: Block, to: Block) => void): Parted => {
  const footnotes = new Map<string, Block>()
  // Documents nest 100 deep at most, so recursion is bounded.
  const bare = <A extends Block | Inline>(node: A): A => {
    if (node.object === "inline" && node.type === "annotation") return bareAnnotation(node, footnotes)
    const after = withParts(node, {
      nodes: node.nodes && mapList(node.nodes, (child) => (child.object === "text" ? child : bare(child))),
      fragments: node.fragments && mapList(node.fragments, (each) => withNodes(each, mapList(each.nodes, bare)))
    })
    if (after !== node && node.object === "block") moved?.(node, after as Block)
    return after
  }
  return { blocks: mapList(blocks, bare), footnotes }
}

const bareAnnotation = <A extends Block | Inline>(node: A, footnotes: Map<string, Block>): A => {
  const label = node.data?.label
  if (typeof label !== "string") return node
  const { fragments, ...annotation } = node
  const nodes = fragments?.[0]?.nodes ?? []
  footnotes.set(normalise(label), footnote(label, nodes))
  return annotation as A
}

const footnote = (label: string, nodes: ReadonlyArray<Block>): Block => ({
  object: "block",
  type: "footnote-definition",
  key: `footnote ${label}`,
  data: { label },
  nodes
})

/** To print annotations alone, as their footnotes are blocks of their own. */
export const beside = ({ footnotes }: Parted): WrittenFootnotes =>
  new Map(Array.from(footnotes.keys(), (label) => [label, contentOf([])]))

interface Located extends Written {
  /** Those of its blocks that the document does not have. */
  readonly footnotes: ReadonlySet<Block>
  /** Footnotes within a block of the document, between its tags, by label. */
  readonly inside: ReadonlyMap<string, Block>
}

/** The page that was read, with the footnotes of its annotations where they stand. */
export const located = ({ from, nodes, ranges: given, text }: Written): Located => {
  const ranges = new Map(given)
  const move = (from: Block, to: Block) => {
    const range = ranges.get(from)
    if (range !== undefined) ranges.set(to, range)
  }
  const page = part(nodes, move)
  const own = new Set<Block>()
  for (const block of given.keys()) {
    const footnote = block.type === "footnote-definition" ? page.footnotes.get(labelOf(block)) : undefined
    if (footnote === undefined || footnote.nodes !== block.nodes) continue
    move(block, footnote)
    own.add(footnote)
  }
  const rangeOf = (block: Block): TextRange => ranges.get(block) ?? { from: 0, to: 0 }
  const all = [...page.blocks, ...own].sort((a, b) => rangeOf(a).from - rangeOf(b).from)
  const inside = new Map<string, Block>()
  let end = 0
  for (const block of all) {
    if (own.has(block) && rangeOf(block).from < end && own.delete(block)) inside.set(labelOf(block), block)
    end = Math.max(end, rangeOf(block).to)
  }
  const blocks = all.filter((block) => inside.get(labelOf(block)) !== block)
  return { from, nodes: blocks, ranges, text, footnotes: own, inside }
}

/** The text with footnotes that stand within other blocks as they are by now, or without them. */
export const exchanged = ({ inside, ranges, text }: Located, { footnotes }: Parted, print: Print): string => {
  let all = text
  const fromOf = (block: Block) => ranges.get(block)!.from
  // From the end, so that the ranges of those before stay as they are.
  for (const [label, was] of [...inside].sort(([, a], [, b]) => fromOf(b) - fromOf(a))) {
    const is = footnotes.get(label)
    const { from, to } = ranges.get(was)!
    if (is === undefined) all = without(all, from, to)
    else if (contentOf([is]) !== contentOf([was])) {
      const written = { text: all.slice(0, to), from, nodes: [was], ranges }
      all = all.slice(0, from) + (reprint(written, [is], print) ?? all.slice(from, to)) + all.slice(to)
    }
  }
  return all
}

/** The text without a range, and with the longer one of the gaps around it. */
const without = (text: string, from: number, to: number): string => {
  const before = /\n*$/.exec(text.slice(0, from))![0]
  const behind = /^\n*/.exec(text.slice(to))![0]
  const rest = text.slice(to + behind.length)
  const gap = rest === "" || before.length < behind.length ? behind : before
  return text.slice(0, from - before.length) + gap + rest
}

const labelOf = ({ data }: Pick<Block, "data">): string => normalise(String(data?.label ?? ""))

/** Places of new footnotes: behind all others, which may be the end of the page, or behind the block that each is of. */
export type Place = "end" | "block"

/** The blocks of a page with its footnotes: at the places that they have in what was read, new ones at `place`. */
export const among = ({ blocks, footnotes }: Parted, before: Located, place: Place): ReadonlyArray<Block> => {
  const left = new Map(footnotes)
  for (const label of before.inside.keys()) left.delete(label)
  if (left.size === 0) return blocks
  /** By the key of the block that they stand before; undefined is the end of the page. */
  const ahead = new Map<string | undefined, Array<Block>>()
  const put = (label: string, at: string | undefined) => {
    const own = left.get(label)
    if (own === undefined) return
    left.delete(label)
    const known = ahead.get(at)
    if (known === undefined) ahead.set(at, [own])
    else known.push(own)
  }
  const known = knownPlaces(blocks, before, left)
  for (const [label, at] of known) put(label, at)
  if (place === "block") {
    for (const [i, block] of blocks.entries()) for (const label of annotationsIn(block)) put(label, blocks[i + 1]?.key)
  }
  for (const label of left.keys()) put(label, known.at(-1)?.[1])
  return [...blocks.flatMap((block) => [...(ahead.get(block.key) ?? []), block]), ...(ahead.get(undefined) ?? [])]
}

/** The labels of footnotes that stood in the text, each with the block that it stands before; undefined is the end. */
const knownPlaces = (
  blocks: ReadonlyArray<Block>,
  before: Located,
  footnotes: ReadonlyMap<string, Block>
): ReadonlyArray<readonly [label: string, at: string | undefined]> => {
  const keys = new Set(blocks.map(({ key }) => key))
  const found: Array<readonly [string, string | undefined]> = []
  const aligned = align(document(blocks), document(before.nodes)).nodes
  let at: string | undefined
  for (let i = aligned.length - 1; i >= 0; i--) {
    const block = aligned[i]!
    if (block.type === "footnote-definition" && footnotes.has(labelOf(block))) found.push([labelOf(block), at])
    // One that is an ordinary one by now stands elsewhere.
    else if (keys.has(block.key) && !before.footnotes.has(before.nodes[i]!)) at = block.key
  }
  return found.reverse()
}

const document = (nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })

/** The labels of the annotations in a block. */
const annotationsIn = (block: Block): ReadonlyArray<string> => [...part([block]).footnotes.keys()]
