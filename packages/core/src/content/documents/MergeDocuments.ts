/** Merges three versions of a document (see `DocumentMerge`); undefined where they conflict as a whole. */
import * as Computation from "../../thread/Computation.ts"
import * as Answered from "@lectern/document/answered/Answered"
import { type BlockConflict, merge } from "@lectern/document/merge/DocumentMerge"
import { isTooLarge } from "./JsonSize.ts"
import { unfoldAlike } from "./SharedBlocks.ts"
import { isSmall, jsonOf, type StoredDocument } from "./StoredDocument.ts"

/** A conflict with its blocks as they are answered. */
const asAnswered = ({ base, main, ours, ...place }: BlockConflict) => ({
  ...place,
  base: base && Answered.writtenBlock(base),
  main: main && Answered.writtenBlock(main),
  ours: ours && Answered.writtenBlock(ours)
})

interface Versions {
  readonly base: StoredDocument | undefined
  readonly main: StoredDocument
  readonly ours: StoredDocument
}

export interface Merged {
  /** Undefined: it is empty. */
  readonly json: string | undefined
  /** A JSON array of each few of them, to be read one after another. */
  readonly conflicts: ReadonlyArray<string>
}

const conflictsAtOnce = 100

export const MergeDocuments = Computation.make({
  name: "merge-documents",
  isSmall: ({ base, main, ours }: Versions) => isSmall(main) && isSmall(ours) && (base === undefined || isSmall(base)),
  run: (versions): Merged | undefined => {
    const [base, main, ours] = unfoldAlike([versions.base, versions.main, versions.ours] as const)
    const { document, conflicts } = merge({ base, main, ours })
    if (isTooLarge(conflicts)) return undefined
    const parts: Array<string> = []
    for (let i = 0; i < conflicts.length; i += conflictsAtOnce) {
      parts.push(JSON.stringify(conflicts.slice(i, i + conflictsAtOnce).map(asAnswered)))
    }
    return { json: document.nodes.length === 0 ? undefined : jsonOf(document), conflicts: parts }
  }
})
