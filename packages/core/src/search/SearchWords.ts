/**
 * Parses a query into words with their alternatives. The last word may be incomplete, so it also matches as a prefix. A
 * last word in a script without spaces matches only as typed.
 *
 * Limit: the first 64 words of a query.
 */
import type { Language } from "../schema/Language.ts"
import type { Lookup } from "../storage/SearchIndex.ts"
import type { Needle } from "./SectionMatch.ts"
import { stemOf } from "./WordForms.ts"
import * as Words from "./Words.ts"

export const maxQueryWords = 64

/** Minimum length of a word that is replaced by similar words (characters). */
const minReplaceableLength = 5

interface Alternative extends Lookup {
  /** Weight of the alternative (0 to 1). */
  readonly weight: number
}

export interface SearchWord {
  /** Typed word, after `Words.toIndexForm`. */
  readonly word: string
  /** Weight of the word relative to other words. Names and parts of words are listed in addition to their words. */
  readonly weight: number
  /** Index lookups that match the word, best first. */
  readonly alternatives: ReadonlyArray<Alternative>
  /** Words whose similar words replace this word if it has no matches: the word and its stem. */
  readonly similarTo: ReadonlyArray<string>
  /** Forms of the word to search for in a text, for example to highlight matches. */
  readonly needles: ReadonlyArray<Needle>
}

const stemWeight = 0.9
const prefixWeight = 0.7
export const typoWeight = 0.6
const partWeight = 0.3
const nameWeight = 1
const pairWeight = 0.7

/** Returns the words of a query. An empty list if the query has no words: such a query has no results. */
export const parseQuery = (query: string, language: Language | undefined): ReadonlyArray<SearchWord> => {
  const stem = stemOf(language)
  const tokens: Array<{ word: string; kind: Words.WordKind; lowercase: string; end: number }> = []
  Words.forEachWord(query, (word, kind, lowercase, end) => tokens.push({ word, kind, lowercase, end }))
  const lastEnd = Math.max(...tokens.map(({ end }) => end))
  const words = new Map<string, SearchWord>()
  for (const { word, kind, lowercase, end } of tokens) {
    if (words.size >= maxQueryWords) break
    // A character that is part of a pair is covered by the pair.
    if (
      words.has(word) ||
      (kind === "character" && tokens.some((token) => token.kind === "pair" && token.word.includes(word)))
    ) {
      continue
    }
    const hasStem = kind === "word" || kind === "part"
    const form = hasStem ? stem(lowercase) : word
    const isLast = end === lastEnd && (kind === "word" || kind === "name")
    words.set(word, {
      word,
      weight: kind === "part" ? partWeight : kind === "name" ? nameWeight : kind === "pair" ? pairWeight : 1,
      alternatives: [
        { word, match: "whole", weight: 1 },
        ...(form === word ? [] : [{ word: form, match: "whole" as const, weight: stemWeight }]),
        ...(isLast ? [{ word, match: "beginning" as const, weight: prefixWeight }] : [])
      ],
      similarTo: kind === "word" ? (form === word ? [word] : [word, form]).filter(isReplaceable) : [],
      needles: needlesOf(word, form, isLast)
    })
  }
  return [...words.values()]
}

/** Returns true if a word has `minReplaceableLength` characters. A character has one or two UTF-16 code units. */
const isReplaceable = (word: string) =>
  word.length >= 2 * minReplaceableLength ||
  (word.length >= minReplaceableLength && Array.from(word).length >= minReplaceableLength)

/**
 * Returns the needles of a word. Other forms of the word start with the common prefix of word and stem, if that has 3
 * characters.
 */
const needlesOf = (word: string, form: string, isLast: boolean): ReadonlyArray<Needle> => {
  let length = 0
  while (length < form.length && form[length] === word[length]) length++
  const hasDistinctStem = form !== word && length >= 3
  return [
    { word, match: isLast ? "beginning" : "whole" },
    ...(hasDistinctStem ? [{ word: word.slice(0, length).toWellFormed(), match: "beginning" as const }] : [])
  ]
}

export const lookupsOf = (words: ReadonlyArray<SearchWord>): ReadonlyArray<Lookup> =>
  words.flatMap(({ alternatives }) => alternatives)
