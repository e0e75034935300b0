/**
 * Selects the sections of a page that match a query, with excerpts. Sections that contain all words match. If no
 * section contains all, the sections with the largest share of the matched words match.
 *
 * Limits: 10 sections of a page; excerpts of 300 characters (UTF-16).
 */
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import type { Section } from "@lectern/document/Sections"
import { maxPageText } from "./PageWords.ts"
import * as Words from "./Words.ts"

export const maxSections = 10
export const excerptLength = 300

/** Maximum length of the excerpt before the matching word, in UTF-16 code units. */
const before = 80

/** Sections with less than this share of the best section's `part` are left out, if no section contains all words. */
const leastPart = 0.5

/** A section, with its title (`heading`) and the start of its text (`body`) without case, diacritics and width. */
export interface ReadSection extends Section {
  readonly heading: string
  readonly body: string
}

export const read = (section: Section): ReadSection => ({
  ...section,
  heading: Words.fold(section.title),
  body: Words.fold(section.text.slice(0, maxPageText))
})

/** Form that recognizes a word in a text. */
export interface Needle {
  readonly word: string
  readonly match: "whole" | "beginning"
}

/** A word of the query with matches in the searched spaces. */
export interface FoundWord {
  readonly needles: ReadonlyArray<Needle>
  /** Weight of the word relative to other words. */
  readonly weight: number
}

export interface Matched {
  readonly section: ReadSection
  /** True if the heading contains all words of the query that the section contains. */
  readonly byHeading: boolean
  /** Share of the query that the section contains (0 to 1), by weight. */
  readonly part: number
}

const standsIn = (text: string, { needles }: FoundWord): boolean => {
  for (const { word, match } of needles) if (Words.standsIn(text, word, match)) return true
  return false
}

/** Returns the share of the query that a folded text contains (0 to 1), by weight. */
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
  const matches: Array<Matched & { readonly hasAll: boolean }> = []
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
    matches.push({
      section,
      byHeading: inHeading === inEither,
      part: total === 0 ? 1 : inEither / total,
      hasAll: count === query.length
    })
  }
  const all = matches.filter(({ hasAll }) => hasAll)
  if (all.length > 0) return all.slice(0, maxSections)
  const highest = Math.max(...matches.map(({ part }) => part))
  return matches
    .filter(({ part }) => part >= highest * leastPart)
    .sort((a, b) => b.part - a.part)
    .slice(0, maxSections)
}

/** Returns the text around the first occurrence of the word with the highest weight, as one line. */
export const excerpt = ({ text, body }: ReadSection, query: ReadonlyArray<FoundWord>): string => {
  if (text.length <= excerptLength) return collapseWhiteSpace(text)
  // The offset is approximate if folding changed the length of the text. An excerpt does not need an exact one.
  const offset = placeOf(body, query)
  const from = offset <= before ? 0 : wordStart(text, Math.min(offset, text.length) - before)
  const end = Math.min(text.length, from + excerptLength)
  const excerptText = collapseWhiteSpace(
    text
      .slice(from, end)
      .toWellFormed()
      .replace(/\ufffd$/, "")
  )
  return `${from > 0 ? "… " : ""}${excerptText}${end < text.length ? " …" : ""}`
}

/**
 * Returns the offset of the word with the highest weight in the text. The first word wins a tie. -1 if the text has no
 * word of the query.
 */
const placeOf = (body: string, query: ReadonlyArray<FoundWord>): number => {
  let highest = -1
  let offset = -1
  for (const { needles, weight } of query) {
    if (weight <= highest) continue
    const needleOffset = firstOf(body, needles)
    if (needleOffset === -1) continue
    highest = weight
    offset = needleOffset
  }
  return offset
}

/** Returns the offset of the first needle that occurs in the text; -1 if none occurs. */
const firstOf = (body: string, needles: ReadonlyArray<Needle>): number => {
  for (const { word, match } of needles) {
    const offset = Words.placeOf(body, word, match)
    if (offset !== -1) return offset
  }
  return -1
}

/**
 * Returns the offset of the first word that starts after `offset`, if within 80 characters. Otherwise returns `offset`,
 * moved out of a surrogate pair.
 */
const wordStart = (text: string, offset: number): number => {
  const space = text.slice(offset, offset + before).search(/\s/)
  const start = space === -1 ? offset : offset + space + 1
  const isLow = text.charCodeAt(start) >>> 10 === 0x37
  return isLow ? start + 1 : start
}
