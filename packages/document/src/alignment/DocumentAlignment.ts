/**
 * Assigns to the blocks of a new version of a document the keys of the corresponding blocks of the previous version.
 * Saving an unchanged document therefore changes nothing, and an edit of one paragraph changes one block.
 *
 * Blocks correspond in this order:
 *
 * 1. Equal blocks between the same neighbors.
 * 2. Equal blocks anywhere that occur once in both documents and have at least `minMovedWords` words (a move).
 * 3. Edited blocks of one type or family at the same position.
 * 4. All of these within each edited block: list items, tabs, fragments, lines of code, records and columns of a table.
 * 5. Container blocks that were edited and moved, such as a list that was put into a tab. Their descendants identify
 *    them.
 *
 * Keys of the new version are no evidence of a correspondence.
 *
 * A document that a client sent as a tree gets the line ends of the previous version back (see `LineEnds`).
 */
import type { Block, Document, Fragment, Inline, Node, Text } from "../Document.ts"
import {
  entries,
  fragmentNames,
  isBlock,
  keyMaker,
  mapBlocks,
  type Parent,
  slots,
  withUniqueKeys
} from "../BlockTree.ts"
import { withParts } from "../DocumentMapping.ts"
import { type Candidate, candidate, likeness, matchEdited, minMovedWords } from "./EditMatch.ts"
import { Fingerprints } from "./Fingerprints.ts"
import { holdsBlocks, Kinship } from "./Kinship.ts"
import * as LineEnds from "./LineEnds.ts"
import { matchEqual } from "./SequenceMatch.ts"
import * as TableAlignment from "./TableAlignment.ts"
import { isCode } from "../answered/AnsweredText.ts"
import { blockTypes, isBlockType } from "../vocabulary/BlockTypes.ts"

export interface AlignOptions {
  /** True if a client sent the next document as a tree, which shows line ends of the source as spaces. Default: false. */
  readonly isTree?: boolean | undefined
}

export const align = (previous: Document, next: Document, { isTree = false }: AlignOptions = {}): Document => {
  const prints = new Fingerprints()
  if (isAligned(previous, next, prints)) return previous
  const { edited, renames, twins } = correspond(previous, next, prints)
  const freshKey = newKeys(next, twins, edited)
  const aligned = mapBlocks(next, (rebuilt, original) => {
    const twin = twins.get(original)
    if (twin !== undefined) return twin
    const before = edited.get(original)
    if (before === undefined) {
      const key = freshKey(rebuilt.key)
      return key === rebuilt.key ? rebuilt : { ...rebuilt, key }
    }
    const renamed = renames.get(original)?.(rebuilt) ?? rebuilt
    if (!isTree) return withKeysOf(before, renamed, prints)
    const restored = withLineEndsOf(before, renamed, prints)
    return prints.of(restored) === prints.of(before) ? before : withKeysOf(before, restored, prints)
  })
  const data = prints.of(previous.data) === prints.of(next.data) ? previous.data : next.data
  return withUniqueKeys({ ...aligned, data })
}

/**
 * Returns true if both documents have the same content, regardless of keys. `align` then returns the previous document
 * itself.
 */
export const isAligned = (previous: Document, next: Document, prints = new Fingerprints()): boolean =>
  previous.nodes.length === next.nodes.length &&
  prints.of(previous.data) === prints.of(next.data) &&
  previous.nodes.every((block, i) => prints.of(block) === prints.of(next.nodes[i]!))

/**
 * Returns a function that chooses the key of a new block: the block's current key, or a free key if a block that stays
 * has that key.
 */
const newKeys = (
  next: Document,
  twins: ReadonlyMap<Block, Block>,
  edited: ReadonlyMap<Block, Block>
): ((key: string) => string) => {
  const kept = new Set(Array.from(edited.values(), ({ key }) => key))
  for (const { key } of within(twins.values())) kept.add(key)
  const freeKey = keyMaker(new Set([...kept, ...entries(next).map(({ block }) => block.key)]))
  return (key) => (kept.has(key) ? freeKey(key) : key)
}

