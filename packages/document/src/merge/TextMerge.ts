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
  fingerprints: Fingerprints,
  depth = 0
): Merged<InlineNodes> => {
  const [baseFingerprint, mainFingerprint, ourFingerprint] = [
    fingerprints.of(base),
    fingerprints.of(main),
    fingerprints.of(ours)
  ]
  if (baseFingerprint === ourFingerprint) return { value: main, conflict: false }
  if (baseFingerprint === mainFingerprint || mainFingerprint === ourFingerprint) return { value: ours, conflict: false }
  const mergedTokens = mergeTokens(
    tokenizeNodes(base, fingerprints),
    tokenizeNodes(main, fingerprints),
    tokenizeNodes(ours, fingerprints),
    fingerprints,
    depth
  )
  return { value: nodesFromTokens(mergedTokens.value, ours, fingerprints), conflict: mergedTokens.conflict }
}

type Tokens = ReadonlyArray<Token>

const mergeTokens = (
  base: Tokens,
  main: Tokens,
  ours: Tokens,
  fingerprints: Fingerprints,
  depth: number
): Merged<Tokens> => {
  const mainMatches = new Map(matchWords(base, main, fingerprints.budget))
  const ourMatches = new Map(matchWords(base, ours, fingerprints.budget))
  const merged: Array<Token> = []
  let hasConflict = false
  let [i, j, k] = [0, 0, 0]
  for (let at = 0; at <= base.length; at++) {
    const mainIndex = at === base.length ? main.length : mainMatches.get(at)
    const ourIndex = at === base.length ? ours.length : ourMatches.get(at)
    if (mainIndex === undefined || ourIndex === undefined) continue
    const before = base.slice(i, at)
    const mainTokens = main.slice(j, mainIndex)
    const ourTokens = ours.slice(k, ourIndex)
    hasConflict ||=
      !haveSameTokens(before, mainTokens) &&
      !haveSameTokens(before, ourTokens) &&
      !haveSameTokens(mainTokens, ourTokens)
    for (const token of haveSameTokens(before, ourTokens) ? mainTokens : ourTokens) merged.push(token)
    if (at < base.length) {
      const token = mergeToken(base[at]!, main[mainIndex]!, ours[ourIndex]!, fingerprints, depth)
      hasConflict ||= token.conflict
      merged.push(token.value)
    }
    ;[i, j, k] = [at + 1, mainIndex + 1, ourIndex + 1]
  }
  return { value: merged, conflict: hasConflict }
}

const haveSameTokens = (a: Tokens, b: Tokens) =>
  a.length === b.length && a.every((token, i) => token.fingerprint === b[i]!.fingerprint)

/**
 * Returns pairs of equal words. Inline nodes between these are paired in order, if both sides have the same number and
 * types.
 */
export const matchWords = (from: Tokens, to: Tokens, budget: WorkBudget): ReadonlyArray<Pair> => {
  const equal = matchEqual(
    from.map(({ textFingerprint: plain }) => plain),
    to.map(({ textFingerprint: plain }) => plain),
    budget
  )
  const pairs: Array<Pair> = []
  let [i, j] = [0, 0]
  for (const [a, b] of [...equal, [from.length, to.length] as const]) {
    if (a > i && b > j) {
      for (const pair of pairInlines(inlinesIn(from, i, a), inlinesIn(to, j, b))) pairs.push(pair)
    }
    if (a < from.length) pairs.push([a, b])
    ;[i, j] = [a + 1, b + 1]
  }
  return pairs
}

type InlinePosition = readonly [place: number, type: string]

const inlinesIn = (all: Tokens, start: number, end: number): ReadonlyArray<InlinePosition> =>
  all.slice(start, end).flatMap((token, i) => ("inline" in token ? [[start + i, token.inline.type] as const] : []))

const pairInlines = (from: ReadonlyArray<InlinePosition>, to: ReadonlyArray<InlinePosition>): ReadonlyArray<Pair> =>
  from.length === to.length && from.every(([, type], i) => type === to[i]![1])
    ? from.map(([index], i) => [index, to[i]![0]] as const)
    : []

