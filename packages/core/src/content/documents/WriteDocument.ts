/**
 * Computes the stored form of a document: aligned with its previous version, so that blocks keep their keys, as JSON,
 * and with its links.
 */
import * as Computation from "../../thread/Computation.ts"
import { withUniqueKeys } from "@lectern/document/BlockTree"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import type { Document } from "@lectern/document/Document"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import { isSmall, jsonOf, jsonText, lengthOf, open, type StoredDocument } from "./StoredDocument.ts"

interface Input {
  readonly document: StoredDocument
  readonly previous?: StoredDocument | undefined
  /** True if a client sent the document as a tree (see `align`). Default: false. */
  readonly isTree?: boolean | undefined
}

export interface Written {
  readonly json: string
  readonly links: DocumentLinks.DocumentLinks
  /** True if the result is the JSON of the unchanged input, without any alignment. */
  readonly isAsGiven: boolean
}

export const WriteDocument = Computation.make({
  name: "write-document",
  isSmall: ({ document, previous }: Input) => isSmall(document) && (previous === undefined || isSmall(previous)),
  lengthOf: ({ document, previous }) => lengthOf(document) + lengthOf(previous),
  run: ({ document, previous, isTree }): Written => {
    const given = open(document)
    return written(document, given, previous === undefined ? given : align(open(previous), given, { isTree }))
  }
})

/** Writes a document that cannot be aligned: all its blocks are new. */
export const WriteUnaligned = Computation.make({
  name: "write-unaligned",
  isSmall,
  lengthOf,
  run: (document: StoredDocument): Written => {
    const given = open(document)
    return written(document, given, withUniqueKeys(given))
  }
})

const written = (stored: StoredDocument, given: Document, document: Document): Written => ({
  json: document === given ? jsonText(stored) : jsonOf(document),
  links: DocumentLinks.linksOf(document),
  isAsGiven: document === given
})
