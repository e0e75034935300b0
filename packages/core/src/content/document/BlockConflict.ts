/**
 * What two sides did to one block that does not go together, and how a person settles it. The
 * document has ours (or, where a side deleted the block, what the other made of it); the conflict
 * holds each side's block as it was there, undefined where it was not.
 */
import { Result } from "effect"
import type { Block, Document } from "../Document.ts"
import { entries, inlines, mapBlocks, slots, withBlocks } from "./BlockTree.ts"

export interface BlockConflict {
  readonly block: string
  readonly base: Block | undefined
  readonly main: Block | undefined
  readonly ours: Block | undefined
}

export type Keep = "main" | "ours" | "both"

export interface ConflictRefused {
  readonly message: string
}

/**
 * The document with the conflict settled. `ours` leaves a block that both sides have as it stands,
 * with what main changed elsewhere in it; `main` gives it main's type, data and text, with the
 * blocks that are now inside it. `both` puts main's block first and what stands there now after
 * it, under new keys from `nextKey`. A block that the kept side deleted goes.
 *
 * Refused when the block is no longer in the document.
 */
export const resolve = (
  document: Document,
  conflict: BlockConflict,
  keep: Keep,
  nextKey: () => string
): Result.Result<Document, ConflictRefused> => {
  const all = entries(document)
  const current = all.find(({ block }) => block.key === conflict.block)?.block
  const { main, ours } = conflict
  if (current === undefined) {
    return Result.fail({ message: `Block ${conflict.block} is no longer in the document` })
  }
  const replaceBy = (blocks: ReadonlyArray<Block>) =>
    Result.succeed(mapBlocks(document, (rebuilt, original) => (original === current ? blocks : rebuilt)))
  if (keep === "ours") return ours === undefined ? replaceBy([]) : Result.succeed(document)
  if (keep === "main") {
    if (main === undefined) return replaceBy([])
    return replaceBy([ours === undefined ? elsewhere(main, document, current) : withOwn(main, current)])
  }
  if (main === undefined || ours === undefined) return Result.succeed(document)
  return replaceBy([elsewhere(main, document, current), withNewKeys(current, nextKey)])
}

const alone = (block: Block): Document => ({ object: "document", data: {}, nodes: [block] })

const withNewKeys = (block: Block, nextKey: () => string): Block =>
  mapBlocks(alone(block), (inner) => ({ ...inner, key: nextKey() })).nodes[0]!

/** The block without the blocks in it that the document has elsewhere than in what it replaces. */
const elsewhere = (block: Block, document: Document, replaced: Block): Block => {
  const here = new Set(entries(alone(replaced)).map((entry) => entry.block.key))
  const taken = new Set(entries(document).flatMap((entry) => (here.has(entry.block.key) ? [] : [entry.block.key])))
  return mapBlocks(alone(block), (inner, original) => (original !== block && taken.has(inner.key) ? [] : inner))
    .nodes[0]!
}

/** What `block` says itself, around the blocks that are in `current`. */
const withOwn = (block: Block, current: Block): Block => {
  const inside = new Map(slots(current).map(({ blocks, name }) => [name, blocks]))
  const { fragments, nodes, ...rest } = block
  const own: Block = {
    ...rest,
    ...(nodes === undefined ? {} : { nodes: inlines(block) }),
    ...(fragments === undefined ? {} : { fragments })
  }
  return withBlocks({ ...own, key: current.key }, (slot) => inside.get(slot) ?? [])
}
