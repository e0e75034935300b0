/**
 * Finds the main revision of a space, the revision of a change request, or a revision by its id. Checks once that the
 * actor may read it.
 */
import { Effect } from "effect"
import { CurrentActor } from "../../access/Actor.ts"
import { makeChangeRequestLookup } from "../../change-request/store/ChangeRequestLookup.ts"
import { ComputedContents } from "../../computed/ComputedContents.ts"
import { InstalledBlocks } from "../../integration/InstalledBlocks.ts"
import type { SpaceRow } from "../../space/Space.ts"
import { type SiteReader, SpacePolicy } from "../../space/SpacePolicy.ts"
import type { RevisionRow } from "../revisions/Revision.ts"
import { revisionNotFound, Revisions } from "../revisions/Revisions.ts"
import type { ContentTarget } from "./LocatedRevision.ts"

export const make = Effect.gen(function* () {
  const policy = yield* SpacePolicy
  const lookup = yield* makeChangeRequestLookup
  const revisions = yield* Revisions
  const installedBlocks = yield* InstalledBlocks
  const computedContents = yield* ComputedContents

  /** True if the site showed this earlier revision to its audience during the life of the visitor's token. */
  const wasVisible = Effect.fnUntraced(function* (earlier: RevisionRow, visitor: SiteReader | undefined) {
    if (visitor?.readsSince === undefined) return false
    const next = yield* revisions.successor(earlier.id)
    return next !== undefined && next.createdAt > visitor.readsSince
  })

  return Effect.fnUntraced(function* ({ space: id, changeRequest, revision }: ContentTarget) {
    const located = Effect.fnUntraced(function* (space: SpaceRow, revision: RevisionRow, visitor?: SiteReader) {
      const blocks = yield* installedBlocks.blocksOf(space)
      if (revision.content.computed === undefined) return { space, revision, visitor, blocks }
      return {
        space,
        revision,
        visitor,
        blocks,
        sources: yield* computedContents.sources(space, revision.content)
      }
    })
    if (revision === undefined && changeRequest === undefined) {
      const { space, visitor } = yield* policy.require(id, "read this space")
      return yield* located(space, yield* revisions.get(space.revision), visitor)
    }
    if (revision !== undefined && (yield* CurrentActor).type === "visitor") {
      const { space, visitor } = yield* policy.require(id, "read this space")
      const today = yield* revisions.get(space.revision)
      if (today.id === revision) return yield* located(space, today, visitor)
      const earlier = yield* revisions.find(id, revision)
      if (!(yield* wasVisible(earlier, visitor))) return yield* revisionNotFound(revision)
      return yield* located(space, earlier, visitor && { ...visitor, today: today.content })
    }
    const { space } = yield* policy.require(id, "see the work on this space")
    if (revision !== undefined) return yield* located(space, yield* revisions.find(id, revision))
    return yield* located(space, yield* revisions.get((yield* lookup.find(id, changeRequest!)).revision))
  })
})
