/** Evaluates the rules for merges: a pure function of a change request, its reviews, and the members who reviewed it. */
import * as Rule from "@lectern/document/condition/Rule"
import { levelOn, type Membership } from "../access/Access.ts"
import type { Actor } from "../access/Actor.ts"
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import { atLeast } from "../access/Role.ts"
import { type ChangeRequestRow, isOutdated } from "../change-request/ChangeRequest.ts"
import type { MergeCheckRow } from "../merge-check/MergeCheck.ts"
import type { ReviewRow } from "../review/Review.ts"
import * as Text from "../schema/Text.ts"
import type { SpaceRow } from "../space/Space.ts"
import type { UserId } from "../user/User.ts"
import * as MergeExpression from "./MergeExpression.ts"
import type { MergeRule, MergeRuleState } from "./MergeRules.ts"

export interface MergeFacts {
  readonly organization: OrganizationFacts
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow
  /** All reviews of the change request. */
  readonly reviews: ReadonlyArray<ReviewRow>
  /** All checks of the change request. */
  readonly checks: ReadonlyArray<MergeCheckRow>
  /** Users whose review was requested. */
  readonly requestedUsers: ReadonlyArray<UserId>
  /** User who merges. Null for the host application. */
  readonly actor: UserId | null
  /** Number of broken links that the change request adds. 0 without a rule about links. */
  readonly addedBrokenLinks: number
  /** Email addresses by user: of all users that an expression can name (see `MergeExpression.usersOf`). */
  readonly emails: ReadonlyMap<UserId, string>
}

/** Returns the rules in effect for a space. */
export const rulesOf = (
  { follows, mergeRules }: Pick<SpaceRow, "follows" | "mergeRules">,
  { mergeRules: inherited }: OrganizationFacts["organization"]
): ReadonlyArray<MergeRule> => {
  // The content of a translation follows its source.
  if (follows !== undefined) return []
  const rules = mergeRules === undefined || mergeRules.type === "inherit" ? inherited : mergeRules
  return rules?.type === "rules" ? rules.rules : []
}

/** Returns true if the actor may merge without the rules, and edit the space directly. The host application may. */
export const mayBypass = (rules: ReadonlyArray<MergeRule>, actor: Actor): boolean =>
  actor.type === "host" ||
  (actor.type === "user" && rules.some((rule) => rule.rule === "allow_bypass" && rule.users.includes(actor.user)))

