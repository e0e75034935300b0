/** Determines the access of moved content, and authorizes opening it to its new parent. */
import { Effect } from "effect"
import { type AccessedContent, ceilingAfterMove, type Membership } from "./Access.ts"
import type { OrganizationFacts } from "./AccessFacts.ts"
import { type CurrentActor, requireScope } from "./Actor.ts"
import type { Ceiling, AccessReset } from "./AccessCeiling.ts"
import { Forbidden } from "./Forbidden.ts"
import type { DefaultLevel, Role } from "./Role.ts"

/** Inherits all access from the parent. */
const inheritedAccess = { defaultLevel: "inherit", ceiling: undefined, follows: undefined } as const

/** Fields of a row that change with a move. */
export interface RelocationPatch {
  readonly defaultLevel?: DefaultLevel
  readonly ceiling?: Ceiling | undefined
  readonly follows?: undefined
}

/**
 * Returns the fields that change if an administrator opens content to everyone with access to its parent. Returns no
 * fields if this was not requested.
 */
export const resetAccess = (
  level: Role,
  { access }: AccessReset
): Effect.Effect<RelocationPatch, Forbidden, CurrentActor> =>
  access === undefined
    ? Effect.succeed({})
    : level === "admin"
      ? Effect.as(requireScope("access:write", "open this to everyone who sees its new location"), inheritedAccess)
      : Effect.fail(
          new Forbidden({
            message: `To open this to everyone who sees its new location, you need the role admin; your role here is ${level}`
          })
        )

/**
 * Returns the fields that change when content moves to another parent (null: top level), possibly in another
 * organization.
 */
export const relocationPatch = (
  { member: { facts }, level }: { readonly member: Membership; readonly level: Role },
  content: Omit<AccessedContent, "organization">,
  parent: string | null,
  accessInput: AccessReset,
  targetFacts: OrganizationFacts = facts
): Effect.Effect<RelocationPatch, Forbidden, CurrentActor> =>
  Effect.map(resetAccess(level, accessInput), (changed) => {
    if (accessInput.access !== undefined) return changed
    // A space that follows another one keeps following it within the organization.
    if (content.follows !== undefined && targetFacts === facts) return {}
    return { ceiling: ceilingAfterMove(facts, content, parent, targetFacts), follows: undefined }
  })
