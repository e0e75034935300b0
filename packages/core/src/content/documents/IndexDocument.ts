/** Under which words a page is found (see `PageWords`). */
import { type Named, wordsOf } from "../../search/PageWords.ts"
import { sectionsOf } from "@lectern/document/Sections"
import type { Language } from "../../schema/Language.ts"
import type { PageWords } from "../../storage/SearchIndex.ts"
import * as Computation from "../../thread/Computation.ts"
import { isSmall, lengthOf, open, type StoredDocument } from "./StoredDocument.ts"

export const IndexDocument = Computation.make({
  name: "index-document",
  isSmall: ({
    document
  }: {
    readonly page: Named
    readonly document: StoredDocument
    readonly language: Language | undefined
  }) => isSmall(document),
  lengthOf: ({ document }) => lengthOf(document),
  run: ({ page, document, language }) => wordsOf(page, sectionsOf(open(document)), language)
})

interface Texts {
  readonly pages: ReadonlyArray<{ readonly page: Named; readonly json: string }>
  readonly language: Language | undefined
}

/** The same of several at once, for a thread: of the JSON of their documents, and answered as JSON. */
export const IndexDocuments = Computation.make({
  name: "index-documents",
  run: ({ pages, language }: Texts): string =>
    JSON.stringify(pages.map(({ page, json }): PageWords => wordsOf(page, sectionsOf(open({ json })), language)))
})
