/** The ladder of roles: each may do what those before it may. */
import { Schema } from "effect"

const ladder = ["read", "comment", "edit", "review", "create", "admin"] as const

export const Role = Schema.Literals(ladder)
export type Role = typeof Role.Type

const rank = new Map<Role, number>(ladder.map((role, i) => [role, i]))

/** Tells whether `role` is `least` or stronger; null and undefined never are. */
export const atLeast = (role: Role | null | undefined, least: Role): boolean =>
  role != null && rank.get(role)! >= rank.get(least)!

/** The stronger of two, of which either may be nothing. */
export const strongest = (a: Role | undefined, b: Role | undefined): Role | undefined =>
  a === undefined ? b : b === undefined || atLeast(a, b) ? a : b

/** `inherit` from what holds the content; a role for every member; null: grants only. */
export const DefaultLevel = Schema.Union([Schema.NullOr(Role), Schema.Literal("inherit")])
export type DefaultLevel = typeof DefaultLevel.Type
