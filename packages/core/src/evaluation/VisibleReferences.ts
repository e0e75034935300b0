/** References in the visible parts of a document: files, reusable contents, users, specs and variables. */
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import type { ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { isSmall, parseDocument, type StoredDocument } from "../content/documents/StoredDocument.ts"
import * as Computation from "../thread/Computation.ts"
import { evaluate } from "@lectern/document/DocumentEvaluation"
import type { EvaluationSetting } from "./PresentDocument.ts"

interface ReferenceInput {
  readonly document: StoredDocument
  /** Undefined: no part is conditional. */
  readonly setting: EvaluationSetting | undefined
}

interface References {
  readonly refs: ReadonlyArray<ContentRef>
  readonly variables: ReadonlyArray<DocumentLinks.DocumentVariable>
  /** True if other claims may result in other references. */
  readonly readsClaims: boolean
}

export const VisibleReferences = Computation.make({
  name: "show-references",
  isSmall: ({ document }: ReferenceInput) => isSmall(document),
  run: ({ document: stored, setting }): References => {
    const original = parseDocument(stored)
    const { document, readsClaims } =
      setting === undefined
        ? { document: original, readsClaims: false }
        : evaluate(original, { ...setting, includedContent: () => undefined })
    const kinds = new Set(["file", "openapi", "reusable-content", "user"])
    return {
      refs: Array.from(DocumentRefs.refs(document)).filter(({ kind }) => kinds.has(kind)),
      variables: DocumentLinks.linksOf(document).variables,
      readsClaims
    }
  }
})
