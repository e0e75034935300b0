/**
 * Words of a query, each with those that stand for it as well. The last word may be typed in part; where a
 * script without spaces ends the query it is taken as it is.
 *
 * Limits: the first 64 words of a query.
 */
import type { Language } from "../schema/Language.ts"
import type { Lookup } from "../storage/SearchIndex.ts"
import type { Needle } from "./SectionMatch.ts"
import { stemOf } from "./WordForms.ts"
import * as Words from "./Words.ts"

export const maxQueryWords = 64

/** From how many characters on a word is looked for by others that look like it. */
const shortestGuessed = 5

interface Alternative extends Lookup {
  /** Worth of the alternative for the word that it stands for. */
  readonly worth: number
}

export interface SearchWord {
  /** The word as it was typed, folded. */
  readonly word: string
  /** Worth of the word beside the others: names come with their words, words with their parts. */
  readonly worth: number
  /** By what pages are found that have it, the best first. */
  readonly alternatives: ReadonlyArray<Alternative>
  /** By what those are looked for that look like it, where nothing is found: itself, and its stem. */
  readonly guessedBy: ReadonlyArray<string>
  /** Forms by which the word is recognized in a text. */
  readonly needles: ReadonlyArray<Needle>
}

const formWorth = 0.9
const beginningWorth = 0.7
export const slipWorth = 0.6
const partWorth = 0.3
const nameWorth = 1
const pairWorth = 0.7

/** The words of a query. None: it finds nothing. */
export const ofQuery = (query: string, language: Language | undefined): ReadonlyArray<SearchWord> => {
  const stem = stemOf(language)
  const cut: Array<{ word: string; kind: Words.Kind; small: string; end: number }> = []
  Words.cut(query, (word, kind, small, end) => cut.push({ word, kind, small, end }))
  const lastEnd = Math.max(...cut.map(({ end }) => end))
  const words = new Map<string, SearchWord>()
  for (const { word, kind, small, end } of cut) {
    if (words.size >= maxQueryWords) break
    // A character that stands in a pair is found by it.
    if (
      words.has(word) ||
      (kind === "character" && cut.some((other) => other.kind === "pair" && other.word.includes(word)))
    ) {
      continue
    }
    const isFormed = kind === "word" || kind === "part"
    const form = isFormed ? stem(small) : word
    const isLast = end === lastEnd && (kind === "word" || kind === "name")
    words.set(word, {
      word,
      worth: kind === "part" ? partWorth : kind === "name" ? nameWorth : kind === "pair" ? pairWorth : 1,
      alternatives: [
        { word, match: "whole", worth: 1 },
        ...(form === word ? [] : [{ word: form, match: "whole" as const, worth: formWorth }]),
        ...(isLast ? [{ word, match: "beginning" as const, worth: beginningWorth }] : [])
      ],
      guessedBy: kind === "word" ? (form === word ? [word] : [word, form]).filter(isLong) : [],
      needles: needlesOf(word, form, isLast)
    })
  }
  return [...words.values()]
}

/** A character is one unit of UTF-16, or two. */
const isLong = (word: string) =>
  word.length >= 2 * shortestGuessed || (word.length >= shortestGuessed && Array.from(word).length >= shortestGuessed)

/** Forms of a word begin as it does, as far as the stem goes along: three characters at least. */
const needlesOf = (word: string, form: string, isLast: boolean): ReadonlyArray<Needle> => {
  let length = 0
  while (length < form.length && form[length] === word[length]) length++
  const isForm = form !== word && length >= 3
  return [
    { word, match: isLast ? "beginning" : "whole" },
    ...(isForm ? [{ word: word.slice(0, length).toWellFormed(), match: "beginning" as const }] : [])
  ]
}

export const lookupsOf = (words: ReadonlyArray<SearchWord>): ReadonlyArray<Lookup> =>
  words.flatMap(({ alternatives }) => alternatives)
