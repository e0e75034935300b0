/** Determines the access of moved content, and authorizes opening it to its new parent. */
import { Effect } from "effect"
import { type Held, keptAt, type Membership } from "./Access.ts"
import type { OrganizationFacts } from "./AccessFacts.ts"
import { type CurrentActor, requireScope } from "./Actor.ts"
import type { Ceiling, Opening } from "./Ceiling.ts"
import { Forbidden } from "./Forbidden.ts"
import type { DefaultLevel, Role } from "./Role.ts"

/** Inherits all access from the parent. */
const opened = { defaultLevel: "inherit", ceiling: undefined, follows: undefined } as const

/** Fields of a row that change with a move. */
export interface Relocated {
  readonly defaultLevel?: DefaultLevel
  readonly ceiling?: Ceiling | undefined
  readonly follows?: undefined
}

/**
 * Returns the fields that change if an administrator opens content to everyone with access to its parent. Returns no
 * fields if this was not requested.
 */
export const opening = (level: Role, { access }: Opening): Effect.Effect<Relocated, Forbidden, CurrentActor> =>
  access === undefined
    ? Effect.succeed({})
    : level === "admin"
      ? Effect.as(requireScope("access:write", "open this to those who see its place"), opened)
      : Effect.fail(
          new Forbidden({
            message: `To open this to those who see its place takes the role admin; yours here is ${level}`
          })
        )

/**
 * Returns the fields that change when content moves to another parent (null: top level), possibly in another
 * organization.
 */
export const relocated = (
  { member: { facts }, level }: { readonly member: Membership; readonly level: Role },
  content: Omit<Held, "organization">,
  parent: string | null,
  asked: Opening,
  there: OrganizationFacts = facts
): Effect.Effect<Relocated, Forbidden, CurrentActor> =>
  Effect.map(opening(level, asked), (changed) => {
    if (asked.access !== undefined) return changed
    // A space that follows another one keeps following it within the organization.
    if (content.follows !== undefined && there === facts) return {}
    return { ceiling: keptAt(facts, content, parent, there), follows: undefined }
  })
