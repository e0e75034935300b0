/**
 * Footnotes of annotations in the text of a page. In the text, such a footnote is a separate block. The document has no
 * such block. Footnotes are inserted among the blocks of the page, and reprinted like other blocks (see `Reprint`). A
 * changed footnote is updated at its position. A footnote without an annotation is removed.
 */
import { align } from "../alignment/DocumentAlignment.ts"
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"
import type { Block, Document, Inline } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { serializeContent, type ExistingFootnotes } from "./AnnotationFootnotes.ts"
import { normalizeLabel } from "./LinkReferences.ts"
import { childBlocks, withChildBlocks } from "./ChildBlocks.ts"
import type { ParsedSource } from "./Reprint.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

/** A page, split into footnotes of annotations and blocks without annotation bodies. */
export interface SplitPage {
  readonly blocks: ReadonlyArray<Block>
  /** Footnotes by normalized label. */
  readonly footnotes: ReadonlyMap<string, Block>
}

/** Splits the blocks of a page. `onReplace`: called for each block that is replaced by one without annotation bodies. */
export const splitPage = (blocks: ReadonlyArray<Block>, onReplace?: (from: Block, to: Block) => void): SplitPage => {
  const footnotes = new Map<string, Block>()
  // Documents are at most 100 levels deep, so the call stack cannot overflow.
  const withoutBodies = <A extends Block | Inline>(node: A): A => {
    if (node.object === "inline" && node.type === "annotation") return withoutBody(node, footnotes)
    const strippedNode = withParts(node, {
      nodes: node.nodes && mapList(node.nodes, (child) => (child.object === "text" ? child : withoutBodies(child))),
      fragments:
        node.fragments && mapList(node.fragments, (each) => withNodes(each, mapList(each.nodes, withoutBodies)))
    })
    if (strippedNode !== node && node.object === "block") onReplace?.(node, strippedNode as Block)
    return strippedNode
  }
  return { blocks: mapList(blocks, withoutBodies), footnotes }
}

const withoutBody = <A extends Block | Inline>(node: A, footnotes: Map<string, Block>): A => {
  const label = node.data?.label
  if (typeof label !== "string") return node
  const { fragments, ...annotation } = node
  const nodes = fragments?.[0]?.nodes ?? []
  footnotes.set(normalizeLabel(label), createFootnote(label, nodes))
  return annotation as A
}

