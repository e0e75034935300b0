/** Finds the references of a document, and replaces them. */
import * as Computation from "../../thread/Computation.ts"
import type { ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { serialize, isSmall, parseDocument, type StoredDocument } from "./StoredDocument.ts"

interface FindInput {
  readonly document: StoredDocument
  /** The document before the edit. References that it contains are not returned. */
  readonly stored: StoredDocument
}

/** Returns each reference once, by its JSON. */
export const FindReferences = Computation.make({
  name: "find-references",
  isSmall: ({ document, stored }: FindInput) => isSmall(document) && isSmall(stored),
  run: ({ document, stored }): ReadonlyMap<string, ContentRef> => {
    const existing = new Set(Array.from(DocumentRefs.refs(parseDocument(stored)), (ref) => JSON.stringify(ref)))
    const added = new Map<string, ContentRef>()
    for (const ref of DocumentRefs.refs(parseDocument(document))) {
      const key = JSON.stringify(ref)
      if (!existing.has(key)) added.set(key, ref)
    }
    return added
  }
})

export const MapReferences = Computation.make({
  name: "map-references",
  isSmall: ({ document }: { readonly document: StoredDocument; readonly refs: ReadonlyMap<string, ContentRef> }) =>
    isSmall(document),
  run: ({ document, refs }): StoredDocument => {
    const parsed = parseDocument(document)
    const documentWithRefs = DocumentRefs.mapRefs(parsed, (ref) => refs.get(JSON.stringify(ref)) ?? ref)
    return documentWithRefs === parsed ? document : serialize(documentWithRefs)
  }
})
