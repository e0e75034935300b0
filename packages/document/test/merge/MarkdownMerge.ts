/** Table tests of document merges, with all documents as Markdown. */
import { assert, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { type BlockConflict, type Keep, mergeDocuments, resolve } from "@lectern/document/merge/DocumentMerge"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { Result } from "effect"

/** Block of a side of a conflict as Markdown; undefined if the side has no block. Code lines are plain text. */
type Shown = string | undefined

export interface Situation {
  readonly name: string
  readonly base: string
  readonly main: string
  readonly ours: string
  readonly merged: string
  /** Default: none. */
  readonly conflicts?: ReadonlyArray<readonly [base: Shown, main: Shown, ours: Shown]>
  /** Markdown after every conflict is resolved for main. Not checked if absent. */
  readonly keptMain?: string
  /** Markdown after every conflict is resolved for ours. Not checked if absent. */
  readonly keptOurs?: string
  /** True if both sides insert text at one position, so that swapping the sides changes the order. Default: false. */
  readonly ordered?: boolean
}

const print = (document: Document) => Markdown.print(document).trimEnd()

const alone = (block: Block): Document => ({ object: "document", data: {}, nodes: [block] })

const lineText = ({ nodes }: Block) =>
  (nodes ?? []).map((node) => (node.object === "text" ? node.leaves.map(({ text }) => text).join("") : "")).join("")

const shown = (block: Block | undefined): Shown =>
  block === undefined ? undefined : block.type === "code-line" ? lineText(block) : print(alone(block))

/**
 * Registers a test for each situation: the result, the conflicts, their resolution, and the result with swapped sides.
 */
export const checkEach = (situations: ReadonlyArray<Situation>) =>
  it.each(situations)("$name", (situation) => {
    let count = 0
    const nextKey = () => `k${count++}x`
    const read = (text: string) => Markdown.parse(text, { nextKey }).document
    const base = read(situation.base)
    const [main, ours] = [align(base, read(situation.main)), align(base, read(situation.ours))]
    const result = mergeDocuments({ base, main, ours })
    const conflicts = situation.conflicts ?? []
    assert.strictEqual(print(result.document), situation.merged)
    assert.deepStrictEqual(
      result.conflicts.map((conflict) => [shown(conflict.base), shown(conflict.main), shown(conflict.ours)] as const),
      conflicts
    )
    const settled = (keep: Keep, given: ReadonlyArray<BlockConflict>) =>
      print(
        given.reduce(
          (document, conflict) => Result.getOrThrow(resolve(document, conflict, keep, nextKey)),
          result.document
        )
      )
    if (situation.keptMain !== undefined) assert.strictEqual(settled("main", result.conflicts), situation.keptMain)
    if (situation.keptOurs !== undefined) assert.strictEqual(settled("ours", result.conflicts), situation.keptOurs)
    const swapped = mergeDocuments({ base, main: ours, ours: main })
    assert.lengthOf(swapped.conflicts, conflicts.length)
    if (conflicts.length === 0 && situation.ordered !== true) {
      assert.strictEqual(print(swapped.document), situation.merged)
    }
    // Parsing and printing keep the merged Markdown.
    assert.strictEqual(print(read(situation.merged)), situation.merged)
  })
