/** Under which words a page is found (see `PageWords`). */
import { type Named, wordsOf } from "../../search/PageWords.ts"
import { sectionsOf } from "@lectern/document/Sections"
import * as Computation from "../../thread/Computation.ts"
import { isSmall, type StoredDocument, unfold } from "./StoredDocument.ts"

export const IndexDocument = Computation.make({
  name: "index-document",
  isSmall: ({ document }: { readonly page: Named; readonly document: StoredDocument }) => isSmall(document),
  run: ({ page, document }) => wordsOf(page, sectionsOf(unfold(document)))
})
