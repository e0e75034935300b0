/**
 * Decides whether the page that a visitor gets contains the block of an anchor. The page is read as the visitor and, to
 * find the reason, as the host without evaluation. Blocks in reusable content are found only on the visitor's page.
 */
import * as BlockTree from "@lectern/document/BlockTree"
import { blockSpec } from "@lectern/document/vocabulary/BlockTypes"
import { Effect } from "effect"
import { type Actor, CurrentActor, host } from "../../access/Actor.ts"
import { Contents } from "../../content/Contents.ts"
import * as ParseResponseDocument from "../../content/documents/ParseResponseDocument.ts"
import type { SpaceId } from "../../space/Space.ts"
import { Threads } from "../../thread/Threads.ts"
import type { RuleResult } from "../VisibilityRule.ts"

export const anchorRule = Effect.gen(function* () {
  const contents = yield* Contents
  const threads = yield* Threads

  const blocksFor = Effect.fnUntraced(
    function* (space: SpaceId, pageId: string, evaluated: boolean) {
      const location = yield* contents.locate({ space })
      const page = yield* contents.page(location, pageId, { format: "document", evaluated, vocabulary: "lectern" })
      const { document } = yield* ParseResponseDocument.read(threads, ParseResponseDocument.storedDocumentOf(page))
      return BlockTree.entries(document)
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
