/**
 * Matches edited items of two sequences: items of one kind with similar words, at the same position between matched
 * neighbors.
 *
 * - If a gap between matches has one unmatched item on each side and both have one kind, they match regardless of
 *   words. A paragraph at the position of another paragraph is its rewritten version.
 * - The remaining items may have moved as well. They match only if their words are nearly equal.
 * - If matching by words leaves blocks of one kind on both sides, their descendants decide (see `DescendantSimilarity`).
 *
 * Limits: the first 300 words and 1,500 values of an item count. If more than 2,500 pairs would be compared, or the
 * work budget does not suffice, each item is compared with the nearest eight items only. Moved edits are then not searched
 * for.
 */
import type { WorkBudget } from "./WorkBudget.ts"
import type { Similarity } from "./DescendantSimilarity.ts"
import { longestIncreasingSubsequence, type Pair } from "./SequenceMatch.ts"
import * as Words from "./Words.ts"

export interface Candidate {
  readonly kind: string
  /**
   * Family of the item. Items of different kinds can match if their families are equal and their words are nearly
   * equal.
   */
  readonly family: string | undefined
  readonly words: ReadonlyMap<string, number>
  readonly size: number
}

const maxWords = 300
const maxValues = 1500
/**
 * Minimum number of words of a moved item. A smaller item, such as a divider or a closing brace, can't be distinguished
 * from a new one.
 */
export const minMovedWords = 3
const maxComparisons = 2500
const windowSize = 8

export const candidate = (kind: string, family: string | undefined, content: unknown): Candidate => {
  const words = new Map<string, number>()
  let size = 0
  const pending: Array<unknown> = [content]
  for (let values = 0; pending.length > 0 && size < maxWords && values < maxValues; values++) {
    const value = pending.pop()
    if (typeof value === "string") {
      for (const word of Words.splitWords(value.slice(0, maxWords * 20))) {
        const trimmed = word.trim()
        if (trimmed === "" || size === maxWords) continue
        words.set(trimmed, (words.get(trimmed) ?? 0) + 1)
        size++
      }
    } else if (typeof value === "object" && value !== null) {
      for (const name of Object.keys(value).reverse()) {
        if (!structuralProperties.has(name)) pending.push((value as Record<string, unknown>)[name])
      }
    }
  }
  return { kind, family, words, size }
}

/** Properties of nodes whose strings are not visible text. */
const structuralProperties = new Set(["object", "type", "key", "fragment", "marks"])

/** Returns the share of words that two items have in common, from 0 to 1. */
export const wordSimilarity = (a: Candidate, b: Candidate): number => {
  if (a.size + b.size === 0) return 1
  // Returns 0 early if the sizes already rule out a match.
  if (2 * Math.min(a.size, b.size) < 0.4 * (a.size + b.size)) return 0
  const [smaller, larger] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words]
  let common = 0
  for (const [word, count] of smaller) common += Math.min(count, larger.get(word) ?? 0)
  return (2 * common) / (a.size + b.size)
}

/** Returns the score of a pair by its words. 0 if the items must not match. */
const wordScore = (a: Candidate, b: Candidate): number => {
  if (a.kind !== b.kind && (a.family === undefined || a.family !== b.family)) return 0
  const value = wordSimilarity(a, b)
  if (a.kind === b.kind) return value >= 0.4 ? value + 0.1 : 0
  return value >= 0.8 && a.size > 0 ? value : 0
}

/** Returns the similarity of two items by their descendants. Undefined if one of them has no child blocks. */
export type SimilarityOf = (i: number, j: number) => Similarity | undefined

/**
 * Combines the scores by words and by descendants. Descendants weigh more, because the words of a container are mostly
 * those of the blocks that moved between containers.
 */
const combinedScore = (words: number, { certain, likely }: Similarity): number =>
  Math.max(words, certain < 0.5 ? 0 : 0.8 * certain + 0.3 * words, likely < 1 ? 0 : 0.5)

