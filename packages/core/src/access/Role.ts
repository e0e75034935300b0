/** Roles, from weakest to strongest. Each includes the rights of the roles before it. */
import { Schema } from "effect"

const ladder = ["read", "comment", "edit", "review", "create", "admin"] as const

export const Role = Schema.Literals(ladder)
export type Role = typeof Role.Type

const rank = new Map<Role, number>(ladder.map((role, i) => [role, i]))

/** Returns true if `role` is at least `least`. False for null and undefined. */
export const atLeast = (role: Role | null | undefined, least: Role): boolean =>
  role != null && rank.get(role)! >= rank.get(least)!

/** Returns the roles that are at least `least`. */
export const rolesFrom = (least: Role): ReadonlyArray<Role> => ladder.slice(rank.get(least))

/** Returns the stronger of two roles. Undefined stands for no role. */
export const strongest = (a: Role | undefined, b: Role | undefined): Role | undefined =>
  a === undefined ? b : b === undefined || atLeast(a, b) ? a : b

/** `inherit`: level of the parent. A role: for all members. null: only granted roles. */
export const DefaultLevel = Schema.Union([Schema.NullOr(Role), Schema.Literal("inherit")])
export type DefaultLevel = typeof DefaultLevel.Type
