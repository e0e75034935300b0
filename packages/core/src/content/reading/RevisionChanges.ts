/** Compares contents of a space, and finds the change request that a revision came from. */
import { Effect } from "effect"
import { makeChangeRequestLookup } from "../../change-request/store/ChangeRequestLookup.ts"
import { makeChangeRequestPresenter } from "../../change-request/ChangeRequestPresenter.ts"
import { spaceNotFound } from "../../space/SpacePolicy.ts"
import * as Content from "../Content.ts"
import * as ContentDiff from "../ContentDiff.ts"
import * as Presenter from "../ContentPresenter.ts"
import * as ContentReader from "../ContentReader.ts"
import type { Contents } from "../Contents.ts"
import type { RevisionRow } from "../revisions/Revision.ts"
import { Revisions } from "../revisions/Revisions.ts"
import { Objects } from "../store/Objects.ts"
import type { RevisionContext } from "./LocatedRevision.ts"
import * as PresentationOptions from "./PresentationOptions.ts"

export const make = Effect.gen(function* () {
  const changeRequests = yield* makeChangeRequestPresenter
  const lookup = yield* makeChangeRequestLookup
  const revisions = yield* Revisions
  const objects = yield* Objects
  const { presentation } = yield* PresentationOptions.make

  const mergedFrom = Effect.fnUntraced(function* ({ space, revision }: RevisionContext) {
    if (revision.mergedFrom === undefined) return undefined
    const row = yield* lookup
      .find(space.id, revision.mergedFrom)
      .pipe(Effect.catchTag("ChangeRequestNotFound", () => Effect.succeed(undefined)))
    return row && (yield* changeRequests.presentOne(row, space))
  })

  const compare = Effect.fnUntraced(function* (
    space: string,
    before: Content.Content,
    after: RevisionRow,
    limit?: number
  ) {
    const differences = yield* ContentDiff.diff(objects, before, after.content, limit === undefined ? {} : { limit })
    return yield* Presenter.changes(
      differences,
      ContentReader.make(objects, before),
      ContentReader.make(objects, after.content),
      yield* presentation(space, after.id)
    )
  })

  return {
    mergedFrom,

    changes: Effect.fn("Contents.changes")(function* (at, limit) {
      const { space, revision, visitor } = at
      if (visitor !== undefined) return yield* spaceNotFound(space.id)
      const [parent] = revision.parents
      const before = parent === undefined ? Content.empty : (yield* revisions.get(parent)).content
      const changes = yield* compare(space.id, before, revision, limit)
      const merged = yield* mergedFrom(at)
      return merged === undefined ? changes : { mergedFrom: merged, ...changes }
    }),

    compare: (space, before, after, limit) => compare(space, before.content, after, limit)
  } satisfies Pick<Contents["Service"], "mergedFrom" | "changes" | "compare">
})
