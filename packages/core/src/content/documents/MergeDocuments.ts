/** Merges three versions of a document (see `DocumentMerge`). Undefined if the documents conflict as a whole. */
import * as Computation from "../../thread/Computation.ts"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import { type BlockConflict, mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import { isTooLarge } from "./JsonSize.ts"
import { parseShared } from "./SharedBlocks.ts"
import { isSmall, jsonOf, type StoredDocument } from "./StoredDocument.ts"

/** Returns a conflict with its blocks in the form of responses. */
const toResponseConflict = ({ base, main, ours, ...location }: BlockConflict) => ({
  ...location,
  base: base && WireDocument.encodeBlock(base),
  main: main && WireDocument.encodeBlock(main),
  ours: ours && WireDocument.encodeBlock(ours)
})

interface DocumentVersions {
  readonly base: StoredDocument | undefined
  readonly main: StoredDocument
  readonly ours: StoredDocument
}

export interface MergeResult {
  /** The merged document. Undefined if it is empty. */
  readonly json: string | undefined
  /** JSON arrays of up to 100 conflicts each, to be parsed one after another. */
  readonly conflicts: ReadonlyArray<string>
}

const conflictsPerPart = 100

export const MergeDocuments = Computation.make({
  name: "merge-documents",
  isSmall: ({ base, main, ours }: DocumentVersions) =>
    isSmall(main) && isSmall(ours) && (base === undefined || isSmall(base)),
  run: (versions): MergeResult | undefined => {
    const [base, main, ours] = parseShared([versions.base, versions.main, versions.ours] as const)
    const { document, conflicts } = mergeDocuments({ base, main, ours })
    if (isTooLarge(conflicts)) return undefined
    const parts: Array<string> = []
    for (let i = 0; i < conflicts.length; i += conflictsPerPart) {
      parts.push(JSON.stringify(conflicts.slice(i, i + conflictsPerPart).map(toResponseConflict)))
    }
    return { json: document.nodes.length === 0 ? undefined : jsonOf(document), conflicts: parts }
  }
})
