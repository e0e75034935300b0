/**
 * An actor's level on content of an organization: the strongest of the levels granted to it, or to a team of
 * its, on the content or on what holds it, and of the level that everyone gets.
 *
 * An organization's admin, and the host application, have `admin` everywhere in it. A member has
 * the nearest default level that is set on the content and what holds it; where none is set, its
 * own role. A guest, whose role is null, has only what was granted to it.
 */
import { Context, Effect } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import type { StorageError } from "../storage/Storage.ts"
import { AccessFacts, type OrganizationFacts } from "./AccessFacts.ts"
import { CurrentActor } from "./Actor.ts"
import { type AccessKind, type Ceiling, ceiling, type Reach, weakest } from "./Ceiling.ts"
import { type DefaultLevel, type Role, strongest } from "./Role.ts"
import { wired } from "../wiring/Wired.ts"

/** Source of a content's access: what holds it, and its own level. */
export interface Place {
  readonly parent?: string | undefined
  readonly defaultLevel: DefaultLevel
  readonly ceiling?: Ceiling | undefined
  /** The space that it is as open as, in place of what holds it. */
  readonly follows?: string | undefined
}

/** A piece of content, as far as access goes. */
export interface Held extends Place {
  readonly id: string
  readonly organization: OrganizationId
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
  static readonly layer = wired(
    Access,
    Effect.gen(function* () {
      const facts = yield* AccessFacts

      const membership = (organization: OrganizationId) =>
        Effect.flatMap(CurrentActor, (actor) =>
          Effect.map(facts.organization(organization), (known): Membership | undefined => {
            if (known === undefined) return undefined
            if (actor.type === "host") return { user: undefined, role: "admin", admin: true, facts: known }
            if (actor.type !== "user") return undefined
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
    }),
    [AccessFacts.layer]
  )
}

/** Level that was granted to a member on this very piece of content. */
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

interface Step extends Place {
  readonly id: string
}

/** A piece of content and what it gets its access from, step by step. What it follows and is gone gives nothing. */
const line = function* (facts: OrganizationFacts, content: Step): Generator<Step> {
  yield content
  for (let at = content; at.follows !== undefined;) {
    at = facts.bounded.get(at.follows) ?? { id: at.follows, defaultLevel: null }
    yield at
    content = at
  }
  yield* holders(facts, content.parent)
}

/** Contents and levels that the access of a piece of content comes from. */
const reach = (facts: OrganizationFacts, content: Step): Reach => {
  const contents: Array<string> = []
  const levels: Array<DefaultLevel> = []
  let within: ReadonlyArray<string> | undefined
  let isSet = false
  for (const { id, defaultLevel, ceiling } of line(facts, content)) {
    if (within === undefined || within.includes(id)) contents.push(id)
    if (!isSet) {
      isSet = defaultLevel !== "inherit"
      levels.push(...(isSet ? [defaultLevel] : (ceiling?.levels ?? [])))
    }
    if (ceiling !== undefined) within = within?.filter((one) => ceiling.within.includes(one)) ?? ceiling.within
  }
  return { contents, levels: isSet ? levels : [...levels, "inherit"] }
}

/** The contents whose grants count for a piece of content: itself, and what it gets its access from. */
export const sources = (facts: OrganizationFacts, content: Step): ReadonlyArray<string> =>
  reach(facts, content).contents

/** Level that everyone gets by default. At the top it comes to the organization's own. */
export const effectiveLevel = (facts: OrganizationFacts, content: Place): Role | null =>
  weakest(reach(facts, { id: "", ...content }).levels, facts.organization.defaultRole)

export const levelOn = (member: Membership, content: Omit<Held, "organization">): Role | undefined => {
  if (member.admin) return "admin"
  const { contents, levels } = reach(member.facts, content)
  const level = grantedAmong(member, contents)
  return member.role === null ? level : strongest(level, weakest(levels, member.role) ?? undefined)
}

/** The strongest of what was granted to a member on what a piece of content is reached by. */
export const grantedOn = (member: Membership, content: Omit<Held, "organization">): Role | undefined =>
  grantedAmong(member, reach(member.facts, content).contents)

const grantedAmong = (member: Membership, contents: ReadonlyArray<string>) =>
  contents.reduce<Role | undefined>((level, id) => strongest(level, granted(member, id)), undefined)

/**
 * Ceiling that a piece of content keeps where it comes to lie somewhere else, maybe in another organization
 * (see `Ceiling`).
 */
export const keptAt = (
  facts: OrganizationFacts,
  content: Omit<Held, "organization">,
  parent: string | null,
  there: OrganizationFacts = facts
): Ceiling | undefined =>
  ceiling(
    reach(facts, content),
    reach(there, { id: content.id, defaultLevel: content.defaultLevel, parent: parent ?? undefined }),
    (one) => there.grants.has(one)
  )

/** How a piece of content comes by its access. */
export const accessKind = ({ ceiling, follows }: Place): AccessKind =>
  ceiling === undefined && follows === undefined ? "inherit" : "kept"

/** The collections of an organization that a member may see. */
export const visibleCollections = (member: Membership): ReadonlyArray<string> =>
  [...member.facts.collections.values()]
    .filter((collection) => levelOn(member, collection) !== undefined)
    .map(({ id }) => id)

/** The contents that something was granted on to a member. */
export const grantedContents = (member: Membership): ReadonlyArray<string> =>
  [...member.facts.grants.keys()].filter((content) => granted(member, content) !== undefined)
