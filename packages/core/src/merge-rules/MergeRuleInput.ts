/** Checks that the users of rules are members, that the teams exist with a member, and that expressions are valid. */
import { mistakeOf } from "@lectern/document/condition/Rule"
import { Effect } from "effect"
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import { InvalidInput } from "../schema/Input.ts"
import { shapes } from "./MergeExpression.ts"
import type { SpaceMergeRules } from "./MergeRules.ts"

/** Fails with the places of unknown users and teams, and of mistakes of expressions. */
export const requireValidRules = (
  { members, teamSizes }: OrganizationFacts,
  mergeRules: SpaceMergeRules | undefined
): Effect.Effect<void, InvalidInput> => {
  if (mergeRules?.type !== "rules") return Effect.void
  const issues = mergeRules.rules.flatMap((rule, i) => {
    const path = `body.mergeRules.rules[${i}]`
    const users = "users" in rule ? rule.users : []
    const mistake = "expression" in rule ? mistakeOf(rule.expression, shapes) : undefined
    const teams = "teams" in rule ? (rule.teams ?? []) : []
    return [
      ...(mistake === undefined ? [] : [{ path: `${path}.expression`, message: mistake.message }]),
      ...users.flatMap((user, j) =>
        members.has(user) ? [] : [{ path: `${path}.users[${j}]`, message: "Expected a member of the organization" }]
      ),
      ...teams.flatMap((team, j) =>
        teamSizes.has(team)
          ? []
          : [{ path: `${path}.teams[${j}]`, message: "Expected a team of the organization with members" }]
      )
    ]
  })
  return issues.length === 0 ? Effect.void : Effect.fail(new InvalidInput({ issues: issues.slice(0, 20) }))
}
