/**
 * What an actor is in an organization, and how much it may do with a piece of content: the
 * strongest of what was granted to it, or to a team of its, on the content or on what holds it, and
 * of what everyone gets.
 *
 * An organization's admin, and the host application, have `admin` everywhere in it. A member has
 * the nearest default level that is set on the content and what holds it; where none is set, its
 * own role. A guest, whose role is null, has only what was granted to it.
 */
import { Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import type { StorageError } from "../storage/Storage.ts"
import { AccessFacts, type OrganizationFacts } from "./AccessFacts.ts"
import { CurrentActor } from "./Actor.ts"
import { type DefaultLevel, type Role, strongest } from "./Role.ts"

/** A piece of content, as far as access goes. */
export interface Held {
  readonly id: string
  readonly organization: OrganizationId
  readonly parent?: string | undefined
  readonly defaultLevel: DefaultLevel
}

/** An actor in an organization. */
export interface Membership {
  /** Undefined for the host application. */
  readonly user: string | undefined
  readonly role: Role | null
  readonly admin: boolean
  readonly facts: OrganizationFacts
}

export class Access extends Context.Service<
  Access,
  {
    /** The actor's membership of an organization; undefined where it has none, or is disabled. */
    readonly membership: (
      organization: OrganizationId
    ) => Effect.Effect<Membership | undefined, StorageError, CurrentActor>
    /** The actor's membership and its level on a piece of content; undefined where it may not see it. */
    readonly on: (
      content: Held
    ) => Effect.Effect<{ readonly member: Membership; readonly level: Role } | undefined, StorageError, CurrentActor>
  }
>()("@lectern/core/access/Access") {
  static readonly layer = Layer.effect(
    Access,
    Effect.gen(function* () {
      const facts = yield* AccessFacts

      const membership = (organization: OrganizationId) =>
        Effect.flatMap(CurrentActor, (actor) =>
          Effect.map(facts.organization(organization), (known): Membership | undefined => {
            if (known === undefined) return undefined
            if (actor.type === "host") return { user: undefined, role: "admin", admin: true, facts: known }
            if (actor.type === "visitor") return undefined
            if (actor.organization !== undefined && actor.organization !== organization) return undefined
            const member = known.members.get(actor.user)
            if (member === undefined || member.disabled) return undefined
            return { user: actor.user, role: member.role, admin: member.role === "admin", facts: known }
          })
        )

      return Access.of({
        membership,
        on: (content) =>
          Effect.map(membership(content.organization), (member) => {
            const level = member && levelOn(member, content)
            return level === undefined ? undefined : { member: member!, level }
          })
      })
    })
  )
}

/** What was granted to a member on this very piece of content. */
const granted = ({ user, facts }: Membership, content: string): Role | undefined => {
  const grants = user === undefined ? undefined : facts.grants.get(content)
  if (grants === undefined) return undefined
  const teams = facts.teams.get(user!)
  return grants.reduce<Role | undefined>(
    (level, { holderKind, holder, role }) =>
      (holderKind === "user" ? holder === user : teams?.has(holder) === true) ? strongest(level, role) : level,
    undefined
  )
}

/** The collections that hold a piece of content, the nearest first. */
export const holders = function* (facts: OrganizationFacts, parent: string | undefined) {
  for (let holder = parent === undefined ? undefined : facts.collections.get(parent); holder !== undefined;) {
    yield holder
    holder = holder.parent === undefined ? undefined : facts.collections.get(holder.parent)
  }
}

/** The nearest default level that is set; `inherit` where none is. */
const nearest = (facts: OrganizationFacts, content: Pick<Held, "parent" | "defaultLevel">): DefaultLevel => {
  if (content.defaultLevel !== "inherit") return content.defaultLevel
  for (const { defaultLevel } of holders(facts, content.parent)) if (defaultLevel !== "inherit") return defaultLevel
  return "inherit"
}

/** What everyone gets by default, as it reads: at the top it comes to the organization's own. */
export const effectiveLevel = (
  facts: OrganizationFacts,
  content: Pick<Held, "parent" | "defaultLevel">
): Role | null => {
  const level = nearest(facts, content)
  return level === "inherit" ? facts.organization.defaultRole : level
}

export const levelOn = (member: Membership, content: Omit<Held, "organization">): Role | undefined => {
  if (member.admin) return "admin"
  let level = granted(member, content.id)
  for (const holder of holders(member.facts, content.parent)) level = strongest(level, granted(member, holder.id))
  if (member.role === null) return level
  const byDefault = nearest(member.facts, content)
  return strongest(level, (byDefault === "inherit" ? member.role : byDefault) ?? undefined)
}

/** The collections of an organization that a member may see. */
export const visibleCollections = (member: Membership): ReadonlyArray<string> =>
  [...member.facts.collections.values()]
    .filter((collection) => levelOn(member, collection) !== undefined)
    .map(({ id }) => id)

/** The contents that something was granted on to a member. */
export const grantedContents = (member: Membership): ReadonlyArray<string> =>
  [...member.facts.grants.keys()].filter((content) => granted(member, content) !== undefined)
