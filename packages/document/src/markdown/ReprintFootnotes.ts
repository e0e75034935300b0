/**
 * Footnotes of annotations in the text of a page. In the text, the footnote is a separate block, which the document
 * does not have. Placed among the blocks of the page, footnotes are reprinted like other blocks (see `Reprint`). A
 * changed footnote is updated at its position, and one without an annotation is removed.
 */
import { align } from "../alignment/DocumentAlignment.ts"
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"
import type { Block, Document, Inline } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { contentOf, type WrittenFootnotes } from "./AnnotationFootnotes.ts"
import { normalise } from "./LinkReferences.ts"
import { blocksIn, withBlocksIn } from "./InnerBlocks.ts"
import type { Written } from "./Reprint.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

/** A page, split into footnotes of annotations and blocks without annotation bodies. */
export interface Parted {
  readonly blocks: ReadonlyArray<Block>
  /** Footnotes by normalized label. */
  readonly footnotes: ReadonlyMap<string, Block>
}

/** Splits the blocks of a page. `moved`: called for each block that is replaced by one without annotation bodies. */
export const part = (blocks: ReadonlyArray<Block>, moved?: (from: Block, to: Block) => void): Parted => {
  const footnotes = new Map<string, Block>()
  // Recursion is bounded: documents nest at most 100 deep.
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

/**
 * Returns `PrintOptions.footnotes` for printing annotations without bodies, if their footnotes are printed as separate
 * blocks.
 */
export const beside = ({ footnotes }: Parted): WrittenFootnotes =>
  new Map(Array.from(footnotes.keys(), (label) => [label, contentOf([])]))

/** Position of a footnote among the blocks of a page. */
interface Placed {
  readonly label: string
  /** Block that contains the footnote, without annotation bodies; undefined for the page. */
  readonly around: Block | undefined
  /** `flow`: siblings of the footnote. `next`: index of the first sibling after it. */
  readonly flow: ReadonlyArray<Block>
  readonly next: number
}

interface Located extends Written {
  /** Blocks of the document, without annotation bodies. */
  readonly bare: ReadonlyArray<Block>
  readonly placed: ReadonlyArray<Placed>
  /** Labels of footnotes that are not among child blocks, such as between `{% else %}` and its end. */
  readonly apart: ReadonlySet<string>
}

/** Returns the parsed page, with the footnotes of its annotations inserted at their positions. */
export const located = ({ from, nodes, ranges: given, text }: Written): Located => {
  const ranges = new Map(given)
  const move = (from: Block, to: Block) => {
    const range = ranges.get(from)
    if (range !== undefined) ranges.set(to, range)
  }
  const page = part(nodes, move)
  const own: Array<Block> = []
  for (const block of given.keys()) {
    const footnote = block.type === "footnote-definition" ? page.footnotes.get(labelOf(block)) : undefined
    if (footnote === undefined || footnote.nodes !== block.nodes) continue
    move(block, footnote)
    own.push(footnote)
  }
  const rangeOf = (block: Block): TextRange => ranges.get(block) ?? { from: 0, to: 0 }
  // Footnotes are reported in the order of their annotations, which may differ from text order.
  own.sort((a, b) => rangeOf(a).from - rangeOf(b).from)
  const placed: Array<Placed> = []
  const apart = new Set<string>()
  // Recursion is bounded: documents nest at most 100 deep.
  const withOwn = (blocks: ReadonlyArray<Block>, around: Block | undefined, own: ReadonlyArray<Block>) => {
    const free: Array<Block> = []
    const within = new Map<Block, Array<Block>>()
    let next = 0
    let above: Block | undefined
    // Both lists are in text order, so each is traversed once.
    for (const footnote of own) {
      const { from, to } = rangeOf(footnote)
      for (; next < blocks.length && rangeOf(blocks[next]!).from < from; next++) {
        if (ranges.has(blocks[next]!)) above = blocks[next]
      }
      if (above === undefined || rangeOf(above).to < to) {
        free.push(footnote)
        placed.push({ label: labelOf(footnote), around, flow: blocks, next })
        continue
      }
      const inside = within.get(above)
      if (inside === undefined) within.set(above, [footnote])
      else inside.push(footnote)
    }
    const full = blocks.map((block) => {
      const inside = within.get(block)
      if (inside === undefined) return block
      const children = blocksIn(block)
      if (children === undefined) {
        for (const footnote of inside) apart.add(labelOf(footnote))
        return block
      }
      const after = withBlocksIn(block, withOwn(children, block, inside))
      move(block, after)
      return after
    })
    return [...full, ...free].sort((a, b) => rangeOf(a).from - rangeOf(b).from)
  }
  return { from, nodes: withOwn(page.blocks, undefined, own), ranges, text, bare: page.blocks, placed, apart }
}

const labelOf = ({ data }: Pick<Block, "data">): string => normalise(String(data?.label ?? ""))

/**
 * Position of new footnotes: `end` = after all other footnotes, or at the end of the page; `block` = after the block
 * with the annotation.
 */
export type Place = "end" | "block"

/**
 * Returns the blocks of a page with its footnotes. Footnotes of the source keep their positions, and new ones are
 * inserted at `place`.
 */
export const among = ({ blocks, footnotes }: Parted, before: Located, place: Place): ReadonlyArray<Block> => {
  const left = new Map(footnotes)
  for (const label of before.apart) left.delete(label)
  if (left.size === 0) return blocks
  /**
   * Footnotes by key of the containing block (undefined: the page) and by key of the next block (undefined: the end).
   */
  const ahead = new Map<string | undefined, Map<string | undefined, Array<Block>>>()
  const put = (label: string, around: string | undefined, at: string | undefined) => {
    const own = left.get(label)
    if (own === undefined) return
    left.delete(label)
    const flow = ahead.get(around) ?? new Map<string | undefined, Array<Block>>()
    const before = flow.get(at)
    if (before === undefined) ahead.set(around, flow.set(at, [own]))
    else before.push(own)
  }
  let last: string | undefined
  for (const { around, at, label } of knownPlaces(blocks, before, left)) {
    put(label, around, at)
    if (around === undefined) last = at
  }
  if (place === "block") {
    for (const [i, block] of blocks.entries()) {
      for (const label of annotationsIn(block)) put(label, undefined, blocks[i + 1]?.key)
    }
  }
  for (const label of left.keys()) put(label, undefined, last)
  const withAhead = (nodes: ReadonlyArray<Block>, around: string | undefined): ReadonlyArray<Block> => {
    const own = ahead.get(around)
    const all = mapList(nodes, (block) => {
      const children = blocksIn(block)
      return children === undefined ? block : withBlocksIn(block, withAhead(children, block.key))
    })
    if (own === undefined) return all
    return [...all.flatMap((block) => [...(own.get(block.key) ?? []), block]), ...(own.get(undefined) ?? [])]
  }
  return withAhead(blocks, undefined)
}

interface KnownPlace {
  readonly label: string
  readonly around: string | undefined
  readonly at: string | undefined
}

/** Returns the positions of footnotes that the source contains. */
const knownPlaces = (
  blocks: ReadonlyArray<Block>,
  { bare, placed, ranges, text }: Located,
  footnotes: ReadonlyMap<string, Block>
): ReadonlyArray<KnownPlace> => {
  /** Indexes of child blocks by their keys, by key of the containing block. */
  const flows = new Map<string | undefined, ReadonlyMap<string, number>>()
  const parents = new Map<string, string | undefined>()
  const add = (key: string | undefined, nodes: ReadonlyArray<Block>) => {
    flows.set(key, new Map(nodes.map((block, i) => [block.key, i])))
    for (const block of nodes) {
      parents.set(block.key, key)
      add(block.key, blocksIn(block) ?? [])
    }
  }
  add(undefined, blocks)
  const keys = new Map<Block, string>()
  const parentOf = new Map<Block, Block>()
  const pair = (read: ReadonlyArray<Block>, aligned: ReadonlyArray<Block>, around?: Block) => {
    for (const [i, block] of read.entries()) {
      keys.set(block, aligned[i]!.key)
      if (around !== undefined) parentOf.set(block, around)
      pair(blocksIn(block) ?? [], blocksIn(aligned[i]!) ?? [], block)
    }
  }
  pair(bare, align(document(blocks), document(bare)).nodes)
  const moved = new Map<Block, boolean>()
  /**
   * True if a block is now within blocks that did not contain it before. In a blockquote, for example, a footnote is
   * not that of an annotation.
   */
  const isMoved = (block: Block): boolean => {
    const known = moved.get(block)
    if (known !== undefined) return known
    const stood = new Set<string>()
    for (let one = parentOf.get(block); one !== undefined; one = parentOf.get(one)) stood.add(keys.get(one)!)
    let parent = parents.get(keys.get(block)!)
    while (parent !== undefined && stood.has(parent)) parent = parents.get(parent)
    moved.set(block, parent !== undefined)
    return parent !== undefined
  }
  const textOf = (block: Block): string => {
    const range = ranges.get(block)
    return range === undefined ? "" : text.slice(range.from, range.to)
  }
  // An ordinary footnote of the source may have become the footnote of an annotation. Such footnotes are searched in
  // blocks whose lines have no markers, so not in lists, blockquotes and other footnotes.
  const isOpen = (block: Block) =>
    !/^(?:list-.*|blockquote|footnote-definition)$/.test(block.type) && !/^[>:]/.test(textOf(block))
  const ordinary = (nodes: ReadonlyArray<Block>, around: Block | undefined): ReadonlyArray<Placed> =>
    nodes.flatMap((block, i) => {
      const label = block.type === "footnote-definition" ? labelOf(block) : ""
      const own = footnotes.has(label) ? [{ label, around, flow: nodes, next: i + 1 }] : []
      return [...own, ...(isOpen(block) ? ordinary(blocksIn(block) ?? [], block) : [])]
    })
  /**
   * For each block of a flow, the key of the next block that still exists in the same order. Starts with the block
   * itself.
   */
  const following = new Map<ReadonlyArray<Block>, ReadonlyArray<string | undefined>>()
  const followingIn = (flow: ReadonlyArray<Block>, places: ReadonlyMap<string, number>) => {
    const left = flow.flatMap((block, i) => {
      const place = places.get(keys.get(block) ?? "")
      return place === undefined ? [] : [{ i, place }]
    })
    const stayed = new Set(longestIncreasingSubsequence(left.map(({ place }) => place)).map((n) => left[n]!.i))
    const all: Array<string | undefined> = Array.from({ length: flow.length })
    for (let i = flow.length - 1; i >= 0; i--) all[i] = stayed.has(i) ? keys.get(flow[i]!) : all[i + 1]
    following.set(flow, all)
    return all
  }
  return [...placed, ...ordinary(bare, undefined)].flatMap(({ around, flow, label, next }) => {
    if (around !== undefined && isMoved(around)) return []
    const own = around && keys.get(around)
    const left = around !== undefined && own === undefined ? undefined : flows.get(own)
    if (left === undefined) return []
    return [{ label, around: own, at: (following.get(flow) ?? followingIn(flow, left))[next] }]
  })
}

const document = (nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })

/** Returns the labels of the annotations in a block. */
const annotationsIn = (block: Block): ReadonlyArray<string> => [...part([block]).footnotes.keys()]
