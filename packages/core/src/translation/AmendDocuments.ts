/** Prepares the documents for the merge of a translation, so that hand edits are kept (see `HandEdits`). */
import { Equal } from "effect"
import type { Block, Document } from "@lectern/document/Document"
import { entries, inlines, mapBlocks } from "@lectern/document/BlockTree"
import { isSmall, jsonOf, open, type StoredDocument } from "../content/documents/StoredDocument.ts"
import * as Computation from "../thread/Computation.ts"

interface Input {
  /** The document of the last run, that of this run, and the current one with edits. */
  readonly was: StoredDocument
  readonly is: StoredDocument
  readonly there: StoredDocument
  /** The source's document at the last run and now; undefined if unknown. */
  readonly said: StoredDocument | undefined
  readonly says: StoredDocument | undefined
}

/**
 * JSON of the base and main documents of the merge, if they differ from the document of the last run and the current
 * one.
 */
export interface Amended {
  readonly base?: string
  readonly main?: string
}

export const AmendDocuments = Computation.make({
  name: "amend-documents",
  isSmall: (input: Input) =>
    Object.values(input).every((one: StoredDocument | undefined) => one === undefined || isSmall(one)),
  run: (input): Amended => {
    const [was, is, there] = [open(input.was), open(input.is), open(input.there)]
    const [said, says] =
      input.said === undefined || input.says === undefined
        ? [noBlocks, noBlocks]
        : [blocksOf(open(input.said)), blocksOf(open(input.says))]
    const holds = (key: string) => said.has(key) && sameText(said.get(key), says.get(key))
    const [made, makes] = [blocksOf(was), blocksOf(is)]
    const edited = editedBlocks(made, makes, there)
    const base = mapBlocks(was, (block) =>
      edited.has(block.key) && holds(block.key) ? { ...block, nodes: makes.get(block.key)!.nodes! } : block
    )
    const main = mapBlocks(there, (block) =>
      edited.has(block.key) && !holds(block.key) ? { ...block, nodes: made.get(block.key)!.nodes! } : block
    )
    return {
      ...(base !== was && { base: jsonOf(base) }),
      ...(main !== there && { main: jsonOf(main) })
    }
  }
})

type Blocks = ReadonlyMap<string, Block>

const noBlocks: Blocks = new Map()

const blocksOf = (document: Document): Blocks => new Map(entries(document).map(({ block }) => [block.key, block]))

const sameText = (one: Block | undefined, other: Block | undefined) =>
  one !== undefined && other !== undefined && Equal.equals(inlines(one), inlines(other))

/** Returns the keys of blocks whose text changed both by hand and by the engine. */
const editedBlocks = (before: Blocks, after: Blocks, there: Document): ReadonlySet<string> =>
  new Set(
    entries(there).flatMap(({ block }) => {
      const [old, next] = [before.get(block.key), after.get(block.key)]
      if (old === undefined || next === undefined || block.type !== old.type || inlines(old).length === 0) return []
      return sameText(old, next) || sameText(old, block) ? [] : [block.key]
    })
  )