/** Returns blocks and all of their descendants. */
const within = (blocks: Iterable<Block>): ReadonlyArray<Block> =>
  entries({ object: "document", data: {}, nodes: [...new Set(blocks)] }).map(({ block }) => block)

/** Minimum likeness of a block that was edited and moved to its previous version. */
const minLikeness = 0.5

/** Maps blocks of the next document to the equal (`twins`) or edited (`edited`) block of the previous document. */
interface Correspondence {
  readonly twins: ReadonlyMap<Block, Block>
  readonly edited: ReadonlyMap<Block, Block>
  readonly renames: ReadonlyMap<Block, (block: Block) => Block>
}

const correspond = (previous: Document, next: Document, prints: Fingerprints): Correspondence => {
  const twins = new Map<Block, Block>()
  const edited = new Map<Block, Block>()
  const renames = new Map<Block, (block: Block) => Block>()
  const described = new Map<Block, Candidate>()
  const describe = (block: Block) => {
    const known = described.get(block) ?? candidate(block.type, family(block), block)
    described.set(block, known)
    return known
  }
  const kinship = new Kinship(previous, next, prints)
  const moves = unmistakable(previous, next, prints)
  const isMove = (block: Block) => moves.has(prints.of(block)) && describe(block).size >= minMovedWords

  const pending: Array<readonly [Parent | undefined, Parent]> = [[previous, next]]
  const descend = (block: Block) => {
    const old = edited.get(block)
    const rename = old && TableAlignment.aligned(old, block, prints)
    if (rename !== undefined) renames.set(block, rename)
    pending.push([old, rename?.(block) ?? block])
  }
  const newcomers: Array<Block> = []
  /** Blocks of the previous document that already have a counterpart. Maintained only while newcomers are matched. */
  let taken: Set<Block> | undefined
  const step = ([before, after]: readonly [Parent | undefined, Parent]) => {
    const from = new Map(before === undefined ? [] : slots(before).map((slot) => [slot.name, slot.blocks]))
    for (const { blocks: to, name } of slots(after)) {
      const blocks = from.get(name) ?? []
      const pairs = matchEqual(
        blocks.map((block) => prints.of(block)),
        to.map((block) => prints.of(block)),
        prints.effort
      )
      for (const [i, j] of pairs) twins.set(to[j]!, blocks[i]!)
      for (const block of to) {
        const moved = twins.has(block) ? undefined : moves.get(prints.of(block))
        if (moved !== undefined && isMove(block)) twins.set(block, moved)
      }
      const edits = matchEdited(
        pairs,
        [blocks.length, to.length],
        (i) => (isMove(blocks[i]!) || taken?.has(blocks[i]!) === true ? undefined : describe(blocks[i]!)),
        (j) => (twins.has(to[j]!) ? undefined : describe(to[j]!)),
        prints.effort,
        (i, j) => (holdsBlocks(blocks[i]!) && holdsBlocks(to[j]!) ? kinship.of(blocks[i]!, to[j]!) : undefined)
      )
      for (const [i, j] of edits) edited.set(to[j]!, blocks[i]!)
      for (const block of to) {
        const twin = twins.get(block)
        if (twin === undefined) descend(block)
        const old = twin ?? edited.get(block)
        if (taken === undefined) {
          if (old === undefined && holdsBlocks(block)) newcomers.push(block)
        } else if (old !== undefined) {
          for (const each of twin === undefined ? [old] : within([old])) taken.add(each)
        }
      }
    }
  }
  let at = 0
  const walk = () => {
    for (; at < pending.length; at++) step(pending[at]!)
  }
  walk()
  if (newcomers.length === 0) return { twins, edited, renames }
  const isTaken = (taken = new Set([...edited.values(), ...within(twins.values())]))
  for (const block of newcomers) {
    if (edited.has(block) || twins.has(block)) continue
    const origin = kinship.origin(block, (one) => !isTaken.has(one))
    if (origin === undefined || likeness(describe(origin), describe(block)) < minLikeness) continue
    edited.set(block, origin)
    taken.add(origin)
    descend(block)
    walk()
  }
  return { twins, edited, renames }
}

