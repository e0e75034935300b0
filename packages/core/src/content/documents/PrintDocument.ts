/** Prints a document as Markdown. */
import * as Computation from "../../thread/Computation.ts"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { isSmall, type StoredDocument, unfold } from "./StoredDocument.ts"

export const PrintDocument = Computation.make({
  name: "print-document",
  isSmall,
  run: (document: StoredDocument): string => Markdown.print(unfold(document))
})
