/** Reads whether a change request meets the rules for merges, and refuses merges and direct edits that do not. */
import { Effect } from "effect"
import { Access } from "../access/Access.ts"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { baseRevision, type ChangeRequestRow } from "../change-request/ChangeRequest.ts"
import type { Content } from "../content/Content.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import type { ObjectReader } from "../content/store/Objects.ts"
import { makeAddedBrokenLinks } from "../link/broken/AddedBrokenLinks.ts"
import { MergeCheckTable } from "../merge-check/MergeCheck.ts"
import { RequestedReviewerTable, ReviewTable } from "../review/Review.ts"
import { type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { type UserId, UserTable } from "../user/User.ts"
import * as MergeExpression from "./MergeExpression.ts"
import { type Mergeable, type MergeBypass, type MergeRule, MergeRulesUnmet } from "./MergeRules.ts"
import { mayBypass, rulesOf, statesOf } from "./MergeRuleStates.ts"

export const makeMergeReadiness = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const spaces = storage.repository(SpaceTable)
  const reviews = storage.repository(ReviewTable)
  const checks = storage.repository(MergeCheckTable)
  const revisions = yield* Revisions
  const addedBrokenLinks = yield* makeAddedBrokenLinks
  const users = storage.repository(UserTable)
  const requestedReviewers = storage.repository(RequestedReviewerTable)

  const emailsOf = (ids: ReadonlyArray<UserId>) =>
    Effect.map(
      users.getMany(ids.map((id) => ({ id }))),
      (rows) => new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.id, row.email] as const])))
    )

  /** Counts the broken links of a change request that its base revision does not have. */
  const countBrokenLinks = Effect.fnUntraced(function* (changeRequest: ChangeRequestRow) {
    const base = yield* revisions.get(baseRevision(changeRequest))
    const { content } = yield* revisions.get(changeRequest.revision)
    return yield* addedBrokenLinks(changeRequest.space, base.content, content)
  })

  /** Returns the states of the rules of a change request for the actor. */
  const read = Effect.fnUntraced(function* (changeRequest: ChangeRequestRow, space: SpaceRow) {
    const organization = (yield* access.facts(space.organization))!
    const actor = yield* CurrentActor
    const rules = rulesOf(space, organization.organization)
    if (rules.length === 0) return { allowed: true, canBypass: false, rules: [] } satisfies Mergeable
    const where = { changeRequest: changeRequest.id }
    const allReviews = yield* reviews.list({ where })
    const user = userOf(actor)
    const states = statesOf(rules, {
      organization,
      space,
      changeRequest,
      reviews: allReviews,
      checks: yield* checks.list({ where }),
      requestedUsers: (yield* requestedReviewers.list({ where })).map(({ user }) => user),
      actor: user,
      addedBrokenLinks: rules.some(isAboutLinks) ? yield* countBrokenLinks(changeRequest) : 0,
      emails: rules.some(({ rule }) => rule === "custom")
        ? yield* emailsOf(MergeExpression.usersOf({ space, changeRequest, reviews: allReviews, actor: user }))
        : new Map()
    })
    return {
      allowed: states.every(({ passed }) => passed),
      canBypass: mayBypass(rules, actor),
      rules: states
    } satisfies Mergeable
  })

  return {
    read,

    /**
     * Fails if the change request does not meet the rules and the actor does not bypass them. Returns the bypass
     * if it is used. Call it in the transaction of the merge, so that a review that is outdated meanwhile does not count.
     */
    require: Effect.fnUntraced(function* (changeRequest: ChangeRequestRow, bypass: MergeBypass | undefined) {
      const space = (yield* spaces.get({ id: changeRequest.space }))!
      const { allowed, canBypass, rules } = yield* read(changeRequest, space)
      if (allowed) return undefined
      if (bypass !== undefined && canBypass) return bypass
      const unmet = rules.filter(({ passed }) => !passed)
      return yield* new MergeRulesUnmet({
        issues: unmet.map(({ rule, message }) => ({ path: `mergeRules.${rule}`, message }))
      })
    }),

    /**
     * Fails if the merge of an outdated change request would add broken links to main, a rule forbids them, and the
     * actor does not bypass it. Returns the bypass if it is used. `reader`: reads the merged content.
     */
    requireMergedLinks: Effect.fnUntraced(function* (
      space: SpaceRow,
      { main, merged, reader }: { readonly main: Content; readonly merged: Content; readonly reader: ObjectReader },
      bypass: MergeBypass | undefined
    ) {
      const rules = rulesOf(space, (yield* access.facts(space.organization))!.organization)
      if (!rules.some(isAboutLinks)) return undefined
      const count = yield* addedBrokenLinks(space.id, main, merged, reader)
      if (count === 0) return undefined
      if (bypass !== undefined && mayBypass(rules, yield* CurrentActor)) return bypass
      const message = `The space has changed, and the merge would add broken links (${count}): update the change request`
      return yield* new MergeRulesUnmet({ issues: [{ path: "mergeRules.require_no_broken_links", message }] })
    }),

    /** True if the rules of a space forbid direct edits by the actor. */
    forbidsEdits: Effect.fnUntraced(function* (space: SpaceRow) {
      const rules = rulesOf(space, (yield* access.facts(space.organization))!.organization)
      return rules.length > 0 && !mayBypass(rules, yield* CurrentActor)
    })
  }
})

const isAboutLinks = ({ rule }: MergeRule): boolean => rule === "require_no_broken_links"
