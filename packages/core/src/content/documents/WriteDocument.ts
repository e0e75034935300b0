/**
 * Computes the stored form of a document: its JSON and its links. Aligns the document with its previous version, so
 * that corresponding blocks keep their keys.
 */
import * as Computation from "../../thread/Computation.ts"
import { withUniqueKeys } from "@lectern/document/BlockTree"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import type { Document } from "@lectern/document/Document"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import { isSmall, jsonOf, jsonText, lengthOf, parseDocument, type StoredDocument } from "./StoredDocument.ts"

interface WriteInput {
  readonly document: StoredDocument
  readonly previous?: StoredDocument | undefined
  /** True if a client sent the document as a tree (see `align`). Default: false. */
  readonly isTree?: boolean | undefined
}

export interface WriteResult {
  readonly json: string
  readonly links: DocumentLinks.DocumentLinks
  /** True if the result is the JSON of the unchanged input, without any alignment. */
  readonly isUnchanged: boolean
}

export const WriteDocument = Computation.make({
  name: "write-document",
  isSmall: ({ document, previous }: WriteInput) => isSmall(document) && (previous === undefined || isSmall(previous)),
  lengthOf: ({ document, previous }) => lengthOf(document) + lengthOf(previous),
  run: ({ document, previous, isTree }): WriteResult => {
    const parsed = parseDocument(document)
    return toWriteResult(
      document,
      parsed,
      previous === undefined ? parsed : align(parseDocument(previous), parsed, { isTree })
    )
  }
})

/** Writes a document that cannot be aligned: all its blocks are new. */
export const WriteUnaligned = Computation.make({
  name: "write-unaligned",
  isSmall,
  lengthOf,
  run: (document: StoredDocument): WriteResult => {
    const parsed = parseDocument(document)
    return toWriteResult(document, parsed, withUniqueKeys(parsed))
  }
})

const toWriteResult = (stored: StoredDocument, parsed: Document, document: Document): WriteResult => ({
  json: document === parsed ? jsonText(stored) : jsonOf(document),
  links: DocumentLinks.linksOf(document),
  isUnchanged: document === parsed
})
