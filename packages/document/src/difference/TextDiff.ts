/** Computes the differences between two texts, as runs of equal, inserted and deleted words. */
import type { WorkBudget } from "../alignment/WorkBudget.ts"
import { matchEqual } from "../alignment/SequenceMatch.ts"
import type { Token } from "../alignment/TextTokens.ts"

/** A run of words. An inline node counts as its text, which may be empty. */
export interface TextRun {
  readonly kind: "equal" | "inserted" | "deleted"
  readonly text: string
}

export const textRuns = (
  from: ReadonlyArray<Token>,
  to: ReadonlyArray<Token>,
  budget: WorkBudget
): ReadonlyArray<TextRun> => {
  const runs: Array<{ kind: TextRun["kind"]; words: Array<string> }> = []
  const add = (kind: TextRun["kind"], words: ReadonlyArray<Token>) => {
    for (const word of words) {
      if (runs.at(-1)?.kind !== kind) runs.push({ kind, words: [] })
      runs.at(-1)!.words.push("inline" in word ? inlineText(word.inline) : word.text)
    }
  }
  // Words are compared without marks, so a word that became bold is equal.
  const fingerprintOf = (token: Token) => token.textFingerprint
  let [i, j] = [0, 0]
  const pairs = matchEqual(from.map(fingerprintOf), to.map(fingerprintOf), budget)
  for (const [a, b] of [...pairs, [from.length, to.length] as const]) {
    add("deleted", from.slice(i, a))
    add("inserted", to.slice(j, b))
    if (b < to.length) add("equal", [to[b]!])
    ;[i, j] = [a + 1, b + 1]
  }
  return runs.map(({ kind, words }) => ({ kind, text: words.join("") }))
}

const inlineText = (node: unknown): string => {
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
