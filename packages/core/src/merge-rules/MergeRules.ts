/**
 * Rules that a change request must meet before it is merged. An organization has rules for all of its spaces, and a
 * space may have its own. A space with rules has no direct edits, except by those who may bypass the rules.
 *
 * Only current reviews count: of the newest revision of the change request, and by users who did not write it.
 *
 * Defaults: an organization has no rules, and a space inherits those of its organization. A translation has none, since
 * its content follows its source. Limits: 20 rules; 100 users or teams of a rule, 50 checks; 20 approvals; expression
 * 1,024 characters, its message and the reason of a bypass 1 to 500 characters in one line.
 *
 * Source of the shape: `MergeRulesSpaceConfiguration` of `@gitbook/api` 0.202.0. `require_approvals`,
 * `require_no_open_comments`, `require_no_broken_links` and `require_checks` are additions. `require_agent_review` is
 * missing, since no agents review.
 */
import { ConditionText } from "@lectern/document/condition/ConditionText"
import { Schema } from "effect"
import { CheckName, maxChecks } from "../merge-check/CheckName.ts"
import { Issues } from "../schema/Input.ts"
import * as Text from "../schema/Text.ts"
import { UserId } from "../user/User.ts"

const namedUsers = Schema.Array(UserId).check(Schema.isMinLength(1), Schema.isMaxLength(100))

export const MergeRule = Schema.Union([
  Schema.Struct({
    /**
     * `require_specific_reviewers`: each of the users has approved. `require_one_of_specific_reviewers`: one of them has.
     * `allow_bypass`: the users may merge without the other rules, and edit the space directly.
     */
    rule: Schema.Literals(["require_specific_reviewers", "require_one_of_specific_reviewers", "allow_bypass"]),
    /** Ids of members of the organization. */
    users: namedUsers
  }),
  Schema.Struct({
    /** Enough users have approved. */
    rule: Schema.Literal("require_approvals"),
    /** Number of users. */
    count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
    /** Minimum role of these users on the space. Default: any. */
    role: Schema.optionalKey(Schema.Literals(["review", "edit", "create", "admin"])),
    /** Ids of teams of which each of these users belongs to one. Default: any user. */
    teams: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(100)))
  }),
  Schema.Struct({
    /** Each of the checks has passed on the newest revision. */
    rule: Schema.Literal("require_checks"),
    /** Names of checks. */
    checks: Schema.Array(CheckName).check(Schema.isMinLength(1), Schema.isMaxLength(maxChecks), Schema.isUnique())
  }),
  Schema.Struct({
    /** An expression is true. */
    rule: Schema.Literal("custom"),
    /** Expression over `space`, `changeRequest`, `reviews` and `actor` (see `MergeExpression`). */
    expression: ConditionText,
    /** Requirement in words. Default: names the expression. */
    message: Schema.optionalKey(Text.line(1, 500))
  }),
  Schema.Struct({
    rule: Schema.Literals([
      "require_at_least_one_review",
      "require_at_least_one_approved_review",
      "require_all_reviews_approved",
      "require_no_open_comments",
      "require_no_broken_links",
      "require_up_to_date_change_request",
      "require_change_request_subject",
      "require_change_request_description",
      "require_author_to_merge"
    ])
  })
])
export type MergeRule = typeof MergeRule.Type

const Rules = Schema.Struct({
  type: Schema.Literal("rules"),
  rules: Schema.Array(MergeRule).check(Schema.isMinLength(1), Schema.isMaxLength(20))
})
const NoRules = Schema.Struct({ type: Schema.Literal("none") })

/** Rules of an organization. */
export const OrganizationMergeRules = Schema.Union([Rules, NoRules])
export type OrganizationMergeRules = typeof OrganizationMergeRules.Type

/** Rules of a space. `inherit`: those of the organization. */
export const SpaceMergeRules = Schema.Union([Schema.Struct({ type: Schema.Literal("inherit") }), Rules, NoRules])
export type SpaceMergeRules = typeof SpaceMergeRules.Type

/** State of a rule for a change request. */
export const MergeRuleState = Schema.Struct({
  rule: Schema.String,
  passed: Schema.Boolean,
  /** Requirement, and how much of it is met. */
  message: Schema.String
})
export type MergeRuleState = typeof MergeRuleState.Type

/** Result of the rules for a change request and an actor. Conflicts and permissions are not included. */
export const Mergeable = Schema.Struct({
  /** True if all rules have passed. */
  allowed: Schema.Boolean,
  /** True if the actor may merge without the rules, with a reason. */
  canBypass: Schema.Boolean,
  /** States of the rules in effect, without `allow_bypass`. */
  rules: Schema.Array(MergeRuleState)
})
export interface Mergeable extends Schema.Schema.Type<typeof Mergeable> {}

/** Merge without the rules, for users of `allow_bypass` and the host. */
export const MergeBypass = Schema.Struct({
  /** Reason for the audit log, in one line. */
  reason: Text.line(1, 500)
})
export type MergeBypass = typeof MergeBypass.Type

/** Raised before any write if a change request does not meet the rules for merges. */
export class MergeRulesUnmet extends Schema.TaggedError<MergeRulesUnmet>()(
  "MergeRulesUnmet",
  {
    /** The unmet rules. */
    issues: Issues
  },
  { httpApiStatus: 409 }
) {
  override get message() {
    return `The change request can't be merged yet: ${this.issues.map(({ message }) => message).join("; ")}`
  }
}
