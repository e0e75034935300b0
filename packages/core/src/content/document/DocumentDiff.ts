/**
 * What a reader would say changed between two documents, block by block: added, removed, moved,
 * edited; in an edited block, word by word. A block is the same block when its key is.
 *
 * A block that was added or removed with all that is in it is one change, the outermost block's. A
 * block that was moved among its siblings counts as moved only if the others did not move past it.
 */
import type { Block, Document } from "../Document.ts"
import { ownPrint } from "./BlockMerge.ts"
import { inlines, withUniqueKeys } from "./BlockTree.ts"
import { type DocumentIndex, indexOf } from "./DocumentIndex.ts"
import { Fingerprints } from "./Fingerprints.ts"
import { increasing, matchEqual } from "./SequenceMatch.ts"
import { type Token, tokens } from "./TextMerge.ts"

/** A run of words. One inline node is its text, or empty where it has none. */
export interface TextRun {
  readonly kind: "equal" | "inserted" | "deleted"
  readonly text: string
}

export type BlockChange =
  | { readonly kind: "added"; readonly block: string; readonly after: Block }
  | { readonly kind: "removed"; readonly block: string; readonly before: Block }
  | { readonly kind: "moved"; readonly block: string; readonly before: Block; readonly after: Block }
  | {
      readonly kind: "edited"
      readonly block: string
      readonly before: Block
      readonly after: Block
      /** Whether it was moved as well. */
      readonly moved: boolean
      /** The block's own text; without inserted and deleted runs where only its data or marks changed. */
      readonly text: ReadonlyArray<TextRun>
    }

/** The changes in the order of the document after; what was removed comes last. */
export const diff = (before: Document, after: Document): ReadonlyArray<BlockChange> => {
  const prints = new Fingerprints()
  const [from, to] = [indexOf(withUniqueKeys(before)), indexOf(withUniqueKeys(after))]
  const moved = movedBlocks(from, to)
  const changes: Array<BlockChange> = []
  for (const [block, now] of to.blocks) {
    const then = from.blocks.get(block)
    if (then === undefined) {
      const parent = to.places.get(block)!.parent
      if (parent === undefined || from.blocks.has(parent)) changes.push({ kind: "added", block, after: now })
    } else if (ownPrint(then, prints) !== ownPrint(now, prints)) {
      const text = textRuns(then, now, prints)
      changes.push({ kind: "edited", block, before: then, after: now, moved: moved.has(block), text })
    } else if (moved.has(block)) {
      changes.push({ kind: "moved", block, before: then, after: now })
    }
  }
  for (const [block, then] of from.blocks) {
    if (to.blocks.has(block)) continue
    const parent = from.places.get(block)!.parent
    if (parent === undefined || to.blocks.has(parent)) changes.push({ kind: "removed", block, before: then })
  }
  return changes
}

const movedBlocks = (from: DocumentIndex, to: DocumentIndex): ReadonlySet<string> => {
  const moved = new Set<string>()
  for (const [id, keys] of to.slots) {
    const places = new Map((from.slots.get(id) ?? []).map((key, place) => [key, place]))
    const stayed = keys.filter((key) => places.has(key))
    for (const key of keys) if (from.blocks.has(key)) moved.add(key)
    for (const k of increasing(stayed.map((key) => places.get(key)!))) moved.delete(stayed[k]!)
  }
  return moved
}

const textRuns = (before: Block, after: Block, prints: Fingerprints): ReadonlyArray<TextRun> => {
  const [from, to] = [tokens(inlines(before), prints), tokens(inlines(after), prints)]
  const runs: Array<{ kind: TextRun["kind"]; words: Array<string> }> = []
  const add = (kind: TextRun["kind"], words: ReadonlyArray<Token>) => {
    for (const word of words) {
      if (runs.at(-1)?.kind !== kind) runs.push({ kind, words: [] })
      runs.at(-1)!.words.push("inline" in word ? textOf(word.inline) : word.text)
    }
  }
  // By words alone: a word that became bold is the same word to a reader.
  const number = (token: Token) => prints.of("inline" in token ? token.inline : token.text)
  let [i, j] = [0, 0]
  for (const [a, b] of [...matchEqual(from.map(number), to.map(number)), [from.length, to.length] as const]) {
    add("deleted", from.slice(i, a))
    add("inserted", to.slice(j, b))
    if (b < to.length) add("equal", [to[b]!])
    ;[i, j] = [a + 1, b + 1]
  }
  return runs.map(({ kind, words }) => ({ kind, text: words.join("") }))
}

const textOf = (node: unknown): string => {
  let text = ""
  const pending = [
    node as { readonly nodes?: ReadonlyArray<unknown>; readonly leaves?: ReadonlyArray<{ text: string }> }
  ]
  while (pending.length > 0) {
    const { leaves, nodes } = pending.pop()!
    for (const leaf of leaves ?? []) text += leaf.text
    for (const child of nodes?.toReversed() ?? []) pending.push(child as (typeof pending)[number])
  }
  return text
}
