/** Merges three versions of a document (see `DocumentMerge`). Undefined if the documents conflict as a whole. */
import * as Computation from "../../thread/Computation.ts"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import { type BlockConflict, mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import { isTooLarge } from "./JsonSize.ts"
import { unfoldAlike } from "./SharedBlocks.ts"
import { isSmall, jsonOf, type StoredDocument } from "./StoredDocument.ts"

/** Returns a conflict with its blocks in the form of responses. */
const asAnswered = ({ base, main, ours, ...place }: BlockConflict) => ({
  ...place,
  base: base && WireDocument.encodeBlock(base),
  main: main && WireDocument.encodeBlock(main),
  ours: ours && WireDocument.encodeBlock(ours)
})

interface Versions {
  readonly base: StoredDocument | undefined
  readonly main: StoredDocument
  readonly ours: StoredDocument
}

export interface Merged {
  /** The merged document. Undefined if it is empty. */
  readonly json: string | undefined
  /** JSON arrays of up to 100 conflicts each, to be parsed one after another. */
  readonly conflicts: ReadonlyArray<string>
}

const conflictsAtOnce = 100

export const MergeDocuments = Computation.make({
  name: "merge-documents",
  isSmall: ({ base, main, ours }: Versions) => isSmall(main) && isSmall(ours) && (base === undefined || isSmall(base)),
  run: (versions): Merged | undefined => {
    const [base, main, ours] = unfoldAlike([versions.base, versions.main, versions.ours] as const)
    const { document, conflicts } = mergeDocuments({ base, main, ours })
    if (isTooLarge(conflicts)) return undefined
    const parts: Array<string> = []
    for (let i = 0; i < conflicts.length; i += conflictsAtOnce) {
      parts.push(JSON.stringify(conflicts.slice(i, i + conflictsAtOnce).map(asAnswered)))
    }
    return { json: document.nodes.length === 0 ? undefined : jsonOf(document), conflicts: parts }
  }
})
