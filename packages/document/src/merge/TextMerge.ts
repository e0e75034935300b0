/**
 * Three-way merge of a block's text, word by word. The marks of a word are merged separately from the word. So are the
 * data and the text of an inline node, such as the target and the text of a link. It is a conflict if both sides
 * changed the same words differently, or inserted different words at one position. Our words then stay.
 *
 * Limit: 16 levels of inline nodes. Deeper ones are merged as a whole.
 */
import type { Inline, Mark } from "../Document.ts"
import { mergeData, type Merged } from "./DataMerge.ts"
import type { WorkBudget } from "../alignment/WorkBudget.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { matchEqual, type Pair } from "../alignment/SequenceMatch.ts"
import {
  nodesFromTokens,
  type InlineWord,
  inlineToken,
  type InlineNodes,
  type Token,
  tokenizeNodes,
  type Word,
  wordToken
} from "../alignment/TextTokens.ts"

const maxDepth = 16

export const mergeText = (
  base: InlineNodes,
  main: InlineNodes,
  ours: InlineNodes,
  prints: Fingerprints,
  depth = 0
): Merged<InlineNodes> => {
  const [inBase, inMain, inOurs] = [prints.of(base), prints.of(main), prints.of(ours)]
  if (inBase === inOurs) return { value: main, conflict: false }
  if (inBase === inMain || inMain === inOurs) return { value: ours, conflict: false }
  const merged = mergeTokens(
    tokenizeNodes(base, prints),
    tokenizeNodes(main, prints),
    tokenizeNodes(ours, prints),
    prints,
    depth
  )
  return { value: nodesFromTokens(merged.value, ours, prints), conflict: merged.conflict }
}

type Tokens = ReadonlyArray<Token>

const mergeTokens = (base: Tokens, main: Tokens, ours: Tokens, prints: Fingerprints, depth: number): Merged<Tokens> => {
  const inMain = new Map(matchWords(base, main, prints.budget))
  const inOurs = new Map(matchWords(base, ours, prints.budget))
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
    conflict ||= !same(before, theirs) && !same(before, mine) && !same(theirs, mine)
    for (const token of same(before, mine) ? theirs : mine) merged.push(token)
    if (at < base.length) {
      const token = mergeToken(base[at]!, main[m]!, ours[o]!, prints, depth)
      conflict ||= token.conflict
      merged.push(token.value)
    }
    ;[i, j, k] = [at + 1, m + 1, o + 1]
  }
  return { value: merged, conflict }
}

const same = (a: Tokens, b: Tokens) =>
  a.length === b.length && a.every((token, i) => token.fingerprint === b[i]!.fingerprint)

/**
 * Returns pairs of equal words. Inline nodes between these are paired in order, if both sides have the same number and
 * types.
 */
export const matchWords = (from: Tokens, to: Tokens, effort: WorkBudget): ReadonlyArray<Pair> => {
  const equal = matchEqual(
    from.map(({ textFingerprint: plain }) => plain),
    to.map(({ textFingerprint: plain }) => plain),
    effort
  )
  const pairs: Array<Pair> = []
  let [i, j] = [0, 0]
  for (const [a, b] of [...equal, [from.length, to.length] as const]) {
    if (a > i && b > j) {
      for (const pair of edited(inlinesIn(from, i, a), inlinesIn(to, j, b))) pairs.push(pair)
    }
    if (a < from.length) pairs.push([a, b])
    ;[i, j] = [a + 1, b + 1]
  }
  return pairs
}

type Placed = readonly [place: number, type: string]

const inlinesIn = (all: Tokens, start: number, end: number): ReadonlyArray<Placed> =>
  all.slice(start, end).flatMap((token, i) => ("inline" in token ? [[start + i, token.inline.type] as const] : []))

const edited = (from: ReadonlyArray<Placed>, to: ReadonlyArray<Placed>): ReadonlyArray<Pair> =>
  from.length === to.length && from.every(([, type], i) => type === to[i]![1])
    ? from.map(([place], i) => [place, to[i]![0]] as const)
    : []

const mergeToken = (base: Token, main: Token, ours: Token, prints: Fingerprints, depth: number): Merged<Token> => {
  if (base.fingerprint === ours.fingerprint) return { value: main, conflict: false }
  if (base.fingerprint === main.fingerprint || main.fingerprint === ours.fingerprint)
    return { value: ours, conflict: false }
  if ("inline" in base && "inline" in main && "inline" in ours) return mergeInline(base, main, ours, prints, depth)
  return mergeMarks(base as Word, main as Word, ours as Word, prints)
}

const mergeInline = (
  base: InlineWord,
  main: InlineWord,
  ours: InlineWord,
  prints: Fingerprints,
  depth: number
): Merged<Token> => {
  if (depth === maxDepth) return { value: ours, conflict: true }
  const properties = ({ inline: { key: _key, nodes: _nodes, ...rest } }: InlineWord) => rest
  const rest = mergeData(properties(base), properties(main), properties(ours), prints)
  const [before, theirs, mine] = [base, main, ours].map(({ inline }) => inline.nodes ?? [])
  const text = mergeText(before!, theirs!, mine!, prints, depth + 1)
  const { key } = ours.inline
  const hasNodes = main.inline.nodes !== undefined || ours.inline.nodes !== undefined
  const inline = {
    ...(rest.value as Inline),
    ...(key === undefined ? {} : { key }),
    ...(hasNodes ? { nodes: text.value } : {})
  }
  return { value: inlineToken(inline, prints), conflict: rest.conflict || text.conflict }
}

/**
 * Merges the marks of a word character by character. A mark that one side added or removed is added or removed. Two
 * marks of one type on one character are a conflict.
 */
const mergeMarks = (base: Word, main: Word, ours: Word, prints: Fingerprints): Merged<Token> => {
  const words = [base, main, ours]
  const ends = new Set(words.flatMap(endsOf))
  const marksOf = words.map(marksFrom)
  let conflict = false
  let start = 0
  const pieces = Array.from(ends)
    .sort((a, b) => a - b)
    .map((end) => {
      const [before, theirs, mine] = marksOf.map((marksAt) => marksAt(start))
      const marks = mergeSets(before!, theirs!, mine!, prints)
      const text = ours.text.slice(start, end)
      start = end
      if (new Set(marks.map(({ type }) => type)).size === marks.length) return { text, marks }
      conflict = true
      return { text, marks: mine! }
    })
  return { value: wordToken(pieces, prints), conflict }
}

type Marks = ReadonlyArray<Mark>

const endsOf = ({ parts: pieces }: Word): ReadonlyArray<number> => {
  let end = 0
  return pieces.map(({ text }) => (end += text.length))
}

/** Returns a function that returns the marks at an offset. Calls must have ascending offsets. */
const marksFrom = ({ parts: pieces }: Word): ((at: number) => Marks) => {
  let i = 0
  let end = pieces[0]?.text.length ?? 0
  return (at) => {
    while (i < pieces.length && end <= at) end += pieces[++i]?.text.length ?? 0
    return pieces[i]?.marks ?? []
  }
}

const mergeSets = (base: Marks, main: Marks, ours: Marks, prints: Fingerprints): Marks => {
  const numbers = (marks: Marks) => new Set(marks.map((mark) => prints.of(mark)))
  const [inBase, inMain, inOurs] = [numbers(base), numbers(main), numbers(ours)]
  const stays = (mark: Mark) => {
    const print = prints.of(mark)
    return inBase.has(print) ? inMain.has(print) && inOurs.has(print) : true
  }
  return [...ours.filter(stays), ...main.filter((mark) => stays(mark) && !inOurs.has(prints.of(mark)))]
}
