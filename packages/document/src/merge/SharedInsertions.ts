/**
 * Finds blocks that both sides inserted: new on both sides, with the same content at the same position. Assigns one key
 * to both, so that they merge to one block instead of appearing twice.
 */
import type { Block, Document } from "../Document.ts"
import { entries, mapBlocks, type Parent, slots } from "../BlockTree.ts"
import { indexOf } from "../alignment/DocumentIndex.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { blockSpec } from "../vocabulary/BlockTypes.ts"

interface SharedInsertions {
  /** Our document, with main's keys for blocks that both sides inserted. */
  readonly ours: Document
  /** Names of the shared blocks by key. A name does not depend on which side is main. */
  readonly names: ReadonlyMap<string, string>
}

export const withSharedInsertions = (
  base: Document,
  main: Document,
  ours: Document,
  prints: Fingerprints
): SharedInsertions => {
  const [{ blocks: known }, { blocks: inMain }, { blocks: inOurs }] = [indexOf(base), indexOf(main), indexOf(ours)]
  const isNew = (block: Block) => !known.has(block.key) && !(inMain.has(block.key) && inOurs.has(block.key))
  const shared = new Map<Block, Block>()
  const isAnyNew = (side: ReadonlyMap<string, Block>) => side.values().some(isNew)
  if (!isAnyNew(inMain) || !isAnyNew(inOurs)) return { ours, names: new Map() }

  const pending: Array<readonly [Parent, Parent]> = [[main, ours]]
  for (const [key, block] of inOurs) {
    const other = inMain.get(key)
    if (other !== undefined) pending.push([other, block])
  }
  for (let at = 0; at < pending.length; at++) {
    const [left, right] = pending[at]!
    const lists = new Map(slots(left).map(({ blocks, name }) => [name, blocks]))
    for (const { blocks, name } of slots(right)) {
      for (const pair of alike(lists.get(name) ?? [], blocks, isNew, prints)) {
        shared.set(pair[1], pair[0])
        // Parts of two tables do not correspond by slot name. Tables correspond as a whole or not at all.
        if (pair[1].type !== "table") pending.push(pair)
      }
    }
  }
  const names = new Map(Array.from(shared, ([{ key }, twin]) => [twin.key, twin.key < key ? twin.key : key]))
  if (shared.size === 0) return { ours, names }
  const mixed = new Set([...holdsKnown(main, isNew), ...holdsKnown(ours, isNew)])
  const renamed = mapBlocks(ours, (rebuilt, original) => {
    const twin = shared.get(original)
    if (twin === undefined) return rebuilt
    if (!mixed.has(original) && !mixed.has(twin)) return twin
    return original.type === "table" ? rebuilt : { ...rebuilt, key: twin.key }
  })
  return { ours: renamed, names }
}

/**
 * Returns pairs of new blocks with the same content between the same neighbors. Single lines of code are too common to
 * match: they correspond only if one side inserted all lines that the other side inserted at the position.
 */
const alike = (
  main: ReadonlyArray<Block>,
  ours: ReadonlyArray<Block>,
  isNew: (block: Block) => boolean,
  prints: Fingerprints
): ReadonlyArray<readonly [Block, Block]> => {
  if (ours[0] !== undefined && blockSpec(ours[0].type).is === "verbatim") return alikeLines(main, ours, isNew, prints)
  const ourKeys = new Set(ours.map(({ key }) => key))
  const mainKeys = new Set(main.map(({ key }) => key))
  const waiting = new Map<string, Array<Block>>()
  let gap = ""
  for (const block of main) {
    if (ourKeys.has(block.key)) gap = block.key
    if (!isNew(block)) continue
    const place = `${prints.of(block)} ${gap}`
    const queue = waiting.get(place)
    if (queue === undefined) waiting.set(place, [block])
    else queue.push(block)
  }
  // Reversed, so that taking the next one pops from the end instead of shifting.
  for (const queue of waiting.values()) queue.reverse()
  gap = ""
  const pairs: Array<readonly [Block, Block]> = []
  for (const block of ours) {
    if (mainKeys.has(block.key)) gap = block.key
    const twin = isNew(block) ? waiting.get(`${prints.of(block)} ${gap}`)?.pop() : undefined
    if (twin !== undefined) pairs.push([twin, block])
  }
  return pairs
}

const alikeLines = (
  main: ReadonlyArray<Block>,
  ours: ReadonlyArray<Block>,
  isNew: (block: Block) => boolean,
  prints: Fingerprints
): ReadonlyArray<readonly [Block, Block]> => {
  const left = runs(main, new Set(ours.map(({ key }) => key)), isNew)
  const right = runs(ours, new Set(main.map(({ key }) => key)), isNew)
  return Array.from(right).flatMap(([gap, mine]) => {
    const theirs = left.get(gap) ?? []
    const length = Math.min(theirs.length, mine.length)
    const pairs = (from: number, to: number) =>
      theirs.slice(from, from + length).map((block, i) => [block, mine[to + i]!] as const)
    const atStart = pairs(0, 0)
    const isSame = ([one, other]: readonly [Block, Block]) => prints.of(one) === prints.of(other)
    if (atStart.every(isSame)) return atStart
    const atEnd = pairs(theirs.length - length, mine.length - length)
    return atEnd.every(isSame) ? atEnd : []
  })
}

/** Returns runs of new blocks, by the key of the preceding block that both sides have. */
const runs = (blocks: ReadonlyArray<Block>, others: ReadonlySet<string>, isNew: (block: Block) => boolean) => {
  const found = new Map<string, Array<Block>>()
  let gap = ""
  for (const block of blocks) {
    if (others.has(block.key)) gap = block.key
    if (!isNew(block)) continue
    const run = found.get(gap)
    if (run === undefined) found.set(gap, [block])
    else run.push(block)
  }
  return found
}

/** Returns the blocks with a descendant that is not new, such as a new block around existing ones. */
const holdsKnown = (document: Document, isNew: (block: Block) => boolean): ReadonlySet<Block> => {
  const found = new Set<Block>()
  for (const { block, parent } of entries(document).toReversed()) {
    if (parent !== undefined && (!isNew(block) || found.has(block))) found.add(parent)
  }
  return found
}
