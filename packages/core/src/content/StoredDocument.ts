/**
 * A document as it goes about where it may be large: as it is, or as the JSON that is stored of it.
 * JSON of 5 MB goes to a thread in 3 ms and is unfolded there; a tree of it would take 70.
 */
import type { Document } from "./Document.ts"
import * as Documents from "./Document.ts"

export type StoredDocument = Document | { readonly json: string }

/** JSON of more characters than this is unfolded where nobody waits for it. */
export const smallJson = 128 * 1024

export const empty: StoredDocument = Documents.empty

export const isSmall = (document: StoredDocument): document is Document => !("json" in document)

export const unfold = (document: StoredDocument): Document =>
  isSmall(document) ? document : (JSON.parse(document.json) as Document)

/** For who hands it on. */
export const fold = (document: Document): StoredDocument => {
  const json = JSON.stringify(document)
  return json.length <= smallJson ? document : { json }
}
