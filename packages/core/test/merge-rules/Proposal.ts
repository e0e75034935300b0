/** Steps of tests of rules for merges. */
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import type { MergeRule, SpaceMergeRules } from "@lectern/core/merge-rules/MergeRules"
import { Reviews } from "@lectern/core/review/Reviews"
import { Spaces } from "@lectern/core/space/Spaces"
import type { UserId } from "@lectern/core/user/User"
import { Effect } from "effect"
import { members, type People } from "../Actors.ts"
import { as } from "../comment/Discussion.ts"

/** Returns the rules of a space. */
export const rules = (...list: ReadonlyArray<MergeRule>): SpaceMergeRules => ({ type: "rules", rules: list })

/** A space with a page, and a change request of the user `edit` that adds another page. */
export const proposal = Effect.gen(function* () {
  const { org, people } = yield* members
  const spaces = yield* Spaces
  const changeRequests = yield* ChangeRequests
  const contents = yield* ChangeRequestContents
  const reviews = yield* Reviews
  const { id: space } = yield* spaces.create(org, { title: "Guide" })
  yield* (yield* LiveContents).write(space, [{ operation: "insert_page", title: "Start" }])
  const { id: cr } = yield* changeRequests.create(space, { subject: "More" }).pipe(as(people.edit))
  const write = (title: string, by: UserId = people.edit) =>
    contents.write(space, cr, [{ operation: "insert_page", title }]).pipe(as(by))
  yield* write("More")
  yield* changeRequests.update(space, cr, { status: "open" })
  const review = (by: keyof People, status: "approved" | "changes-requested" = "approved") =>
    reviews.submit(space, cr, { status }).pipe(as(people[by]))
  const require = (...list: ReadonlyArray<MergeRule>) => spaces.update(space, { mergeRules: rules(...list) })
  const merge = contents.merge(space, cr).pipe(as(people.admin))
  /** States of the rules as the user `admin` sees them: true for passed ones. */
  const states = changeRequests.get(space, cr).pipe(
    as(people.admin),
    Effect.map(({ mergeable }) => mergeable!.rules.map(({ passed }) => passed))
  )
  return { org, people, space, cr, write, review, require, merge, states, spaces, changeRequests, contents, reviews }
})
