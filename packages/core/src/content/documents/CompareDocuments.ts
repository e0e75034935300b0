/**
 * Compares two versions of a document (see `DocumentDiff`). If this takes too long or the result is too large, only the
 * outermost blocks are compared.
 */
import * as Computation from "../../thread/Computation.ts"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import type { Block, Document } from "@lectern/document/Document"
import { type BlockChange, diff } from "@lectern/document/difference/DocumentDiff"
import type { BlockChange as BlockChangeResource } from "../pages/PageChange.ts"
import { isTooLarge } from "./JsonSize.ts"
import { parseShared } from "./SharedBlocks.ts"
import { isSmall, type StoredDocument } from "./StoredDocument.ts"

interface CompareInput {
  readonly before: StoredDocument
  readonly after: StoredDocument
  /** Maximum number of listed changes. */
  readonly limit: number
}

export interface DocumentChanges {
  /** The changes as a JSON array, in the form of the response. */
  readonly changes: string
  /** Number of changes beyond the limit. */
  readonly more: number
}

const toDocumentChanges = (all: ReadonlyArray<BlockChange>, limit: number): DocumentChanges => ({
  changes: JSON.stringify(all.slice(0, limit).map(presentChange)),
  more: Math.max(0, all.length - limit)
})

const presentChange = (change: BlockChange): BlockChangeResource => {
  const location = {
    ...(change.row !== undefined && { row: change.row }),
    ...(change.column !== undefined && { column: change.column }),
    ...(change.inside !== undefined && { inside: change.inside })
  }
  switch (change.kind) {
    case "added":
    case "moved":
      return { type: `block_${change.kind}`, ...location, block: WireDocument.encodeBlock(change.after) }
    case "removed":
      return { type: "block_removed", ...location, block: WireDocument.encodeBlock(change.before) }
    case "edited":
      return {
        type: "block_edited",
        ...location,
        before: WireDocument.encodeBlock(change.before),
        after: WireDocument.encodeBlock(change.after),
        moved: change.moved,
        text: change.text
      }
  }
}

const areSmall = ({ before, after }: CompareInput) => isSmall(before) && isSmall(after)

export const CompareDocuments = Computation.make({
  name: "compare-documents",
  isSmall: areSmall,
  run: ({ before, after, limit }) => {
    const [from, to] = parseShared([before, after] as const)
    const all = diff(from, to)
    return toDocumentChanges(isTooLarge(all.slice(0, limit)) ? compareOutermostBlocks(from, to) : all, limit)
  }
})

export const CompareOutermost = Computation.make({
  name: "compare-outermost",
  isSmall: areSmall,
  run: ({ before, after, limit }) =>
    toDocumentChanges(compareOutermostBlocks(...parseShared([before, after] as const)), limit)
})

const compareOutermostBlocks = (before: Document, after: Document): ReadonlyArray<BlockChange> => {
  const previousByKey = new Map(before.nodes.map((node) => [node.key, node]))
  const currentKeys = new Set(after.nodes.map(({ key }) => key))
  const isEqualBlock = (a: Block, b: Block) => a === b || JSON.stringify(a) === JSON.stringify(b)
  return [
    ...after.nodes.flatMap((node): ReadonlyArray<BlockChange> => {
      const previous = previousByKey.get(node.key)
      if (previous === undefined) return [{ kind: "added", block: node.key, after: node }]
      return isEqualBlock(previous, node)
        ? []
        : [{ kind: "edited", block: node.key, before: previous, after: node, moved: false, text: [] }]
    }),
    ...before.nodes.flatMap((node): ReadonlyArray<BlockChange> =>
      currentKeys.has(node.key) ? [] : [{ kind: "removed", block: node.key, before: node }]
    )
  ]
}
