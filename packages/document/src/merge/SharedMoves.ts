/**
 * Finds blocks that both sides moved and that got a different key on each side. This happens if a block has too few
 * words to be recognized at its new position (see `minMovedWords`). Its key there is new, or the key of another block
 * that then looks edited. Both sides get one key for the block, its original key if that is free. The block then merges
 * as one block that both sides moved, instead of appearing twice.
 *
 * Applies only without ambiguity: the base and both sides each have exactly one block with this content.
 */
import type { Block, Document } from "../Document.ts"
import { entries, keyMaker, mapBlocks } from "../BlockTree.ts"
import { indexOf } from "../alignment/DocumentIndex.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"

interface Sides {
  readonly base: Document
  readonly main: Document
  readonly ours: Document
}

export const withSharedMoves = (sides: Sides, prints: Fingerprints): Sides => {
  const { base, main, ours } = sides
  const [{ blocks: known }, { blocks: inMain }, { blocks: inOurs }] = [indexOf(base), indexOf(main), indexOf(ours)]
  const changed = (side: ReadonlyMap<string, Block>) =>
    new Set(
      side.values().flatMap((block) => {
        const before = known.get(block.key)
        if (before === block) return []
        const print = prints.of(block)
        return before !== undefined && prints.of(before) === print ? [] : [print]
      })
    )
  const changedInOurs = changed(inOurs)
  const both = new Set([...changed(inMain)].filter((print) => changedInOurs.has(print)))
  if (both.size === 0) return sides
  const [once, onceInMain, onceInOurs] = [base, main, ours].map((side) => unique(side, both, prints)) as [
    Blocks,
    Blocks,
    Blocks
  ]
  const freeKey = keyMaker(new Set([...known.keys(), ...inMain.keys(), ...inOurs.keys()]))
  const moved = new Map<Block, string>()
  for (const [print, block] of once) {
    const [left, right] = [onceInMain.get(print), onceInOurs.get(print)]
    if (block === undefined || left === undefined || right === undefined || left.key === right.key) continue
    const isFree = !inMain.has(block.key) && !inOurs.has(block.key)
    const key = isFree ? block.key : freeKey(block.key)
    moved.set(left, key).set(right, key)
  }
  if (moved.size === 0) return sides
  const renamed = (side: Document) =>
    mapBlocks(side, (rebuilt, original) => {
      const key = moved.get(original)
      return key === undefined ? rebuilt : { ...rebuilt, key }
    })
  return { base, main: renamed(main), ours: renamed(ours) }
}

/** Blocks by fingerprint. Undefined if several blocks have the fingerprint. */
type Blocks = ReadonlyMap<number, Block | undefined>

const unique = (document: Document, wanted: ReadonlySet<number>, prints: Fingerprints): Blocks => {
  const found = new Map<number, Block | undefined>()
  for (const { block } of entries(document)) {
    const print = prints.of(block)
    if (wanted.has(print)) found.set(print, found.has(print) ? undefined : block)
  }
  return found
}
