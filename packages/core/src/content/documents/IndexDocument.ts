/** Computes the words under which search finds a page (see `PageWords`). */
import { type PageFields, wordsOf } from "../../search/PageWords.ts"
import { sectionsOf } from "@lectern/document/Sections"
import type { Language } from "../../schema/Language.ts"
import * as Computation from "../../thread/Computation.ts"
import { isSmall, lengthOf, parseDocument, type StoredDocument } from "./StoredDocument.ts"

export const IndexDocument = Computation.make({
  name: "index-document",
  isSmall: ({
    document
  }: {
    readonly page: PageFields
    readonly document: StoredDocument
    readonly language: Language | undefined
  }) => isSmall(document),
  lengthOf: ({ document }) => lengthOf(document),
  run: ({ page, document, language }) => wordsOf(page, sectionsOf(parseDocument(document)), language)
})
