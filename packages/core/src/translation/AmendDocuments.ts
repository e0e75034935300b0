/** Prepares the documents for the merge of a translation, so that hand edits are kept (see `ManualEdits`). */
import { Equal } from "effect"
import type { Block, Document } from "@lectern/document/Document"
import { entries, inlines, mapBlocks } from "@lectern/document/BlockTree"
import { isSmall, jsonOf, parseDocument, type StoredDocument } from "../content/documents/StoredDocument.ts"
import * as Computation from "../thread/Computation.ts"

interface Input {
  /** The document of the last run, that of this run, and the current one with edits. */
  readonly previous: StoredDocument
  readonly next: StoredDocument
  readonly current: StoredDocument
  /** The documents of the source at the last run and at this run; undefined if unknown. */
  readonly sourceBefore: StoredDocument | undefined
  readonly sourceAfter: StoredDocument | undefined
}

/**
 * JSON of the base and main documents of the merge, if they differ from the document of the last run and the current
 * one.
 */
export interface AmendedDocuments {
  readonly base?: string
  readonly main?: string
}

export const AmendDocuments = Computation.make({
  name: "amend-documents",
  isSmall: (input: Input) =>
    Object.values(input).every((one: StoredDocument | undefined) => one === undefined || isSmall(one)),
  run: (input): AmendedDocuments => {
    const [previous, next, current] = [
      parseDocument(input.previous),
      parseDocument(input.next),
      parseDocument(input.current)
    ]
    const [sourceBefore, sourceAfter] =
      input.sourceBefore === undefined || input.sourceAfter === undefined
        ? [noBlocks, noBlocks]
        : [blocksOf(parseDocument(input.sourceBefore)), blocksOf(parseDocument(input.sourceAfter))]
    const isSourceUnchanged = (key: string) =>
      sourceBefore.has(key) && sameText(sourceBefore.get(key), sourceAfter.get(key))
    const [previousBlocks, nextBlocks] = [blocksOf(previous), blocksOf(next)]
    const edited = editedBlocks(previousBlocks, nextBlocks, current)
    const base = mapBlocks(previous, (block) =>
      edited.has(block.key) && isSourceUnchanged(block.key)
        ? { ...block, nodes: nextBlocks.get(block.key)!.nodes! }
        : block
    )
    const main = mapBlocks(current, (block) =>
      edited.has(block.key) && !isSourceUnchanged(block.key)
        ? { ...block, nodes: previousBlocks.get(block.key)!.nodes! }
        : block
    )
    return {
      ...(base !== previous && { base: jsonOf(base) }),
      ...(main !== current && { main: jsonOf(main) })
    }
  }
})

type Blocks = ReadonlyMap<string, Block>

const noBlocks: Blocks = new Map()

const blocksOf = (document: Document): Blocks => new Map(entries(document).map(({ block }) => [block.key, block]))

const sameText = (a: Block | undefined, b: Block | undefined) =>
  a !== undefined && b !== undefined && Equal.equals(inlines(a), inlines(b))

/** Returns the keys of blocks whose text changed both by hand and by the engine. */
const editedBlocks = (before: Blocks, after: Blocks, current: Document): ReadonlySet<string> =>
  new Set(
    entries(current).flatMap(({ block }) => {
      const [old, next] = [before.get(block.key), after.get(block.key)]
      if (old === undefined || next === undefined || block.type !== old.type || inlines(old).length === 0) return []
      return sameText(old, next) || sameText(old, block) ? [] : [block.key]
    })
  )
