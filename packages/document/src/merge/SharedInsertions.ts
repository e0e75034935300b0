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
  readonly sortNames: ReadonlyMap<string, string>
}

export const withSharedInsertions = (
  base: Document,
  main: Document,
  ours: Document,
  fingerprints: Fingerprints
): SharedInsertions => {
  const [{ blocks: baseBlocks }, { blocks: inMain }, { blocks: inOurs }] = [indexOf(base), indexOf(main), indexOf(ours)]
  const isNew = (block: Block) => !baseBlocks.has(block.key) && !(inMain.has(block.key) && inOurs.has(block.key))
  const counterparts = new Map<Block, Block>()
  const isAnyNew = (side: ReadonlyMap<string, Block>) => side.values().some(isNew)
  if (!isAnyNew(inMain) || !isAnyNew(inOurs)) return { ours, sortNames: new Map() }

  const pending: Array<readonly [Parent, Parent]> = [[main, ours]]
  for (const [key, block] of inOurs) {
    const other = inMain.get(key)
    if (other !== undefined) pending.push([other, block])
  }
  for (let at = 0; at < pending.length; at++) {
    const [mainParent, ourParent] = pending[at]!
    const blocksByName = new Map(slots(mainParent).map(({ blocks, name }) => [name, blocks]))
    for (const { blocks, name } of slots(ourParent)) {
      for (const pair of pairInsertions(blocksByName.get(name) ?? [], blocks, isNew, fingerprints)) {
        counterparts.set(pair[1], pair[0])
        // Parts of two tables do not correspond by slot name. Tables correspond as a whole or not at all.
        if (pair[1].type !== "table") pending.push(pair)
      }
    }
  }
  const sortNames = new Map(
    Array.from(counterparts, ([{ key }, counterpart]) => [
      counterpart.key,
      counterpart.key < key ? counterpart.key : key
    ])
  )
  if (counterparts.size === 0) return { ours, sortNames }
  const containers = new Set([...containersOfExisting(main, isNew), ...containersOfExisting(ours, isNew)])
  const renamedDocument = mapBlocks(ours, (rebuilt, original) => {
    const counterpart = counterparts.get(original)
    if (counterpart === undefined) return rebuilt
    if (!containers.has(original) && !containers.has(counterpart)) return counterpart
    return original.type === "table" ? rebuilt : { ...rebuilt, key: counterpart.key }
  })
  return { ours: renamedDocument, sortNames }
}

/**
 * Returns pairs of new blocks with the same content between the same neighbors. Single lines of code are too common to
 * match: they correspond only if one side inserted all lines that the other side inserted at the position.
 */
const pairInsertions = (
  main: ReadonlyArray<Block>,
  ours: ReadonlyArray<Block>,
  isNew: (block: Block) => boolean,
  fingerprints: Fingerprints
): ReadonlyArray<readonly [Block, Block]> => {
  if (ours[0] !== undefined && blockSpec(ours[0].type).contentKind === "verbatim")
    return pairInsertedLines(main, ours, isNew, fingerprints)
  const ourKeys = new Set(ours.map(({ key }) => key))
  const mainKeys = new Set(main.map(({ key }) => key))
  const unpairedBlocks = new Map<string, Array<Block>>()
  let precedingKey = ""
  for (const block of main) {
    if (ourKeys.has(block.key)) precedingKey = block.key
    if (!isNew(block)) continue
    const identity = `${fingerprints.of(block)} ${precedingKey}`
    const queue = unpairedBlocks.get(identity)
    if (queue === undefined) unpairedBlocks.set(identity, [block])
    else queue.push(block)
  }
  // Reversed, so that taking the next one pops from the end instead of shifting.
  for (const queue of unpairedBlocks.values()) queue.reverse()
  precedingKey = ""
  const pairs: Array<readonly [Block, Block]> = []
  for (const block of ours) {
    if (mainKeys.has(block.key)) precedingKey = block.key
    const counterpart = isNew(block)
      ? unpairedBlocks.get(`${fingerprints.of(block)} ${precedingKey}`)?.pop()
      : undefined
    if (counterpart !== undefined) pairs.push([counterpart, block])
  }
  return pairs
}

const pairInsertedLines = (
  main: ReadonlyArray<Block>,
  ours: ReadonlyArray<Block>,
  isNew: (block: Block) => boolean,
  fingerprints: Fingerprints
): ReadonlyArray<readonly [Block, Block]> => {
  const mainRuns = insertedRuns(main, new Set(ours.map(({ key }) => key)), isNew)
  const ourRuns = insertedRuns(ours, new Set(main.map(({ key }) => key)), isNew)
  return Array.from(ourRuns).flatMap(([precedingKey, ourRun]) => {
    const mainRun = mainRuns.get(precedingKey) ?? []
    const length = Math.min(mainRun.length, ourRun.length)
    const pairs = (from: number, to: number) =>
      mainRun.slice(from, from + length).map((block, i) => [block, ourRun[to + i]!] as const)
    const atStart = pairs(0, 0)
    const isSame = ([one, other]: readonly [Block, Block]) => fingerprints.of(one) === fingerprints.of(other)
    if (atStart.every(isSame)) return atStart
    const atEnd = pairs(mainRun.length - length, ourRun.length - length)
    return atEnd.every(isSame) ? atEnd : []
  })
}

/** Returns runs of new blocks, by the key of the preceding block that both sides have. */
const insertedRuns = (blocks: ReadonlyArray<Block>, others: ReadonlySet<string>, isNew: (block: Block) => boolean) => {
  const result = new Map<string, Array<Block>>()
  let precedingKey = ""
  for (const block of blocks) {
    if (others.has(block.key)) precedingKey = block.key
    if (!isNew(block)) continue
    const run = result.get(precedingKey)
    if (run === undefined) result.set(precedingKey, [block])
    else run.push(block)
  }
  return result
}

/** Returns the blocks with a descendant that is not new, such as a new block around existing ones. */
const containersOfExisting = (document: Document, isNew: (block: Block) => boolean): ReadonlySet<Block> => {
  const result = new Set<Block>()
  for (const { block, parent } of entries(document).toReversed()) {
    if (parent !== undefined && (!isNew(block) || result.has(block))) result.add(parent)
  }
  return result
}