const mergeToken = (
  base: Token,
  main: Token,
  ours: Token,
  fingerprints: Fingerprints,
  depth: number
): Merged<Token> => {
  if (base.fingerprint === ours.fingerprint) return { value: main, conflict: false }
  if (base.fingerprint === main.fingerprint || main.fingerprint === ours.fingerprint)
    return { value: ours, conflict: false }
  if ("inline" in base && "inline" in main && "inline" in ours)
    return mergeInline(base, main, ours, fingerprints, depth)
  return mergeMarks(base as Word, main as Word, ours as Word, fingerprints)
}

const mergeInline = (
  base: InlineWord,
  main: InlineWord,
  ours: InlineWord,
  fingerprints: Fingerprints,
  depth: number
): Merged<Token> => {
  if (depth === maxDepth) return { value: ours, conflict: true }
  const properties = ({ inline: { key: _key, nodes: _nodes, ...rest } }: InlineWord) => rest
  const rest = mergeData(properties(base), properties(main), properties(ours), fingerprints)
  const [baseNodes, mainNodes, ourNodes] = [base, main, ours].map(({ inline }) => inline.nodes ?? [])
  const text = mergeText(baseNodes!, mainNodes!, ourNodes!, fingerprints, depth + 1)
  const { key } = ours.inline
  const hasNodes = main.inline.nodes !== undefined || ours.inline.nodes !== undefined
  const inline = {
    ...(rest.value as Inline),
    ...(key === undefined ? {} : { key }),
    ...(hasNodes ? { nodes: text.value } : {})
  }
  return { value: inlineToken(inline, fingerprints), conflict: rest.conflict || text.conflict }
}

/**
 * Merges the marks of a word character by character. A mark that one side added or removed is added or removed. Two
 * marks of one type on one character are a conflict.
 */
const mergeMarks = (base: Word, main: Word, ours: Word, fingerprints: Fingerprints): Merged<Token> => {
  const words = [base, main, ours]
  const ends = new Set(words.flatMap(partEnds))
  const marksOf = words.map(markReader)
  let conflict = false
  let start = 0
  const parts = Array.from(ends)
    .sort((a, b) => a - b)
    .map((end) => {
      const [before, theirs, mine] = marksOf.map((marksAt) => marksAt(start))
      const marks = mergeMarkSets(before!, theirs!, mine!, fingerprints)
      const text = ours.text.slice(start, end)
      start = end
      if (new Set(marks.map(({ type }) => type)).size === marks.length) return { text, marks }
      conflict = true
      return { text, marks: mine! }
    })
  return { value: wordToken(parts, fingerprints), conflict }
}

type Marks = ReadonlyArray<Mark>

const partEnds = ({ parts }: Word): ReadonlyArray<number> => {
  let end = 0
  return parts.map(({ text }) => (end += text.length))
}

/** Returns a function that returns the marks at an offset. Calls must have ascending offsets. */
const markReader = ({ parts }: Word): ((at: number) => Marks) => {
  let i = 0
  let end = parts[0]?.text.length ?? 0
  return (at) => {
    while (i < parts.length && end <= at) end += parts[++i]?.text.length ?? 0
    return parts[i]?.marks ?? []
  }
}

const mergeMarkSets = (base: Marks, main: Marks, ours: Marks, fingerprints: Fingerprints): Marks => {
  const fingerprintsOf = (marks: Marks) => new Set(marks.map((mark) => fingerprints.of(mark)))
  const [inBase, inMain, inOurs] = [fingerprintsOf(base), fingerprintsOf(main), fingerprintsOf(ours)]
  const survives = (mark: Mark) => {
    const fingerprint = fingerprints.of(mark)
    return inBase.has(fingerprint) ? inMain.has(fingerprint) && inOurs.has(fingerprint) : true
  }
  return [...ours.filter(survives), ...main.filter((mark) => survives(mark) && !inOurs.has(fingerprints.of(mark)))]
}
