/** Computation that finds the links of a document (see `DocumentLinks`). */
import * as Computation from "../../thread/Computation.ts"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import { isSmall, lengthOf, parseDocument, type StoredDocument } from "./StoredDocument.ts"

export const LinkDocument = Computation.make({
  name: "link-document",
  isSmall,
  lengthOf,
  run: (document: StoredDocument) => DocumentLinks.linksOf(parseDocument(document))
})
