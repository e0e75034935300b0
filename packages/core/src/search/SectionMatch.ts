/**
 * Which sections of a page match a query, and what is shown of them. A section matches when it has
 * all the words; where no section has, those match that have any.
 *
 * Limits: 10 sections of a page, 300 characters (UTF-16) of each.
 */
import type { Section } from "@lectern/document/Sections"
import * as Words from "./Words.ts"

export const maxSections = 10
export const excerptLength = 300

/** How much is shown before the word. */
const before = 80

/** A section with its texts folded. */
export interface ReadSection extends Section {
  readonly heading: string
  readonly body: string
}

export const read = (section: Section): ReadSection => ({
  ...section,
  heading: Words.fold(section.title),
  body: Words.fold(section.text.slice(0, Words.maxPageText))
})

export interface Matched {
  readonly section: ReadSection
  /** True where the heading alone has all words of the query that the section has. */
  readonly byHeading: boolean
}

interface Needle {
  readonly word: string
  readonly match: "whole" | "beginning"
}

const needles = ({ words, prefix }: Words.QueryWords): ReadonlyArray<Needle> => [
  ...words.map((word) => ({ word, match: "whole" as const })),
  ...(prefix === undefined ? [] : [{ word: prefix, match: "beginning" as const }])
]

export const matching = (sections: ReadonlyArray<ReadSection>, query: Words.QueryWords): ReadonlyArray<Matched> => {
  const wanted = needles(query)
  const some: Array<Matched> = []
  const all: Array<Matched> = []
  for (const section of sections) {
    let inHeading = 0
    let inEither = 0
    for (const { word, match } of wanted) {
      const heading = Words.standsIn(section.heading, word, match)
      if (heading) inHeading++
      if (heading || Words.standsIn(section.body, word, match)) inEither++
    }
    if (inEither === 0) continue
    const matched = { section, byHeading: inHeading === inEither }
    if (inEither === wanted.length) {
      all.push(matched)
      if (all.length === maxSections) break
    } else if (some.length < maxSections) some.push(matched)
  }
  return all.length > 0 ? all : some
}

/** The text around the first of the words, in one line. */
export const excerpt = ({ text, body }: ReadSection, query: Words.QueryWords): string => {
  if (text.length <= excerptLength) return text.replace(/\s+/g, " ").trim()
  // Where folding has changed lengths this is near the word: it is to read, not to point at.
  let found = -1
  for (const { word, match } of needles(query)) {
    found = Words.placeOf(body, word, match)
    if (found !== -1) break
  }
  const from = found <= before ? 0 : wordStart(text, Math.min(found, text.length) - before)
  const to = Math.min(text.length, from + excerptLength)
  const shown = text
    .slice(from, to)
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .replace(/\s+/g, " ")
    .trim()
  return `${from > 0 ? "… " : ""}${shown}${to < text.length ? " …" : ""}`
}

/** The beginning of the first word behind an offset, if it is near. */
const wordStart = (text: string, offset: number): number => {
  const space = text.slice(offset, offset + before).search(/\s/)
  const start = space === -1 ? offset : offset + space + 1
  const isLow = text.charCodeAt(start) >>> 10 === 0x37
  return isLow ? start + 1 : start
}