/** Returns pairs to add to `pairs`, which are ascending on both sides. Skips items without a candidate. */
export const matchEdited = (
  pairs: ReadonlyArray<Pair>,
  lengths: Pair,
  previousAt: (i: number) => Candidate | undefined,
  nextAt: (j: number) => Candidate | undefined,
  budget: WorkBudget,
  similarityOf: SimilarityOf = () => undefined
): Array<Pair> => {
  const result: Array<Pair> = []
  for (const gap of gaps(pairs, lengths)) {
    const from = availableCandidates(gap.from, previousAt)
    const to = availableCandidates(gap.to, nextAt)
    if (from.length === 0 || to.length === 0) continue
    const matches = consumeComparisons(from, to, budget) ? bestPairs(from, to, similarityOf) : nearbyPairs(from, to)
    for (const [a, b] of matches) result.push([from[a]!.index, to[b]!.index])
    for (const remainder of gaps(matches, [from.length, to.length])) {
      if (remainder.from[1] - remainder.from[0] !== 1 || remainder.to[1] - remainder.to[0] !== 1) continue
      const a = from[remainder.from[0]]!
      const b = to[remainder.to[0]]!
      if (a.candidate.kind === b.candidate.kind) result.push([a.index, b.index])
    }
  }
  return result.concat(matchMovedEdits(pairs.concat(result), lengths, previousAt, nextAt, budget))
}

const matchMovedEdits = (
  pairs: ReadonlyArray<Pair>,
  [previousLength, nextLength]: Pair,
  previousAt: (i: number) => Candidate | undefined,
  nextAt: (j: number) => Candidate | undefined,
  budget: WorkBudget
): Array<Pair> => {
  const paired = [new Set(pairs.map(([i]) => i)), new Set(pairs.map(([, j]) => j))] as const
  const from = availableCandidates([0, previousLength], (i) => (paired[0].has(i) ? undefined : previousAt(i)))
  const to = availableCandidates([0, nextLength], (j) => (paired[1].has(j) ? undefined : nextAt(j)))
  if (!consumeComparisons(from, to, budget)) return []
  const scoredPairs: Array<readonly [value: number, a: IndexedCandidate, b: IndexedCandidate]> = []
  for (const a of from) {
    for (const b of to) {
      const value = a.candidate.size >= minMovedWords ? wordScore(a.candidate, b.candidate) : 0
      if (value >= 0.7) scoredPairs.push([value, a, b])
    }
  }
  const result: Array<Pair> = []
  const matchedCandidates = new Set<IndexedCandidate>()
  for (const [, a, b] of scoredPairs.sort(([one], [other]) => other - one)) {
    if (matchedCandidates.has(a) || matchedCandidates.has(b)) continue
    matchedCandidates.add(a).add(b)
    result.push([a.index, b.index])
  }
  return result
}

interface IndexedCandidate {
  readonly index: number
  readonly candidate: Candidate
}

const availableCandidates = (
  [start, end]: Pair,
  candidateAt: (i: number) => Candidate | undefined
): Array<IndexedCandidate> => {
  const result: Array<IndexedCandidate> = []
  for (let index = start; index < end; index++) {
    const candidate = candidateAt(index)
    if (candidate !== undefined) result.push({ index, candidate })
  }
  return result
}

/** Consumes the budget for comparing each item of `from` with each item of `to`. False if the budget does not suffice. */
const consumeComparisons = (
  from: ReadonlyArray<IndexedCandidate>,
  to: ReadonlyArray<IndexedCandidate>,
  budget: WorkBudget
): boolean => {
  if (from.length * to.length > maxComparisons) return false
  const words = (candidates: ReadonlyArray<IndexedCandidate>) =>
    candidates.reduce((sum, { candidate }) => sum + candidate.words.size + 4, 0)
  return budget.consume(4 * Math.min(from.length * words(to), to.length * words(from)))
}

/** Returns the ranges between pairs, in both sequences. */
const gaps = function* (pairs: ReadonlyArray<Pair>, [previousLength, nextLength]: Pair) {
  let from = 0
  let to = 0
  for (const [a, b] of [...pairs, [previousLength, nextLength] as const]) {
    yield { from: [from, a] as const, to: [to, b] as const }
    from = a + 1
    to = b + 1
  }
}