/** Returns the blocks of the previous document that occur once in both documents, by fingerprint. */
const unmistakable = (previous: Document, next: Document, prints: Fingerprints): ReadonlyMap<number, Block> => {
  const unique = (document: Document) => {
    const once = new Map<number, Block | undefined>()
    for (const { block } of entries(document)) {
      const print = prints.of(block)
      once.set(print, once.has(print) ? undefined : block)
    }
    return once
  }
  const inNext = unique(next)
  const found = new Map<number, Block>()
  for (const [print, block] of unique(previous)) {
    if (block !== undefined && inNext.get(print) !== undefined) found.set(print, block)
  }
  return found
}

/**
 * Returns the family of a block, within which an edit may change the type: a heading may change its level, for example.
 * A block of an unknown type belongs to the family `text` if it contains only text and inlines.
 */
const family = (block: Block): string | undefined => {
  if (isBlockType(block.type)) return blockTypes[block.type].family
  return block.nodes !== undefined && block.nodes.length > 0 && block.nodes.every((node) => !isBlock(node))
    ? "text"
    : undefined
}

const withLineEndsOf = (before: Block, block: Block, prints: Fingerprints): Block =>
  before.nodes === undefined || block.nodes === undefined || isCode(block)
    ? block
    : withParts(block, { nodes: LineEnds.restored(before.nodes, block.nodes, prints) })

const withKeysOf = (before: Block, block: Block, prints: Fingerprints): Block => {
  const result = { ...block, key: before.key }
  const nodes = block.nodes && withInlinesOf(before.nodes ?? [], block.nodes, prints)
  const fragments = block.fragments && withFragmentKeysOf(before.fragments ?? [], block.fragments)
  return { ...result, ...(nodes && { nodes }), ...(fragments && { fragments }) }
}

/** Keeps the previous nodes for equal texts and inlines. Edited texts and inlines take the remaining keys in order. */
const withInlinesOf = (
  before: ReadonlyArray<Node>,
  nodes: ReadonlyArray<Node>,
  prints: Fingerprints
): ReadonlyArray<Node> => {
  const own = (all: ReadonlyArray<Node>) => all.filter((node): node is Inline | Text => !isBlock(node))
  const from = own(before)
  const to = own(nodes)
  if (from.length === 0 || to.length === 0) return nodes
  const pairs = matchEqual(
    from.map((node) => prints.of(node)),
    to.map((node) => prints.of(node)),
    prints.effort
  )
  const kept = new Map<Node, Node>(pairs.map(([i, j]) => [to[j]!, from[i]!]))
  const used = new Set<Node>(kept.values())
  // Reversed, so that taking the next one pops from the end instead of shifting.
  const spare = from.filter((node) => !used.has(node) && node.key !== undefined).toReversed()
  return nodes.map((node) => {
    if (isBlock(node)) return node
    const equal = kept.get(node)
    if (equal !== undefined) return equal
    const key = spare.at(-1)?.object === node.object ? spare.pop()?.key : undefined
    return key === undefined ? node : { ...node, key }
  })
}

const withFragmentKeysOf = (
  before: ReadonlyArray<Fragment>,
  fragments: ReadonlyArray<Fragment>
): ReadonlyArray<Fragment> => {
  const names = fragmentNames(before)
  const keys = new Map(before.map(({ key }, i) => [names[i]!, key]))
  const own = fragmentNames(fragments)
  return fragments.map((fragment, i) => {
    const key = keys.get(own[i]!)
    return key === undefined || key === fragment.key ? fragment : { ...fragment, key }
  })
}
