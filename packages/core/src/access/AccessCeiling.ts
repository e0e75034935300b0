/**
 * Prevents moves from widening access. Moved content keeps its previous default level as a ceiling, and only grants
 * that applied before still apply, until an administrator of the content sends `access: "inherit"`. Moving, restoring,
 * transferring, or deleting an enclosing collection can therefore only reduce access.
 *
 * A ceiling is stored only if the new parent would grant a user more access. It includes the old and the new levels:
 * later changes of the new parent do not apply to content with a ceiling.
 */
import { Schema } from "effect"
import { atLeast, DefaultLevel, type Role } from "./Role.ts"

export const Ceiling = Schema.Struct({
  /** Upper bounds of the default level. */
  levels: Schema.Array(DefaultLevel),
  /** Enclosing contents whose grants still apply. */
  within: Schema.Array(Schema.String)
})
export type Ceiling = typeof Ceiling.Type

/** Removes the ceiling, so that the content inherits the access of its parent. */
export const AccessReset = Schema.Struct({
  /**
   * `inherit`: the content gets the access of its parent. Requires the role `admin`. Default: no actor gets more access
   * than before.
   */
  access: Schema.optionalKey(Schema.Literal("inherit"))
})
export type AccessReset = typeof AccessReset.Type

/** Origin of the access: inherited from the parent, or kept from an earlier one. */
export const AccessKind = Schema.Literals(["inherit", "kept"])
export type AccessKind = typeof AccessKind.Type

/** Contents and levels that determine access to a content. */
export interface AccessScope {
  /** Contents whose grants apply, starting with the content itself. */
  readonly contents: ReadonlyArray<string>
  /** Default levels. The weakest applies; `inherit` stands for a member's own role. */
  readonly levels: ReadonlyArray<DefaultLevel>
}

/** Returns true if `one` never grants more access than `other`. */
const isNoWiderThan = (one: DefaultLevel, other: DefaultLevel): boolean =>
  one === null || one === other || (one !== "inherit" && other !== "inherit" && atLeast(other, one))

/** Removes levels that are implied by another level of the list. */
const distinct = (levels: ReadonlyArray<DefaultLevel>): ReadonlyArray<DefaultLevel> =>
  [...new Set(levels)].filter((level, _, all) => !all.some((other) => other !== level && isNoWiderThan(other, level)))

/** Returns the ceiling to store when the access changes from `before` to `after`, or undefined. */
export const ceilingBetween = (
  before: AccessScope,
  after: AccessScope,
  isGranted: (content: string) => boolean
): Ceiling | undefined => {
  const contentsBefore = new Set(before.contents)
  const wouldWiden = before.levels.some((level) => !after.levels.some((levelAfter) => isNoWiderThan(levelAfter, level)))
  if (!wouldWiden && after.contents.every((content) => contentsBefore.has(content) || !isGranted(content)))
    return undefined
  return {
    levels: distinct([...before.levels, ...after.levels]),
    within: after.contents.slice(1).filter((content) => contentsBefore.has(content))
  }
}

/** Returns the weakest of the levels for a member with a role; null for no access. */
export const weakest = (levels: ReadonlyArray<DefaultLevel>, own: Role | null): Role | null => {
  let weakestRole: Role = "admin"
  for (const level of levels) {
    const role = level === "inherit" ? own : level
    if (role === null) return null
    if (!atLeast(role, weakestRole)) weakestRole = role
  }
  return weakestRole
}
