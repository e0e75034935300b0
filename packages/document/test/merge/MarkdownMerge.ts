/** Merges of documents that are written as Markdown, as a person would look at them. */
import { assert, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { type BlockConflict, type Keep, merge, resolve } from "@lectern/document/merge/DocumentMerge"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { Result } from "effect"

/** Text of a side; undefined where it has nothing. Code lines are their text. */
type Shown = string | undefined

export interface Situation {
  readonly name: string
  readonly base: string
  readonly main: string
  readonly ours: string
  readonly merged: string
  /** Default: none. */
  readonly conflicts?: ReadonlyArray<readonly [base: Shown, main: Shown, ours: Shown]>
  /** Text once every conflict is settled for main. Default: not looked at. */
  readonly keptMain?: string
  /** The same for ours. */
  readonly keptOurs?: string
  /** True where main's text and ours come in turn if both put something, so that the sides matter. */
  readonly ordered?: boolean
}

const print = (document: Document) => Markdown.print(document).trimEnd()

const alone = (block: Block): Document => ({ object: "document", data: {}, nodes: [block] })

const lineText = ({ nodes }: Block) =>
  (nodes ?? []).map((node) => (node.object === "text" ? node.leaves.map(({ text }) => text).join("") : "")).join("")

const shown = (block: Block | undefined): Shown =>
  block === undefined ? undefined : block.type === "code-line" ? lineText(block) : print(alone(block))

/** One test for each: the result, the conflicts, how they settle, and what is the same with the sides changed. */
export const checkEach = (situations: ReadonlyArray<Situation>) =>
  it.each(situations)("$name", (situation) => {
    let count = 0
    const nextKey = () => `k${count++}x`
    const read = (text: string) => Markdown.parse(text, { nextKey }).document
    const base = read(situation.base)
    const [main, ours] = [align(base, read(situation.main)), align(base, read(situation.ours))]
    const result = merge({ base, main, ours })
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
    const swapped = merge({ base, main: ours, ours: main })
    assert.lengthOf(swapped.conflicts, conflicts.length)
    if (conflicts.length === 0 && situation.ordered !== true) {
      assert.strictEqual(print(swapped.document), situation.merged)
    }
    // What is written and read again is the same page.
    assert.strictEqual(print(read(situation.merged)), situation.merged)
  })
