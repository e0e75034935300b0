/**
 * Prints a document in its response form as Markdown that is independent of its location: all references become URLs.
 */
import type { ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import * as Computation from "../../thread/Computation.ts"
import { isSmall, lengthOf, parseDocument, type StoredDocument } from "./StoredDocument.ts"

interface PrintInput {
  readonly document: StoredDocument
  /** URL of the page. Paths are resolved against it. */
  readonly base: string
  /** URLs or paths, by the JSON of their references. References without a URL are missing. */
  readonly targets: ReadonlyMap<string, string>
}

export const PrintAbsolute = Computation.make({
  name: "print-absolute",
  isSmall: ({ document }: PrintInput) => isSmall(document),
  lengthOf: ({ document }) => lengthOf(document),
  run: ({ document, base, targets }): string => {
    const withAbsoluteUrls = DocumentRefs.mapRefs(parseDocument(document), (ref): ContentRef => {
      // References to users and specs have no URL and stay unchanged.
      if (ref.kind === "user" || ref.kind === "openapi") return ref
      const url = targets.get(JSON.stringify(ref))
      return { kind: "url", url: url === undefined ? "" : (URL.parse(url, base)?.href ?? "") }
    })
    return Markdown.print(VisitorDocument.markdownVisitorDocument(withAbsoluteUrls))
  }
})
