/**
 * Files of the search of a static site: a manifest, a table of the pages, parts of the index by words, and the text of
 * each page for excerpts. The words of pages, and so their ranking, are those of the core.
 *
 * Limits: an excerpt is found in the first 1,500 characters of a section, and in the first 12,000 of a page.
 */
import type { Language } from "@lectern/core/schema/Language"
import * as PageWords from "@lectern/core/search/PageWords"
import type { Hasher } from "@lectern/core/storage/Hasher"
import { levelCount } from "@lectern/core/storage/SearchIndex"
import type { Document } from "@lectern/document/Document"
import { sectionsOf } from "@lectern/document/Sections"
import * as LocalizedMessages from "../page/LocalizedMessages.ts"
import { folder, manifestName, type PageTable, type PageText, type SearchManifest } from "./SearchManifest.ts"
import * as SearchScripts from "./SearchScripts.ts"
import * as SearchShard from "./SearchShard.ts"
import { stemmerOf } from "./Stemmers.ts"

export interface IndexedPage {
  readonly title: string
  /** Path below the site, percent-encoded. */
  readonly url: string
  readonly description?: string
  /** Titles of the ancestors, from the top. */
  readonly ancestors: ReadonlyArray<string>
}

interface SearchFile {
  readonly path: string
  readonly bytes: string | Uint8Array
}

const maxSectionText = 1_500
const maxText = 12_000
const hashLength = 10

export class SearchFiles {
  readonly #hasher: Pick<Hasher["Service"], "sha256">
  readonly #pages: ReadonlyArray<IndexedPage>
  /** File with the text of each page, by its number. */
  readonly #texts: Array<string> = []
  readonly #entries = new Map<string, ReadonlyArray<Array<number>>>()
  readonly #files = new Map<string, string | Uint8Array>()
  readonly #language: Language | undefined

  /** `language`: language of the word forms. */
  constructor(
    hasher: Pick<Hasher["Service"], "sha256">,
    pages: ReadonlyArray<IndexedPage>,
    language: Language | undefined
  ) {
    this.#hasher = hasher
    this.#pages = pages
    this.#language = language
  }

  /** Adds the words of a page by its number. The order of calls does not matter. */
  add(number: number, document: Document | undefined): void {
    const page = this.#pages[number]!
    const sections = document === undefined ? [] : sectionsOf(document)
    for (const [level, words] of PageWords.wordsOf(page, sections, this.#language).entries()) {
      for (const word of words) {
        let entries = this.#entries.get(word)
        if (entries === undefined) this.#entries.set(word, (entries = Array.from({ length: levelCount }, () => [])))
        entries[level]!.push(number)
      }
    }
    this.#texts[number] = this.#addText(page.description ?? "", sections)
  }

  #addText(description: string, sections: ReturnType<typeof sectionsOf>): string {
    let remaining = maxText
    const texts: Array<PageText["sections"][number]> = []
    for (const { anchor = "", title, text } of sections) {
      if (title === "" && text === "") continue
      const shortText = text.slice(0, Math.min(maxSectionText, remaining)).toWellFormed()
      remaining -= shortText.length
      texts.push([anchor, title, shortText])
    }
    if (texts.length === 0 && description === "") return ""
    const name = this.#addFile("json", JSON.stringify({ description, sections: texts } satisfies PageText))
    return name.slice(0, -".json".length)
  }

  #addFile(extension: string, bytes: string | Uint8Array): string {
    const name = `${this.#hasher.sha256(bytes).slice(0, hashLength)}.${extension}`
    this.#files.set(name, bytes)
    return name
  }

  /** Returns all files. `locale`: language of the interface. */
  files(locale: string): ReadonlyArray<SearchFile> {
    const words = Array.from(this.#entries, ([word, entries]) => ({ word, entries }))
    // Compared by UTF-16 code units, as in the browser.
    words.sort((a, b) => (a.word < b.word ? -1 : 1))
    const shards = SearchShard.encode(words).map(
      ({ firstWord, bytes }) => [firstWord, this.#addFile("bin", bytes)] as const
    )
    const ancestorKeys = new Map<string, number>()
    const ancestorsOf = ({ ancestors }: IndexedPage): number => {
      const key = JSON.stringify(ancestors)
      const index = ancestorKeys.get(key) ?? ancestorKeys.size
      ancestorKeys.set(key, index)
      return index
    }
    let previousUrl = ""
    const pages = this.#pages.map((page, number) => {
      const { title, url } = page
      let prefix = 0
      while (prefix < url.length && url[prefix] === previousUrl[prefix]) prefix++
      previousUrl = url
      return [title, prefix, url.slice(prefix), ancestorsOf(page), this.#texts[number] ?? ""] as const
    })
    const ancestors = Array.from(ancestorKeys.keys(), (key) => JSON.parse(key) as ReadonlyArray<string>)
    const table: PageTable = { ancestors, pages }
    const language = this.#language
    const stemmer = stemmerOf(language)
    const manifest: SearchManifest = {
      ...(language !== undefined && { language }),
      ...(stemmer !== undefined && { stemmer: this.#addFile("js", SearchScripts.stemmers[stemmer]) }),
      tag: LocalizedMessages.messagesFor(locale, language).language,
      messages: LocalizedMessages.searchTexts(locale, language),
      pages: this.#addFile("json", JSON.stringify(table)),
      words: shards
    }
    return [
      { path: `${folder}/${manifestName}`, bytes: JSON.stringify(manifest) },
      ...Array.from(this.#files, ([name, bytes]) => ({ path: `${folder}/${name}`, bytes }))
    ]
  }
}
