import * as Computation from "../../thread/Computation.ts"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { isSmall, parseDocument, type StoredDocument } from "./StoredDocument.ts"

export const PrintDocument = Computation.make({
  name: "print-document",
  isSmall,
  run: (document: StoredDocument): string => Markdown.print(parseDocument(document))
})
