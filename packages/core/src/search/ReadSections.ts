/** Computation that returns the sections of a document, prepared for `SectionMatch`. */
import { isSmall, parseDocument, type StoredDocument } from "../content/documents/StoredDocument.ts"
import * as Computation from "../thread/Computation.ts"
import * as SectionMatch from "./SectionMatch.ts"
import { sectionsOf } from "@lectern/document/Sections"

export const ReadSections = Computation.make({
  name: "read-sections",
  isSmall,
  run: (document: StoredDocument): ReadonlyArray<SectionMatch.PreparedSection> =>
    sectionsOf(parseDocument(document)).map(SectionMatch.prepare)
})