/** Returns the states of all rules except `allow_bypass`. */
export const statesOf = (rules: ReadonlyArray<MergeRule>, facts: MergeFacts): ReadonlyArray<MergeRuleState> => {
  const current = currentReviews(facts)
  const approvers = current.flatMap(({ reviewer, status }) =>
    status === "approved" && reviewer !== null ? [reviewer] : []
  )
  let cachedValues: ReturnType<typeof MergeExpression.valuesOf> | undefined
  const values = () => (cachedValues ??= MergeExpression.valuesOf({ ...facts, reviews: current }))
  return rules.flatMap((rule): ReadonlyArray<MergeRuleState> => {
    const state = (passed: boolean, message: string) => [{ rule: rule.rule, passed, message }]
    const { changeRequest, space } = facts
    switch (rule.rule) {
      case "allow_bypass":
        return []
      case "require_specific_reviewers": {
        const others = rule.users.filter((user) => !isAuthor(changeRequest, user))
        const missing = others.filter((user) => !approvers.includes(user)).length
        return state(
          others.length > 0 && missing === 0,
          others.length === 0
            ? "Somebody else than the authors must be among the required reviewers"
            : `The required reviewers must approve it${missing === 0 ? "" : `, and ${missing} of ${others.length} did not yet`}`
        )
      }
      case "require_one_of_specific_reviewers":
        return state(
          rule.users.some((user) => approvers.includes(user)),
          "One of the required reviewers must approve it"
        )
      case "require_approvals": {
        const count = approvers.filter((user) => isQualified(rule, user, facts)).length
        const group = [
          rule.role === undefined ? "" : ` with the role ${rule.role}`,
          rule.teams === undefined ? "" : " of the required teams"
        ].join("")
        const people = rule.count === 1 ? "user" : "users"
        return state(
          count >= rule.count,
          `${rule.count} ${people}${group} must approve it, and ${Math.min(count, rule.count)} did`
        )
      }
      case "require_at_least_one_review":
        return state(current.length > 0, "It needs a review of its newest revision")
      case "require_at_least_one_approved_review":
        return state(approvers.length > 0, "It needs an approval of its newest revision")
      case "require_all_reviews_approved": {
        const reviewers = new Set(current.map(({ reviewer }) => reviewer))
        const isComplete = facts.requestedUsers.every((user) => reviewers.has(user))
        return state(
          isComplete && current.every(({ status }) => status === "approved"),
          "All reviews and requested reviews must approve its newest revision"
        )
      }
      case "custom": {
        const result = Rule.evaluate(rule.expression, values())
        const { message = `The expression must be true: ${Text.cut(rule.expression, maxExpression)}` } = rule
        return state(
          result === true,
          result === "tooManySteps" ? `${message} (its evaluation takes too many steps)` : message
        )
      }
      case "require_checks": {
        const missing = rule.checks.flatMap((name) => missingCheck(name, facts))
        return state(missing.length === 0, `Its checks must pass${missing.length === 0 ? "" : `: ${listed(missing)}`}`)
      }
      case "require_no_open_comments":
        return state(changeRequest.comments === 0, "All of its comments must be resolved")
      case "require_no_broken_links": {
        const count = facts.addedBrokenLinks
        return state(count === 0, `It must not add broken links${count === 0 ? "" : `, and it adds ${count}`}`)
      }
      case "require_up_to_date_change_request":
        return state(
          !isOutdated(changeRequest, space.revision),
          "It must be updated with the current content of the space"
        )
      case "require_change_request_subject":
        return state(changeRequest.subject !== "", "It needs a subject")
      case "require_change_request_description":
        return state(changeRequest.description !== undefined, "It needs a description")
      case "require_author_to_merge":
        return state(
          changeRequest.createdBy !== null && changeRequest.createdBy === facts.actor,
          "Only the user who opened it can merge it"
        )
    }
  })
}

/** True if the user opened the change request or edited its content. */
const isAuthor = ({ createdBy, edits }: ChangeRequestRow, user: UserId | null): boolean =>
  user === createdBy || (user !== null && Object.hasOwn(edits, user))

/** Returns the reviews that count: of the newest revision, the latest of each user, by others than the authors. */
const currentReviews = ({ changeRequest, reviews }: MergeFacts): ReadonlyArray<ReviewRow> =>
  reviews.filter(
    ({ reviewer, revision, superseded }) =>
      !superseded && revision === changeRequest.revision && !isAuthor(changeRequest, reviewer)
  )

/** Returns a check with the reason why it does not count as passed. Empty if it has passed on the newest revision. */
const missingCheck = (name: string, { changeRequest, checks }: MergeFacts): ReadonlyArray<string> => {
  const check = checks.find((one) => one.name === name)
  if (check === undefined) return [`${name} is not set`]
  if (check.revision !== changeRequest.revision) return [`${name} is of an earlier revision`]
  return check.state === "passed" ? [] : [`${name} is ${check.state}`]
}

/** Maximum number of listed checks. */
const maxListed = 5

/** Maximum length of an expression in a message (characters). */
const maxExpression = 100

const listed = (items: ReadonlyArray<string>): string =>
  [...items.slice(0, maxListed), ...(items.length > maxListed ? [`${items.length - maxListed} more`] : [])].join(", ")

const isQualified = (
  { role, teams }: Extract<MergeRule, { readonly rule: "require_approvals" }>,
  user: UserId,
  { organization: facts, space }: MergeFacts
): boolean => {
  const member = facts.members.get(user)
  if (member === undefined || member.disabled) return false
  const membership: Membership = { user, role: member.role, admin: member.role === "admin", facts }
  return (
    (role === undefined || atLeast(levelOn(membership, space), role)) &&
    (teams === undefined || teams.some((team) => facts.teams.get(user)?.has(team) === true))
  )
}
