/** Decides the access of a thing that comes to lie elsewhere, and permits to open it there. */
import { Effect } from "effect"
import { type Held, keptAt, type Membership } from "./Access.ts"
import type { OrganizationFacts } from "./AccessFacts.ts"
import { type CurrentActor, requireScope } from "./Actor.ts"
import type { Ceiling, Opening } from "./Ceiling.ts"
import { Forbidden } from "./Forbidden.ts"
import type { DefaultLevel, Role } from "./Role.ts"

/** As open as what holds it. */
const opened = { defaultLevel: "inherit", ceiling: undefined, follows: undefined } as const

/** The fields of a row that change with its place. */
export interface Relocated {
  readonly defaultLevel?: DefaultLevel
  readonly ceiling?: Ceiling | undefined
  readonly follows?: undefined
}

/**
 * Fields that change when an administrator opens a thing to everyone who sees its place; none where nobody
 * asks for that.
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

/** Fields that change when a thing comes to lie in another parent (null: at the top), maybe of another organization. */
export const relocated = (
  { member: { facts }, level }: { readonly member: Membership; readonly level: Role },
  content: Omit<Held, "organization">,
  parent: string | null,
  asked: Opening,
  there: OrganizationFacts = facts
): Effect.Effect<Relocated, Forbidden, CurrentActor> =>
  Effect.map(opening(level, asked), (changed) => {
    if (asked.access !== undefined) return changed
    // What follows another space does so wherever it lies; that one is not in another organization.
    if (content.follows !== undefined && there === facts) return {}
    return { ceiling: keptAt(facts, content, parent, there), follows: undefined }
  })
