/** Reads whether a change request meets the rules for merges, and refuses merges and direct edits that do not. */
import { Effect } from "effect"
import { Access } from "../access/Access.ts"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { ChangeRequestRow } from "../change-request/ChangeRequest.ts"
import { MergeCheckTable } from "../merge-check/MergeCheck.ts"
import { RequestedReviewerTable, ReviewTable } from "../review/Review.ts"
import { type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { type Mergeable, type MergeBypass, MergeRulesUnmet } from "./MergeRules.ts"
import { mayBypass, rulesOf, statesOf } from "./MergeRuleStates.ts"

export const makeMergeReadiness = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const spaces = storage.repository(SpaceTable)
  const reviews = storage.repository(ReviewTable)
  const checks = storage.repository(MergeCheckTable)
  const requestedReviewers = storage.repository(RequestedReviewerTable)

  /** Returns the states of the rules of a change request for the actor. */
  const read = Effect.fnUntraced(function* (changeRequest: ChangeRequestRow, space: SpaceRow) {
    const organization = (yield* access.facts(space.organization))!
    const actor = yield* CurrentActor
    const rules = rulesOf(space, organization.organization)
    if (rules.length === 0) return { allowed: true, canBypass: false, rules: [] } satisfies Mergeable
    const where = { changeRequest: changeRequest.id }
    const states = statesOf(rules, {
      organization,
      space,
      changeRequest,
      reviews: yield* reviews.list({ where }),
      checks: yield* checks.list({ where }),
      requestedUsers: (yield* requestedReviewers.list({ where })).map(({ user }) => user),
      actor: userOf(actor)
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

    /** True if the rules of a space forbid direct edits by the actor. */
    forbidsEdits: Effect.fnUntraced(function* (space: SpaceRow) {
      const rules = rulesOf(space, (yield* access.facts(space.organization))!.organization)
      return rules.length > 0 && !mayBypass(rules, yield* CurrentActor)
    })
  }
})