/**
 * Returns the pairs that match best by words. If these leave blocks of one kind on both sides, the similarity of their
 * descendants is added to the scores.
 */
const bestPairs = (
  from: ReadonlyArray<IndexedCandidate>,
  to: ReadonlyArray<IndexedCandidate>,
  similarityOf: SimilarityOf
): ReadonlyArray<Pair> => {
  const scores = new Float64Array(from.length * to.length)
  for (const [a, one] of from.entries()) {
    for (const [b, other] of to.entries()) scores[a * to.length + b] = wordScore(one.candidate, other.candidate)
  }
  const byWords = highestScoringPairs(from.length, to.length, scores)
  if (!leavesEqualKinds(from, to, byWords)) return byWords
  for (const [a, one] of from.entries()) {
    for (const [b, other] of to.entries()) {
      const similarity = one.candidate.kind === other.candidate.kind ? similarityOf(one.index, other.index) : undefined
      if (similarity !== undefined) scores[a * to.length + b] = combinedScore(scores[a * to.length + b]!, similarity)
    }
  }
  return highestScoringPairs(from.length, to.length, scores)
}

/** Returns true if pairs leave items of one kind on both sides and a side has several items to choose from. */
const leavesEqualKinds = (
  from: ReadonlyArray<IndexedCandidate>,
  to: ReadonlyArray<IndexedCandidate>,
  pairs: ReadonlyArray<Pair>
): boolean => {
  if (from.length + to.length === 2) return false
  const [paired, pairedTo] = [new Set(pairs.map(([a]) => a)), new Set(pairs.map(([, b]) => b))]
  const unpairedKinds = new Set(from.flatMap(({ candidate }, a) => (paired.has(a) ? [] : [candidate.kind])))
  return to.some(({ candidate }, b) => !pairedTo.has(b) && unpairedKinds.has(candidate.kind))
}

/** Returns the ascending pairs with the greatest sum of scores. */
const highestScoringPairs = (fromLength: number, toLength: number, scores: Float64Array): ReadonlyArray<Pair> => {
  const width = toLength + 1
  const sums = new Float64Array((fromLength + 1) * width)
  for (let a = fromLength - 1; a >= 0; a--) {
    for (let b = toLength - 1; b >= 0; b--) {
      const pairScore = scores[a * toLength + b]!
      const pairedSum = pairScore > 0 ? pairScore + sums[(a + 1) * width + b + 1]! : 0
      sums[a * width + b] = Math.max(pairedSum, sums[(a + 1) * width + b]!, sums[a * width + b + 1]!)
    }
  }
  const pairs: Array<Pair> = []
  for (let a = 0, b = 0; a < fromLength && b < toLength;) {
    const sum = sums[a * width + b]!
    const pairScore = scores[a * toLength + b]!
    if (pairScore > 0 && sum === pairScore + sums[(a + 1) * width + b + 1]!) pairs.push([a++, b++])
    else if (sum === sums[(a + 1) * width + b]!) a++
    else b++
  }
  return pairs
}

const nearbyPairs = (from: ReadonlyArray<IndexedCandidate>, to: ReadonlyArray<IndexedCandidate>): Array<Pair> => {
  const result: Array<Pair> = []
  // The gap may be much longer on one side, so the window moves in proportion.
  const ratio = from.length / to.length
  for (let b = 0; b < to.length; b++) {
    const start = Math.max(0, Math.floor(b * ratio) - windowSize / 2)
    let bestIndex = -1
    let highest = 0
    for (let a = start; a < Math.min(from.length, start + windowSize); a++) {
      const value = wordScore(from[a]!.candidate, to[b]!.candidate)
      if (value > highest) [bestIndex, highest] = [a, value]
    }
    if (bestIndex >= 0) result.push([bestIndex, b])
  }
  return longestIncreasingSubsequence(result.map(([a]) => a)).map((k) => result[k]!)
}
