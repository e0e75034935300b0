/**
 * Finds blocks that both sides moved and that got a different key on each side. This happens if a block has too few
 * words to be recognized at its new position (see `minMovedWords`). Its key there is new, or the key of another block
 * that then looks edited. Both sides get one key for the block, its original key if that is free. The block then merges
 * as one block that both sides moved, instead of appearing twice.
 *
 * Applies only without ambiguity: the base and both sides each have exactly one block with this content.
 */
import type { Block, Document } from "../Document.ts"
import { entries, freeKeyMaker, mapBlocks } from "../BlockTree.ts"
import { indexOf } from "../alignment/DocumentIndex.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"

interface Sides {
  readonly base: Document
  readonly main: Document
  readonly ours: Document
}

export const withSharedMoves = (sides: Sides, fingerprints: Fingerprints): Sides => {
  const { base, main, ours } = sides
  const [{ blocks: baseBlocks }, { blocks: inMain }, { blocks: inOurs }] = [indexOf(base), indexOf(main), indexOf(ours)]
  const changedFingerprints = (side: ReadonlyMap<string, Block>) =>
    new Set(
      side.values().flatMap((block) => {
        const before = baseBlocks.get(block.key)
        if (before === block) return []
        const fingerprint = fingerprints.of(block)
        return before !== undefined && fingerprints.of(before) === fingerprint ? [] : [fingerprint]
      })
    )
  const changedInOurs = changedFingerprints(inOurs)
  const changedInBoth = new Set(
    [...changedFingerprints(inMain)].filter((fingerprint) => changedInOurs.has(fingerprint))
  )
  if (changedInBoth.size === 0) return sides
  const [uniqueInBase, uniqueInMain, uniqueInOurs] = [base, main, ours].map((side) =>
    uniqueBlocks(side, changedInBoth, fingerprints)
  ) as [BlockByFingerprint, BlockByFingerprint, BlockByFingerprint]
  const freeKey = freeKeyMaker(new Set([...baseBlocks.keys(), ...inMain.keys(), ...inOurs.keys()]))
  const newKeys = new Map<Block, string>()
  for (const [fingerprint, block] of uniqueInBase) {
    const [mainBlock, ourBlock] = [uniqueInMain.get(fingerprint), uniqueInOurs.get(fingerprint)]
    if (block === undefined || mainBlock === undefined || ourBlock === undefined || mainBlock.key === ourBlock.key)
      continue
    const isFree = !inMain.has(block.key) && !inOurs.has(block.key)
    const key = isFree ? block.key : freeKey(block.key)
    newKeys.set(mainBlock, key).set(ourBlock, key)
  }
  if (newKeys.size === 0) return sides
  const withNewKeys = (side: Document) =>
    mapBlocks(side, (rebuilt, original) => {
      const key = newKeys.get(original)
      return key === undefined ? rebuilt : { ...rebuilt, key }
    })
  return { base, main: withNewKeys(main), ours: withNewKeys(ours) }
}

/** Blocks by fingerprint. Undefined if several blocks have the fingerprint. */
type BlockByFingerprint = ReadonlyMap<number, Block | undefined>

const uniqueBlocks = (
  document: Document,
  candidates: ReadonlySet<number>,
  fingerprints: Fingerprints
): BlockByFingerprint => {
  const result = new Map<number, Block | undefined>()
  for (const { block } of entries(document)) {
    const fingerprint = fingerprints.of(block)
    if (candidates.has(fingerprint)) result.set(fingerprint, result.has(fingerprint) ? undefined : block)
  }
  return result
}
