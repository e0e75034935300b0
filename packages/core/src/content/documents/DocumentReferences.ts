/** Finds the references of a document, and replaces them. */
import * as Computation from "../../thread/Computation.ts"
import type { ContentRef } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { fold, isSmall, open, type StoredDocument } from "./StoredDocument.ts"

interface Documents {
  readonly document: StoredDocument
  /** The document before the edit. References that it contains are not returned. */
  readonly stored: StoredDocument
}

/** Returns each reference once, by its JSON. */
export const FindReferences = Computation.make({
  name: "find-references",
  isSmall: ({ document, stored }: Documents) => isSmall(document) && isSmall(stored),
  run: ({ document, stored }): ReadonlyMap<string, ContentRef> => {
    const kept = new Set(Array.from(DocumentRefs.refs(open(stored)), (ref) => JSON.stringify(ref)))
    const found = new Map<string, ContentRef>()
    for (const ref of DocumentRefs.refs(open(document))) {
      const key = JSON.stringify(ref)
      if (!kept.has(key)) found.set(key, ref)
    }
    return found
  }
})

export const MapReferences = Computation.make({
  name: "map-references",
  isSmall: ({ document }: { readonly document: StoredDocument; readonly refs: ReadonlyMap<string, ContentRef> }) =>
    isSmall(document),
  run: ({ document, refs }): StoredDocument => {
    const given = open(document)
    const mapped = DocumentRefs.mapRefs(given, (ref) => refs.get(JSON.stringify(ref)) ?? ref)
    return mapped === given ? document : fold(mapped)
  }
})
