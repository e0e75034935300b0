/**
 * Under which words a page is found, and how much it says of each: its title, its headings, its
 * description and its text. Groups and links have a title alone, and a page that is not to be indexed
 * has nothing. How often a word stands in a page counts less and less (as in BM25), how long the text
 * is counts against it, a title counts most.
 *
 * Limits: 20,000 distinct words of a page, out of its first 200,000 characters.
 */
import type { PageEntry } from "../content/pages/Page.ts"
import type { Language } from "../schema/Language.ts"
import { levelCount, type PageWords } from "../storage/SearchIndex.ts"
import type { Section } from "@lectern/document/Sections"
import { stemOf } from "./WordForms.ts"
import * as Words from "./Words.ts"

export const maxPageWords = 20_000
export const maxPageText = 200_000

/** Counts up when the same page comes to have other words or levels: then every index is made anew. */
export const version = 4

/** A version that no words are of. */
export const unknownVersion = 0

/** Tells whether the index keeps the same words of both pages. */
export const sameWords = (a: PageEntry | undefined, b: PageEntry | undefined): boolean =>
  isFound(a) === isFound(b) &&
  (!isFound(a) || (a!.title === b!.title && a!.description === b!.description && a!.document === b!.document))

export const isFound = (page: PageEntry | undefined): boolean => page !== undefined && page.noIndex !== true

export type Named = Pick<PageEntry, "title" | "description">

/** Worth of a word at each place, in times that it stands in the text of a page of usual length. */
const inTitle = 16
/** Of a group, a link, or a page without a text: there is nothing to read. */
const inLoneTitle = 8
const inHeading = 2.5
const inDescription = 2
/** A title that says other things too says less of each of them. */
const titleLength = 6
/** How many words the text of a usual page has, and how many characters go to one. */
const usualLength = 400
const charactersOfWord = 6
/** How much the length of a text counts: 0 not at all, 1 as much as it is. A short one gains a little. */
const lengthCounts = 0.45
const mostOfShort = 1.5
/** From which number of times on it counts half as much as ever. */
const half = 6
/** Worth of a word within another one, as a part of a whole word. */
const partCounts = 0.5

export const wordsOf = (page: Named, sections: ReadonlyArray<Section>, language: Language | undefined): PageWords => {
  const stem = stemOf(language)
  /** Worth of each word in the page, and the word in small letters where it has forms. */
  const counted = new Map<string, { worth: number; readonly small: string | undefined }>()
  let room = maxPageText
  const add = (word: string, worth: number, small?: string) => {
    const known = counted.get(word)
    if (known !== undefined) known.worth += worth
    else if (counted.size < maxPageWords) counted.set(word, { worth, small })
  }
  const read = (text: string, worth: number) => {
    Words.cut(text.slice(0, room), (word, kind, small) => {
      if (kind === "word") add(word, worth, small)
      else if (kind === "part") add(word, worth * partCounts, small)
      else add(word, worth)
    })
    room = Math.max(0, room - text.length)
  }
  const title = sections.some(({ title, text }) => title !== "" || text !== "") ? inTitle : inLoneTitle
  read(page.title, title / (1 + Math.max(0, lengthOf(page.title) - 1) / titleLength))
  if (page.description !== undefined) read(page.description, inDescription)
  for (const { title } of sections) read(title, inHeading)
  const length = sections.reduce((sum, { text }) => sum + text.length, 0) / charactersOfWord
  const inText = Math.min(mostOfShort, (usualLength / Math.max(1, length)) ** lengthCounts)
  for (const { text } of sections) read(text, inText)

  const levels = Array.from({ length: levelCount }, (): Array<string> => [])
  for (const [word, { worth, small }] of counted) {
    const form = small === undefined ? word : stem(small)
    if (form !== word) add(form, worth)
  }
  for (const [word, { worth }] of counted) levels[levelOf(worth)]!.push(word)
  return levels
}

/** How many words a title has, about. */
const lengthOf = (title: string): number => {
  let words = 0
  Words.cut(title, (_, kind) => {
    if (kind === "word" || kind === "pair") words++
  })
  return words
}

const levelOf = (worth: number): number =>
  Math.min(levelCount - 1, Math.floor((1 - worth / (worth + half)) * levelCount))

/** How much a page says of a word at each level, of 1. */
export const saidAt: ReadonlyArray<number> = Array.from(
  { length: levelCount },
  (_, level) => (levelCount - level - 0.5) / levelCount
)
