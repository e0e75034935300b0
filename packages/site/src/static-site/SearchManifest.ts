/** Files of the search of a static site, which the build writes and the browser reads. */
import type { Language } from "@lectern/core/schema/Language"
import type { Messages } from "../page/messages/Messages.ts"

/** Folder of the files below the site. The manifest has a fixed name; all others are named by their hash. */
export const folder = "~search"
export const manifestName = "index.json"

export interface SearchManifest {
  /** Language of the word forms. Default: English. */
  readonly language?: Language
  /** File with the stemmer of the language, a script. Default: the language needs none. */
  readonly stemmer?: string
  /** BCP 47 tag of the interface, and its messages. */
  readonly tag: string
  readonly messages: Pick<Messages, "results" | "noResults">
  /** File with the pages: a `PageTable`. */
  readonly pages: string
  /** First word of each part of the index, and the file of the part. */
  readonly words: ReadonlyArray<readonly [firstWord: string, file: string]>
}

/** Table of pages. Pages have the numbers of their rows. */
export interface PageTable {
  /** Titles of ancestors: each list that a page has. */
  readonly ancestors: ReadonlyArray<ReadonlyArray<string>>
  readonly pages: ReadonlyArray<
    readonly [
      title: string,
      /** Number of characters in common with the URL of the previous page, and the rest of the URL. */
      prefix: number,
      suffix: string,
      /** Index in `ancestors`. */
      ancestors: number,
      /** Name of the file with the text, without `.json`: a `PageText`. Empty for a page without text. */
      text: string
    ]
  >
}

/** Returns the URLs of all pages: paths below the site, percent-encoded. */
export const urlsOf = ({ pages }: PageTable): ReadonlyArray<string> => {
  let previous = ""
  return pages.map(([, prefix, suffix]) => (previous = previous.slice(0, prefix) + suffix))
}

/** Text of a page for excerpts. */
export interface PageText {
  readonly description: string
  readonly sections: ReadonlyArray<readonly [anchor: string, title: string, text: string]>
}
