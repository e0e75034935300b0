/**
 * Extracts the index words of a page, with a weight for each word, from title, headings, description and text. Groups
 * and links have only a title. A page with `noIndex` has no words.
 *
 * Repeated words count less each time (as in BM25). Words of a long text count less. Words of the title count most.
 *
 * Limits: 20,000 distinct words of a page; the first 200,000 characters of a page.
 */
import type { PageEntry } from "../content/pages/Page.ts"
import type { Language } from "../schema/Language.ts"
import { levelCount, type PageWords } from "../storage/SearchIndex.ts"
import type { Section } from "@lectern/document/Sections"
import { stemOf } from "./WordForms.ts"
import * as Words from "./Words.ts"

export const maxPageWords = 20_000
export const maxPageText = 200_000

/**
 * Version of the word extraction. Increment it when the words or levels of a page change: all spaces are then indexed
 * again.
 */
export const version = 4

/** Differs from every `version`. An index with this version is out of date. */
export const unknownVersion = 0

/** Returns true if both pages have the same words in the index. */
export const hasSameWords = (a: PageEntry | undefined, b: PageEntry | undefined): boolean =>
  isSearchable(a) === isSearchable(b) &&
  (!isSearchable(a) || (a!.title === b!.title && a!.description === b!.description && a!.document === b!.document))

export const isSearchable = (page: PageEntry | undefined): boolean => page !== undefined && page.noIndex !== true

export type PageFields = Pick<PageEntry, "title" | "description">

/** Weight of a word in the title. The unit of all weights is one occurrence in a text of usual length. */
const titleWeight = 16
/** Weight in the title of a group, a link, or a page without headings and text. */
const titleOnlyWeight = 8
const headingWeight = 2.5
const descriptionWeight = 2
/** Number of title words beyond the first at which the weight of each word is half of `titleWeight`. */
const titleLength = 6
/** Length of a usual text (words), and average length of a word (characters). */
const usualLength = 400
const averageWordLength = 6
/**
 * Effect of the text length on weights, as an exponent. 0: no effect; 1: inversely proportional to the length. A short
 * text raises weights up to `maxShortTextFactor`.
 */
const lengthExponent = 0.45
const maxShortTextFactor = 1.5
/** Weight at which a word reaches half of the maximum relevance. */
const halfRelevanceWeight = 6
/** Factor for a part of a word, such as `state` in `useState`. */
const partFactor = 0.5

export const wordsOf = (
  page: PageFields,
  sections: ReadonlyArray<Section>,
  language: Language | undefined
): PageWords => {
  const stem = stemOf(language)
  /**
   * Weight of each word, and its lowercase form with diacritics. Names, characters, pairs and emoji have no
   * `lowercase`.
   */
  const weightByWord = new Map<string, { weight: number; readonly lowercase: string | undefined }>()
  let remaining = maxPageText
  const add = (word: string, weight: number, lowercase?: string) => {
    const existing = weightByWord.get(word)
    if (existing !== undefined) existing.weight += weight
    else if (weightByWord.size < maxPageWords) weightByWord.set(word, { weight, lowercase })
  }
  const addText = (text: string, weight: number) => {
    Words.forEachWord(text.slice(0, remaining), (word, kind, lowercase) => {
      if (kind === "word") add(word, weight, lowercase)
      else if (kind === "part") add(word, weight * partFactor, lowercase)
      else add(word, weight)
    })
    remaining = Math.max(0, remaining - text.length)
  }
  const maxTitleWeight = sections.some(({ title, text }) => title !== "" || text !== "") ? titleWeight : titleOnlyWeight
  addText(page.title, maxTitleWeight / (1 + Math.max(0, lengthOf(page.title) - 1) / titleLength))
  if (page.description !== undefined) addText(page.description, descriptionWeight)
  for (const { title } of sections) addText(title, headingWeight)
  const length = sections.reduce((sum, { text }) => sum + text.length, 0) / averageWordLength
  const textWeight = Math.min(maxShortTextFactor, (usualLength / Math.max(1, length)) ** lengthExponent)
  for (const { text } of sections) addText(text, textWeight)

  const levels = Array.from({ length: levelCount }, (): Array<string> => [])
  for (const [word, { weight, lowercase }] of weightByWord) {
    const form = lowercase === undefined ? word : stem(lowercase)
    if (form !== word) add(form, weight)
  }
  for (const [word, { weight }] of weightByWord) levels[levelOf(weight)]!.push(word)
  return levels
}

/** Estimates the number of words in a title. */
const lengthOf = (title: string): number => {
  let words = 0
  Words.forEachWord(title, (_, kind) => {
    if (kind === "word" || kind === "pair") words++
  })
  return words
}

const levelOf = (weight: number): number =>
  Math.min(levelCount - 1, Math.floor((1 - weight / (weight + halfRelevanceWeight)) * levelCount))

/** Relevance of a word to a page at each level (0 to 1). */
export const levelRelevance: ReadonlyArray<number> = Array.from(
  { length: levelCount },
  (_, level) => (levelCount - level - 0.5) / levelCount
)
