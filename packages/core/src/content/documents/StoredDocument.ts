/**
 * A document as it goes about where it may be large (`Folded`): as it is, or as the JSON that is stored of it.
 * JSON of 5 MB goes to a thread in 3 ms and is unfolded there; a tree of it would take 70.
 */
import type { Document } from "@lectern/document/Document"
import * as Documents from "@lectern/document/Document"

export type Folded<A extends object> = A | { readonly json: string }

export type StoredDocument = Folded<Document>

/** JSON of more characters than this is unfolded where nobody waits for it. */
export const smallJson = 128 * 1024

export const empty: StoredDocument = Documents.empty

export const isSmall = <A extends object>(value: Folded<A>): value is A => !("json" in value)

export const unfold = <A extends object>(value: Folded<A>): A =>
  isSmall(value) ? value : (JSON.parse((value as { readonly json: string }).json) as A)

/** For who hands it on. */
export const fold = (document: Document): StoredDocument => {
  const json = JSON.stringify(document)
  return json.length <= smallJson ? document : { json }
}

/** Markdown of a document that can't be printed, which says what it holds: its JSON, as code. */
export const asJson = (document: StoredDocument): string =>
  `\`\`\`json\n${isSmall(document) ? JSON.stringify(document) : document.json}\n\`\`\`\n`
