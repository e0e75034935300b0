/**
 * Decides whether the page that a visitor gets contains the block of an anchor. The page is read as the visitor and, to
 * find the reason, as the host without evaluation, with the blocks of included reusable content.
 */
import * as BlockTree from "@lectern/document/BlockTree"
import * as DocumentAnchors from "@lectern/document/DocumentAnchors"
import { includedId } from "@lectern/document/DocumentEvaluation"
import { blockSpec } from "@lectern/document/vocabulary/BlockTypes"
import { Effect } from "effect"
import { type Actor, CurrentActor, host } from "../../access/Actor.ts"
import * as ContentReader from "../../content/ContentReader.ts"
import { Contents } from "../../content/Contents.ts"
import * as ParseResponseDocument from "../../content/documents/ParseResponseDocument.ts"
import type { StoredDocument } from "../../content/documents/StoredDocument.ts"
import type { LocatedRevision } from "../../content/reading/LocatedRevision.ts"
import { Objects } from "../../content/store/Objects.ts"
import type { SpaceId } from "../../space/Space.ts"
import type { RuleResult } from "../VisibilityRule.ts"

export const anchorRule = Effect.gen(function* () {
  const contents = yield* Contents
  const objects = yield* Objects

  const parse = (document: StoredDocument) =>
    Effect.map(ParseResponseDocument.read(objects.threads, document), ({ document }) => document)

  /** Adds the blocks of included reusable contents. The parent of their top-level blocks is the including block. */
  const withIncluded = Effect.fnUntraced(function* (
    { space, revision }: LocatedRevision,
    blocks: ReadonlyArray<BlockTree.Entry>
  ) {
    const reader = ContentReader.make(objects, revision.content)
    const all = [...blocks]
    const includedIds = new Set<string>()
    for (const { block } of all) {
      const id = includedId(block, space.id)
      if (id === undefined || includedIds.has(id)) continue
      includedIds.add(id)
      const included = yield* reader.reusableContent(id)
      if (included === undefined) continue
      const document = DocumentAnchors.withAnchors(yield* parse(yield* reader.document(included.document)))
      for (const entry of BlockTree.entries(document)) all.push({ ...entry, parent: entry.parent ?? block })
    }
    return all
  })

  const blocksFor = Effect.fnUntraced(
    function* (space: SpaceId, pageId: string, evaluated: boolean) {
      const location = yield* contents.locate({ space })
      const page = yield* contents.page(location, pageId, { format: "document", evaluated, vocabulary: "lectern" })
      const blocks = BlockTree.entries(yield* parse(ParseResponseDocument.storedDocumentOf(page)))
      return evaluated ? blocks : yield* withIncluded(location, blocks)
    },
    // The page may disappear between two reads, and then has no blocks. A document that no thread can parse can't be
    // rendered either.
    Effect.catchTag(
      ["ChangeRequestNotFound", "ContentPageNotFound", "Forbidden", "RevisionNotFound", "SpaceNotFound", "TooCostly"],
      () => Effect.succeed<ReadonlyArray<BlockTree.Entry>>([])
    )
  )

  /** Returns the result for a visible page of a visitor. */
  return Effect.fnUntraced(function* (visitor: Actor, space: SpaceId, page: string, anchor: string) {
    const hasAnchor = ({ block }: BlockTree.Entry) => block.meta?.id === anchor
    const visibleBlocks = yield* Effect.provideService(blocksFor(space, page, true), CurrentActor, visitor)
    if (visibleBlocks.some(hasAnchor)) return { rule: "block", part: anchor } satisfies RuleResult
    const allBlocks = yield* Effect.provideService(blocksFor(space, page, false), CurrentActor, host)
    const hidden = allBlocks.find(hasAnchor)
    if (hidden === undefined) {
      return { rule: "block", reason: "anchor-not-found", part: anchor } satisfies RuleResult
    }
    const parents = new Map(allBlocks.map(({ block, parent }) => [block, parent]))
    let block: BlockTree.Entry["block"] | undefined = hidden.block
    while (block !== undefined && blockSpec(block.type).evaluation !== "choice") block = parents.get(block)
    return {
      rule: "block",
      reason: block === undefined ? "block-hidden" : "block-condition",
      part: anchor,
      value: block && String(block.data?.["expression"])
    } satisfies RuleResult
  })
})
