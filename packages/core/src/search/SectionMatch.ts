/**
 * Which sections of a page match a query, and what is shown of them. Sections that have all the
 * words match; where no section has, those match that have the most of what the page was found by.
 *
 * Limits: 10 sections of a page, 300 characters (UTF-16) of each.
 */
import { collapsed } from "@lectern/document/markdown/OneLine"
import type { Section } from "@lectern/document/Sections"
import { maxPageText } from "./PageWords.ts"
import * as Words from "./Words.ts"

export const maxSections = 10
export const excerptLength = 300

/** How much is shown before the word. */
const before = 80

/** Sections that have less than this part of what the best one has are left out. */
const leastPart = 0.5

/** A section with its texts folded. */
export interface ReadSection extends Section {
  readonly heading: string
  readonly body: string
}

export const read = (section: Section): ReadSection => ({
  ...section,
  heading: Words.fold(section.title),
  body: Words.fold(section.text.slice(0, maxPageText))
})

/** Form by which a word is recognized in a text. */
export interface Needle {
  readonly word: string
  readonly match: "whole" | "beginning"
}

/** A word of the query as it was found in the space. */
export interface FoundWord {
  readonly needles: ReadonlyArray<Needle>
  /** Weight of the word beside the others. */
  readonly weight: number
}

export interface Matched {
  readonly section: ReadSection
  /** True where the heading alone has all words of the query that the section has. */
  readonly byHeading: boolean
  /** How much it has of the query, of 1. */
  readonly part: number
}

const standsIn = (text: string, { needles }: FoundWord): boolean => {
  for (const { word, match } of needles) if (Words.standsIn(text, word, match)) return true
  return false
}

/** How much of the query a folded text has, of 1. */
export const partIn = (folded: string, query: ReadonlyArray<FoundWord>): number => {
  let part = 0
  for (const word of query) if (standsIn(folded, word)) part += word.weight
  return part === 0 ? 0 : part / totalOf(query)
}

const totalOf = (query: ReadonlyArray<FoundWord>): number => query.reduce((sum, { weight }) => sum + weight, 0)

export const matching = (
  sections: ReadonlyArray<ReadSection>,
  query: ReadonlyArray<FoundWord>
): ReadonlyArray<Matched> => {
  const total = totalOf(query)
  const found: Array<Matched & { readonly hasAll: boolean }> = []
  for (const section of sections) {
    let inHeading = 0
    let inEither = 0
    let count = 0
    for (const word of query) {
      const heading = standsIn(section.heading, word)
      if (heading) inHeading += word.weight
      if (!heading && !standsIn(section.body, word)) continue
      inEither += word.weight
      count++
    }
    if (count === 0) continue
    found.push({
      section,
      byHeading: inHeading === inEither,
      part: total === 0 ? 1 : inEither / total,
      hasAll: count === query.length
    })
  }
  const all = found.filter(({ hasAll }) => hasAll)
  if (all.length > 0) return all.slice(0, maxSections)
  const most = Math.max(...found.map(({ part }) => part))
  return found
    .filter(({ part }) => part >= most * leastPart)
    .sort((a, b) => b.part - a.part)
    .slice(0, maxSections)
}

/** The text around the first of the words that is worth most, in one line. */
export const excerpt = ({ text, body }: ReadSection, query: ReadonlyArray<FoundWord>): string => {
  if (text.length <= excerptLength) return collapsed(text)
  // Where folding has changed lengths this is near the word: it is to read, not to point at.
  const found = placeOf(body, query)
  const from = found <= before ? 0 : wordStart(text, Math.min(found, text.length) - before)
  const to = Math.min(text.length, from + excerptLength)
  const shown = collapsed(
    text
      .slice(from, to)
      .toWellFormed()
      .replace(/\ufffd$/, "")
  )
  return `${from > 0 ? "… " : ""}${shown}${to < text.length ? " …" : ""}`
}

/** Offset of the word that is worth most of those in the text, and of the first of them; -1 for none. */
const placeOf = (body: string, query: ReadonlyArray<FoundWord>): number => {
  let most = -1
  let place = -1
  for (const { needles, weight } of query) {
    if (weight <= most) continue
    const found = firstOf(body, needles)
    if (found === -1) continue
    most = weight
    place = found
  }
  return place
}

/** Offset of the first needle that stands in the text; -1 for none. */
const firstOf = (body: string, needles: ReadonlyArray<Needle>): number => {
  for (const { word, match } of needles) {
    const place = Words.placeOf(body, word, match)
    if (place !== -1) return place
  }
  return -1
}

/** The beginning of the first word behind an offset, if it is near. */
const wordStart = (text: string, offset: number): number => {
  const space = text.slice(offset, offset + before).search(/\s/)
  const start = space === -1 ? offset : offset + space + 1
  const isLow = text.charCodeAt(start) >>> 10 === 0x37
  return isLow ? start + 1 : start
}
