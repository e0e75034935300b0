/** Prints a document that was answered as Markdown which holds wherever it is read: its references are URLs. */
import type { ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import * as Computation from "../../thread/Computation.ts"
import { isSmall, lengthOf, open, type StoredDocument } from "./StoredDocument.ts"

interface Input {
  readonly document: StoredDocument
  /** Of its page: a path leads on from there. */
  readonly base: string
  /** URLs or paths by the JSON of the references that have one. */
  readonly targets: ReadonlyMap<string, string>
}

export const PrintAbsolute = Computation.make({
  name: "print-absolute",
  isSmall: ({ document }: Input) => isSmall(document),
  lengthOf: ({ document }) => lengthOf(document),
  run: ({ document, base, targets }): string => {
    const absolute = DocumentRefs.mapRefs(open(document), (ref): ContentRef => {
      // Names of people and specs have no address.
      if (ref.kind === "user" || ref.kind === "openapi") return ref
      const url = targets.get(JSON.stringify(ref))
      return { kind: "url", url: url === undefined ? "" : (URL.parse(url, base)?.href ?? "") }
    })
    return Markdown.print(VisitorDocument.forMarkdown(absolute))
  }
})
