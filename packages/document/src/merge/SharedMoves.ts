/**
 * Finds what both sides moved and neither told: a block that says too little to be known again where it is written in
 * another place (see `minMovedWords`), so that it has another key there, a new one or that of a block which seems to
 * have been edited. It gets one key on both sides, its own again where no other block has it, and is merged as a block
 * that both moved, instead of standing there twice.
 *
 * Only where nothing else can be meant: base and both sides have one block that says this.
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

/** By fingerprint; undefined where several have it. */
type Blocks = ReadonlyMap<number, Block | undefined>

const unique = (document: Document, wanted: ReadonlySet<number>, prints: Fingerprints): Blocks => {
  const found = new Map<number, Block | undefined>()
  for (const { block } of entries(document)) {
    const print = prints.of(block)
    if (wanted.has(print)) found.set(print, found.has(print) ? undefined : block)
  }
  return found
}
