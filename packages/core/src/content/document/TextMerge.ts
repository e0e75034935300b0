/**
 * The three-way merge of a block's text, word by word with the words' marks; an inline node is one
 * word. Where both sides changed the same words differently, ours stay and it is a conflict.
 */
import type { Inline, Leaf, Mark, Text } from "../Document.ts"
import type { Merged } from "./DataMerge.ts"
import type { Fingerprints } from "./Fingerprints.ts"
import { matchEqual } from "./SequenceMatch.ts"
import * as Words from "./Words.ts"

export type Token =
  | { readonly print: number; readonly text: string; readonly marks: ReadonlyArray<Mark> }
  | { readonly print: number; readonly inline: Inline }

type Nodes = ReadonlyArray<Inline | Text>

export const tokens = (nodes: Nodes, prints: Fingerprints): ReadonlyArray<Token> =>
  nodes.flatMap((node): ReadonlyArray<Token> => {
    if (node.object === "inline") return [{ print: prints.of(node), inline: node }]
    return node.leaves.flatMap(({ marks, text }) =>
      Words.split(text).map((word) => ({ print: prints.of([word, prints.of(marks)]), text: word, marks }))
    )
  })

export const mergeText = (base: Nodes, main: Nodes, ours: Nodes, prints: Fingerprints): Merged<Nodes> => {
  const [inBase, inMain, inOurs] = [prints.of(base), prints.of(main), prints.of(ours)]
  if (inBase === inOurs) return { value: main, conflict: false }
  if (inBase === inMain || inMain === inOurs) return { value: ours, conflict: false }
  const merged = mergeTokens(tokens(base, prints), tokens(main, prints), tokens(ours, prints))
  return { value: fromTokens(merged.value, ours, prints), conflict: merged.conflict }
}

type Tokens = ReadonlyArray<Token>

const mergeTokens = (base: Tokens, main: Tokens, ours: Tokens): Merged<Tokens> => {
  const print = (token: Token) => token.print
  const basePrints = base.map(print)
  const inMain = new Map(matchEqual(basePrints, main.map(print)))
  const inOurs = new Map(matchEqual(basePrints, ours.map(print)))
  const merged: Array<Token> = []
  let conflict = false
  let [i, j, k] = [0, 0, 0]
  for (let at = 0; at <= base.length; at++) {
    const m = at === base.length ? main.length : inMain.get(at)
    const o = at === base.length ? ours.length : inOurs.get(at)
    if (m === undefined || o === undefined) continue
    const before = base.slice(i, at)
    const theirs = main.slice(j, m)
    const mine = ours.slice(k, o)
    const isConflict = !same(before, theirs) && !same(before, mine) && !same(theirs, mine)
    conflict ||= isConflict
    for (const token of same(before, mine) ? theirs : mine) merged.push(token)
    if (at < base.length) merged.push(ours[o]!)
    ;[i, j, k] = [at + 1, m + 1, o + 1]
  }
  return { value: merged, conflict }
}

const same = (a: Tokens, b: Tokens) => a.length === b.length && a.every((token, i) => token.print === b[i]!.print)

/** The nodes of tokens: as few leaves as the marks allow; texts take the keys that ours have, in turn. */
const fromTokens = (merged: Tokens, ours: Nodes, prints: Fingerprints): Nodes => {
  const keys = ours.flatMap((node) => (node.object === "text" && node.key !== undefined ? [node.key] : []))
  const nodes: Array<Inline | Text> = []
  let leaves: Array<Leaf> = []
  const closeText = () => {
    if (leaves.length === 0) return
    const key = keys.shift()
    nodes.push({ object: "text", ...(key === undefined ? {} : { key }), leaves })
    leaves = []
  }
  // The words of a leaf are joined once, since a text may have very many.
  let words: Array<string> = []
  let marks: ReadonlyArray<Mark> = []
  const closeLeaf = () => {
    if (words.length > 0) leaves.push({ object: "leaf", text: words.join(""), marks })
    words = []
  }
  for (const token of merged) {
    if ("inline" in token) {
      closeLeaf()
      closeText()
      nodes.push(token.inline)
      continue
    }
    if (words.length > 0 && prints.of(marks) !== prints.of(token.marks)) closeLeaf()
    marks = token.marks
    words.push(token.text)
  }
  closeLeaf()
  closeText()
  return nodes
}
