/**
 * Compares two versions of a document (see `DocumentDiff`). If this takes too long or the result is too large, only the
 * outermost blocks are compared.
 */
import * as Computation from "../../thread/Computation.ts"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import type { Block, Document } from "@lectern/document/Document"
import { type BlockChange, diff } from "@lectern/document/difference/DocumentDiff"
import type { BlockChange as Presented } from "../pages/PageChange.ts"
import { isTooLarge } from "./JsonSize.ts"
import { unfoldAlike } from "./SharedBlocks.ts"
import { isSmall, type StoredDocument } from "./StoredDocument.ts"

interface Input {
  readonly before: StoredDocument
  readonly after: StoredDocument
  /** Maximum number of listed changes. */
  readonly limit: number
}

export interface Changes {
  /** The changes as a JSON array, in the form of the response. */
  readonly changes: string
  /** Number of changes beyond the limit. */
  readonly more: number
}

const told = (all: ReadonlyArray<BlockChange>, limit: number): Changes => ({
  changes: JSON.stringify(all.slice(0, limit).map(present)),
  more: Math.max(0, all.length - limit)
})

const present = (change: BlockChange): Presented => {
  const about = {
    ...(change.row !== undefined && { row: change.row }),
    ...(change.column !== undefined && { column: change.column }),
    ...(change.inside !== undefined && { inside: change.inside })
  }
  switch (change.kind) {
    case "added":
    case "moved":
      return { type: `block_${change.kind}`, ...about, block: WireDocument.encodeBlock(change.after) }
    case "removed":
      return { type: "block_removed", ...about, block: WireDocument.encodeBlock(change.before) }
    case "edited":
      return {
        type: "block_edited",
        ...about,
        before: WireDocument.encodeBlock(change.before),
        after: WireDocument.encodeBlock(change.after),
        moved: change.moved,
        text: change.text
      }
  }
}

const areSmall = ({ before, after }: Input) => isSmall(before) && isSmall(after)

export const CompareDocuments = Computation.make({
  name: "compare-documents",
  isSmall: areSmall,
  run: ({ before, after, limit }) => {
    const [from, to] = unfoldAlike([before, after] as const)
    const all = diff(from, to)
    return told(isTooLarge(all.slice(0, limit)) ? outermost(from, to) : all, limit)
  }
})

export const CompareOutermost = Computation.make({
  name: "compare-outermost",
  isSmall: areSmall,
  run: ({ before, after, limit }) => told(outermost(...unfoldAlike([before, after] as const)), limit)
})

const outermost = (before: Document, after: Document): ReadonlyArray<BlockChange> => {
  const then = new Map(before.nodes.map((node) => [node.key, node]))
  const now = new Set(after.nodes.map(({ key }) => key))
  const isSame = (a: Block, b: Block) => a === b || JSON.stringify(a) === JSON.stringify(b)
  return [
    ...after.nodes.flatMap((node): ReadonlyArray<BlockChange> => {
      const was = then.get(node.key)
      if (was === undefined) return [{ kind: "added", block: node.key, after: node }]
      return isSame(was, node)
        ? []
        : [{ kind: "edited", block: node.key, before: was, after: node, moved: false, text: [] }]
    }),
    ...before.nodes.flatMap((node): ReadonlyArray<BlockChange> =>
      now.has(node.key) ? [] : [{ kind: "removed", block: node.key, before: node }]
    )
  ]
}