const createFootnote = (label: string, nodes: ReadonlyArray<Block>): Block => ({
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
export const separateFootnotes = ({ footnotes }: SplitPage): ExistingFootnotes =>
  new Map(Array.from(footnotes.keys(), (label) => [label, serializeContent([])]))

/** Position of a footnote among the blocks of a page. */
interface FootnotePosition {
  readonly label: string
  /** Block that contains the footnote, without annotation bodies; undefined for the page. */
  readonly container: Block | undefined
  /** `siblings`: siblings of the footnote. `nextIndex`: index of the first sibling after the footnote. */
  readonly siblings: ReadonlyArray<Block>
  readonly nextIndex: number
}

interface SourceWithFootnotes extends ParsedSource {
  /** Blocks of the document, without annotation bodies. */
  readonly blocks: ReadonlyArray<Block>
  readonly positions: ReadonlyArray<FootnotePosition>
  /** Labels of footnotes that are not among child blocks, such as between `{% else %}` and its end. */
  readonly unreachable: ReadonlySet<string>
}

/** Returns the parsed page, with the footnotes of its annotations inserted at their positions. */
export const withFootnotes = ({ from, nodes, ranges: parsedRanges, text }: ParsedSource): SourceWithFootnotes => {
  const ranges = new Map(parsedRanges)
  const copyRange = (from: Block, to: Block) => {
    const range = ranges.get(from)
    if (range !== undefined) ranges.set(to, range)
  }
  const page = splitPage(nodes, copyRange)
  const footnoteBlocks: Array<Block> = []
  for (const block of parsedRanges.keys()) {
    const footnote = block.type === "footnote-definition" ? page.footnotes.get(labelOf(block)) : undefined
    if (footnote === undefined || footnote.nodes !== block.nodes) continue
    copyRange(block, footnote)
    footnoteBlocks.push(footnote)
  }
  const rangeOf = (block: Block): TextRange => ranges.get(block) ?? { from: 0, to: 0 }
  // Footnotes are reported in the order of their annotations, which may differ from text order.
  footnoteBlocks.sort((a, b) => rangeOf(a).from - rangeOf(b).from)
  const positions: Array<FootnotePosition> = []
  const unreachable = new Set<string>()
  // Documents are at most 100 levels deep, so the call stack cannot overflow.
  const insertFootnotes = (
    blocks: ReadonlyArray<Block>,
    container: Block | undefined,
    footnotes: ReadonlyArray<Block>
  ) => {
    const directFootnotes: Array<Block> = []
    const nestedByBlock = new Map<Block, Array<Block>>()
    let nextIndex = 0
    let previousBlock: Block | undefined
    // Both lists are in text order, so each is traversed once.
    for (const footnote of footnotes) {
      const { from, to } = rangeOf(footnote)
      for (; nextIndex < blocks.length && rangeOf(blocks[nextIndex]!).from < from; nextIndex++) {
        if (ranges.has(blocks[nextIndex]!)) previousBlock = blocks[nextIndex]
      }
      if (previousBlock === undefined || rangeOf(previousBlock).to < to) {
        directFootnotes.push(footnote)
        positions.push({ label: labelOf(footnote), container, siblings: blocks, nextIndex })
        continue
      }
      const nestedFootnotes = nestedByBlock.get(previousBlock)
      if (nestedFootnotes === undefined) nestedByBlock.set(previousBlock, [footnote])
      else nestedFootnotes.push(footnote)
    }
    const blocksWithNested = blocks.map((block) => {
      const nested = nestedByBlock.get(block)
      if (nested === undefined) return block
      const children = childBlocks(block)
      if (children === undefined) {
        for (const footnote of nested) unreachable.add(labelOf(footnote))
        return block
      }
      const after = withChildBlocks(block, insertFootnotes(children, block, nested))
      copyRange(block, after)
      return after
    })
    return [...blocksWithNested, ...directFootnotes].sort((a, b) => rangeOf(a).from - rangeOf(b).from)
  }
  return {
    from,
    nodes: insertFootnotes(page.blocks, undefined, footnoteBlocks),
    ranges,
    text,
    blocks: page.blocks,
    positions,
    unreachable
  }
}

const labelOf = ({ data }: Pick<Block, "data">): string => normalizeLabel(String(data?.label ?? ""))

/**
 * Position of new footnotes: `end` = after all other footnotes, or at the end of the page; `block` = after the block
 * with the annotation.
 */
export type FootnotePlacement = "end" | "block"

/**
 * Returns the blocks of a page with its footnotes. Footnotes of the source keep their positions, and new footnotes are
 * inserted as `placement` states.
 */
export const insertIntoPage = (
  { blocks, footnotes }: SplitPage,
  source: SourceWithFootnotes,
  placement: FootnotePlacement
): ReadonlyArray<Block> => {
  const pendingFootnotes = new Map(footnotes)
  for (const label of source.unreachable) pendingFootnotes.delete(label)
  if (pendingFootnotes.size === 0) return blocks
  /**
   * Footnotes by key of the containing block (undefined: the page) and by key of the next block (undefined: the end).
   */
  const footnotesByPosition = new Map<string | undefined, Map<string | undefined, Array<Block>>>()
  const insertAt = (label: string, containerKey: string | undefined, nextKey: string | undefined) => {
    const footnote = pendingFootnotes.get(label)
    if (footnote === undefined) return
    pendingFootnotes.delete(label)
    const footnotesByNextKey = footnotesByPosition.get(containerKey) ?? new Map<string | undefined, Array<Block>>()
    const existingFootnotes = footnotesByNextKey.get(nextKey)
    if (existingFootnotes === undefined)
      footnotesByPosition.set(containerKey, footnotesByNextKey.set(nextKey, [footnote]))
    else existingFootnotes.push(footnote)
  }
  let lastNextKey: string | undefined
  for (const { containerKey, nextKey, label } of existingPositions(blocks, source, pendingFootnotes)) {
    insertAt(label, containerKey, nextKey)
    if (containerKey === undefined) lastNextKey = nextKey
  }
  if (placement === "block") {
    for (const [i, block] of blocks.entries()) {
      for (const label of annotationLabels(block)) insertAt(label, undefined, blocks[i + 1]?.key)
    }
  }
  for (const label of pendingFootnotes.keys()) insertAt(label, undefined, lastNextKey)
  const withFootnotesInside = (nodes: ReadonlyArray<Block>, containerKey: string | undefined): ReadonlyArray<Block> => {
    const ownFootnotes = footnotesByPosition.get(containerKey)
    const mappedBlocks = mapList(nodes, (block) => {
      const children = childBlocks(block)
      return children === undefined ? block : withChildBlocks(block, withFootnotesInside(children, block.key))
    })
    if (ownFootnotes === undefined) return mappedBlocks
    return [
      ...mappedBlocks.flatMap((block) => [...(ownFootnotes.get(block.key) ?? []), block]),
      ...(ownFootnotes.get(undefined) ?? [])
    ]
  }
  return withFootnotesInside(blocks, undefined)
}

interface ExistingPosition {
  readonly label: string
  readonly containerKey: string | undefined
  readonly nextKey: string | undefined
}

/** Returns the positions of footnotes that the source contains. */
const existingPositions = (
  blocks: ReadonlyArray<Block>,
  { blocks: sourceBlocks, positions, ranges, text }: SourceWithFootnotes,
  footnotes: ReadonlyMap<string, Block>
): ReadonlyArray<ExistingPosition> => {
  /** Indexes of child blocks by their keys, by key of the containing block. */
  const indexesByContainer = new Map<string | undefined, ReadonlyMap<string, number>>()
  const parents = new Map<string, string | undefined>()
  const indexBlocks = (key: string | undefined, nodes: ReadonlyArray<Block>) => {
    indexesByContainer.set(key, new Map(nodes.map((block, i) => [block.key, i])))
    for (const block of nodes) {
      parents.set(block.key, key)
      indexBlocks(block.key, childBlocks(block) ?? [])
    }
  }
  indexBlocks(undefined, blocks)
  const keys = new Map<Block, string>()
  const parentOf = new Map<Block, Block>()
  const pairKeys = (parsedBlocks: ReadonlyArray<Block>, alignedBlocks: ReadonlyArray<Block>, container?: Block) => {
    for (const [i, block] of parsedBlocks.entries()) {
      keys.set(block, alignedBlocks[i]!.key)
      if (container !== undefined) parentOf.set(block, container)
      pairKeys(childBlocks(block) ?? [], childBlocks(alignedBlocks[i]!) ?? [], block)
    }
  }
  pairKeys(sourceBlocks, align(documentOf(blocks), documentOf(sourceBlocks)).nodes)
  const movedByBlock = new Map<Block, boolean>()
  /**
   * True if a block is now within blocks that did not contain it before. In a blockquote, for example, a footnote does
   * not belong to an annotation.
   */
  const isInNewContainer = (block: Block): boolean => {
    const cachedResult = movedByBlock.get(block)
    if (cachedResult !== undefined) return cachedResult
    const previousAncestors = new Set<string>()
    for (let ancestor = parentOf.get(block); ancestor !== undefined; ancestor = parentOf.get(ancestor))
      previousAncestors.add(keys.get(ancestor)!)
    let parent = parents.get(keys.get(block)!)
    while (parent !== undefined && previousAncestors.has(parent)) parent = parents.get(parent)
    movedByBlock.set(block, parent !== undefined)
    return parent !== undefined
  }
  const sourceOf = (block: Block): string => {
    const range = ranges.get(block)
    return range === undefined ? "" : text.slice(range.from, range.to)
  }
  // An ordinary footnote of the source may have become the footnote of an annotation. Such footnotes are searched in
  // blocks whose lines have no markers, so not in lists, blockquotes and other footnotes.
  const isTransparent = (block: Block) =>
    !/^(?:list-.*|blockquote|footnote-definition)$/.test(block.type) && !/^[>:]/.test(sourceOf(block))
  const ordinaryFootnotes = (
    nodes: ReadonlyArray<Block>,
    container: Block | undefined
  ): ReadonlyArray<FootnotePosition> =>
    nodes.flatMap((block, i) => {
      const label = block.type === "footnote-definition" ? labelOf(block) : ""
      const own = footnotes.has(label) ? [{ label, container, siblings: nodes, nextIndex: i + 1 }] : []
      return [...own, ...(isTransparent(block) ? ordinaryFootnotes(childBlocks(block) ?? [], block) : [])]
    })
  /**
   * For each of several siblings, the key of the first sibling that still exists in the same order: the block itself or
   * a later sibling.
   */
  const nextKeysCache = new Map<ReadonlyArray<Block>, ReadonlyArray<string | undefined>>()
  const nextKeysIn = (siblings: ReadonlyArray<Block>, indexes: ReadonlyMap<string, number>) => {
    const remaining = siblings.flatMap((block, i) => {
      const index = indexes.get(keys.get(block) ?? "")
      return index === undefined ? [] : [{ i, index }]
    })
    const unmovedIndexes = new Set(
      longestIncreasingSubsequence(remaining.map(({ index }) => index)).map((n) => remaining[n]!.i)
    )
    const nextKeys: Array<string | undefined> = Array.from({ length: siblings.length })
    for (let i = siblings.length - 1; i >= 0; i--)
      nextKeys[i] = unmovedIndexes.has(i) ? keys.get(siblings[i]!) : nextKeys[i + 1]
    nextKeysCache.set(siblings, nextKeys)
    return nextKeys
  }
  return [...positions, ...ordinaryFootnotes(sourceBlocks, undefined)].flatMap(
    ({ container, siblings, label, nextIndex }) => {
      if (container !== undefined && isInNewContainer(container)) return []
      const containerKey = container && keys.get(container)
      const indexes =
        container !== undefined && containerKey === undefined ? undefined : indexesByContainer.get(containerKey)
      if (indexes === undefined) return []
      return [
        { label, containerKey, nextKey: (nextKeysCache.get(siblings) ?? nextKeysIn(siblings, indexes))[nextIndex] }
      ]
    }
  )
}

const documentOf = (nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })

/** Returns the labels of the annotations in a block. */
const annotationLabels = (block: Block): ReadonlyArray<string> => [...splitPage([block]).footnotes.keys()]
