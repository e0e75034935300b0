/**
 * Under which words a page is found: its title, its headings, its description and its text. Groups
 * and links have a title alone, and a page that is not to be indexed has nothing.
 */
import type { PageEntry } from "../content/pages/Page.ts"
import type { PageWords } from "../storage/SearchIndex.ts"
import type { Section } from "@lectern/document/Sections"
import * as Words from "./Words.ts"

/** Tells whether the index keeps the same words of both pages. */
export const sameWords = (a: PageEntry | undefined, b: PageEntry | undefined): boolean =>
  isFound(a) === isFound(b) &&
  (!isFound(a) || (a!.title === b!.title && a!.description === b!.description && a!.document === b!.document))

export const isFound = (page: PageEntry | undefined): boolean => page !== undefined && page.noIndex !== true

export type Named = Pick<PageEntry, "title" | "description">

export const wordsOf = (page: Named, sections: ReadonlyArray<Section>): PageWords => {
  let room = Words.maxPageText
  let limit = Words.maxPageWords
  const read = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const words = new Set<string>()
    for (const text of texts) {
      if (room === 0) break
      Words.addTo(words, text.slice(0, room), limit)
      room = Math.max(0, room - text.length)
    }
    limit -= words.size
    return [...words]
  }
  return {
    title: read([page.title]),
    heading: read(sections.map(({ title }) => title)),
    body: read([page.description ?? "", ...sections.map(({ text }) => text)])
  }
}
