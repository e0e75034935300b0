/**
 * Keeps closed content closed. Content that comes to lie elsewhere keeps the level that everyone had on it as
 * a ceiling, and only the grants that reached it before reach it still, until an administrator of it sends
 * `access: "inherit"`. So moving, restoring, handing over or deleting what holds a thing can take access away,
 * and never give any.
 *
 * A ceiling is kept only where the new place would show the thing to anyone else, or let someone do
 * more with it. It holds what was and what is: who later opens the new place opens it for what
 * belongs there.
 */
import { Schema } from "effect"
import { atLeast, DefaultLevel, type Role } from "./Role.ts"

export const Ceiling = Schema.Struct({
  /** Levels that bound what everyone gets from above: no more than each of these. */
  levels: Schema.Array(DefaultLevel),
  /** Contents that hold it, as far as grants on them reach it. */
  within: Schema.Array(Schema.String)
})
export type Ceiling = typeof Ceiling.Type

/** Takes the ceiling off: from now on the thing is as open as what holds it. */
export const Opening = Schema.Struct({ access: Schema.optionalKey(Schema.Literal("inherit")) })
export type Opening = typeof Opening.Type

/** How a thing comes by its access: as open as its place is, or kept from being so. */
export const AccessKind = Schema.Literals(["inherit", "kept"])
export type AccessKind = typeof AccessKind.Type

/** Sources of a thing's access, itself the first. */
export interface Reach {
  /** The contents whose grants count for it. */
  readonly contents: ReadonlyArray<string>
  /** Default levels. Everyone gets the weakest of them; `inherit` is a member's own role. */
  readonly levels: ReadonlyArray<DefaultLevel>
}

/** Tells whether `one` gives nobody more than `other` does. */
const isAtMost = (one: DefaultLevel, other: DefaultLevel): boolean =>
  one === null || one === other || (one !== "inherit" && other !== "inherit" && atLeast(other, one))

/** Without those that others imply. */
const distinct = (levels: ReadonlyArray<DefaultLevel>): ReadonlyArray<DefaultLevel> =>
  [...new Set(levels)].filter((level, _, all) => !all.some((other) => other !== level && isAtMost(other, level)))

/** The ceiling to keep when a thing's reach changes from `before` to `after`; undefined for none. */
export const ceiling = (before: Reach, after: Reach, isGranted: (content: string) => boolean): Ceiling | undefined => {
  const known = new Set(before.contents)
  const opens = before.levels.some((level) => !after.levels.some((now) => isAtMost(now, level)))
  if (!opens && after.contents.every((content) => known.has(content) || !isGranted(content))) return undefined
  return {
    levels: distinct([...before.levels, ...after.levels]),
    within: after.contents.slice(1).filter((content) => known.has(content))
  }
}

/** The weakest of the levels for someone whose own role is this one; null: nothing. */
export const weakest = (levels: ReadonlyArray<DefaultLevel>, own: Role | null): Role | null => {
  let least: Role = "admin"
  for (const level of levels) {
    const role = level === "inherit" ? own : level
    if (role === null) return null
    if (!atLeast(role, least)) least = role
  }
  return least
}
