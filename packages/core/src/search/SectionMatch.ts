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
const excerptContext = 80

/**
 * Minimum ratio of a section's `share` to the best section's, if no section contains all words. Other sections are left
 * out.
 */
const minShareOfBest = 0.5

/** A section, with its title (`heading`) and the start of its text (`body`) without case, diacritics and width. */
export interface PreparedSection extends Section {
  readonly heading: string
  readonly body: string
}

export const prepare = (section: Section): PreparedSection => ({
  ...section,
  heading: Words.foldText(section.title),
  body: Words.foldText(section.text.slice(0, maxPageText))
})

/** Form that recognizes a word in a text. */
export interface Needle {
  readonly word: string
  readonly match: "whole" | "beginning"
}

/** A word of the query with matches in the searched spaces. */
export interface MatchedWord {
  readonly needles: ReadonlyArray<Needle>
  /** Weight of the word relative to other words. */
  readonly weight: number
}

export interface MatchedSection {
  readonly section: PreparedSection
  /** True if the heading contains all words of the query that the section contains. */
  readonly isHeadingMatch: boolean
  /** Share of the query that the section contains (0 to 1), by weight. */
  readonly share: number
}

const containsWord = (text: string, { needles }: MatchedWord): boolean => {
  for (const { word, match } of needles) if (Words.containsWord(text, word, match)) return true
  return false
}

/** Returns the share of the query that a folded text contains (0 to 1), by weight. */
export const shareIn = (folded: string, query: ReadonlyArray<MatchedWord>): number => {
  let share = 0
  for (const word of query) if (containsWord(folded, word)) share += word.weight
  return share === 0 ? 0 : share / totalOf(query)
}

const totalOf = (query: ReadonlyArray<MatchedWord>): number => query.reduce((sum, { weight }) => sum + weight, 0)

export const matchSections = (
  sections: ReadonlyArray<PreparedSection>,
  query: ReadonlyArray<MatchedWord>
): ReadonlyArray<MatchedSection> => {
  const total = totalOf(query)
  const matches: Array<MatchedSection & { readonly hasAllWords: boolean }> = []
  for (const section of sections) {
    let headingWeight = 0
    let matchedWeight = 0
    let count = 0
    for (const word of query) {
      const heading = containsWord(section.heading, word)
      if (heading) headingWeight += word.weight
      if (!heading && !containsWord(section.body, word)) continue
      matchedWeight += word.weight
      count++
    }
    if (count === 0) continue
    matches.push({
      section,
      isHeadingMatch: headingWeight === matchedWeight,
      share: total === 0 ? 1 : matchedWeight / total,
      hasAllWords: count === query.length
    })
  }
  const all = matches.filter(({ hasAllWords }) => hasAllWords)
  if (all.length > 0) return all.slice(0, maxSections)
  const highest = Math.max(...matches.map(({ share }) => share))
  return matches
    .filter(({ share }) => share >= highest * minShareOfBest)
    .sort((a, b) => b.share - a.share)
    .slice(0, maxSections)
}

/** Returns the text around the first occurrence of the word with the highest weight, as one line. */
export const excerpt = ({ text, body }: PreparedSection, query: ReadonlyArray<MatchedWord>): string => {
  if (text.length <= excerptLength) return collapseWhiteSpace(text)
  // The offset is approximate if folding changed the length of the text. An excerpt does not need an exact one.
  const offset = offsetOfWord(body, query)
  const from = offset <= excerptContext ? 0 : wordStart(text, Math.min(offset, text.length) - excerptContext)
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
const offsetOfWord = (body: string, query: ReadonlyArray<MatchedWord>): number => {
  let highest = -1
  let offset = -1
  for (const { needles, weight } of query) {
    if (weight <= highest) continue
    const needleOffset = firstOffset(body, needles)
    if (needleOffset === -1) continue
    highest = weight
    offset = needleOffset
  }
  return offset
}

/** Returns the offset of the first needle that occurs in the text; -1 if none occurs. */
const firstOffset = (body: string, needles: ReadonlyArray<Needle>): number => {
  for (const { word, match } of needles) {
    const offset = Words.offsetOf(body, word, match)
    if (offset !== -1) return offset
  }
  return -1
}

/**
 * Returns the offset of the first word that starts after `offset`, if within 80 characters. Otherwise returns `offset`,
 * moved out of a surrogate pair.
 */
const wordStart = (text: string, offset: number): number => {
  const space = text.slice(offset, offset + excerptContext).search(/\s/)
  const start = space === -1 ? offset : offset + space + 1
  const isLowSurrogate = text.charCodeAt(start) >>> 10 === 0x37
  return isLowSurrogate ? start + 1 : start
}
