/**
 * Access levels of actors on content. The level is the strongest of the roles granted to the actor or to one of its
 * teams, on the content or on an enclosing collection, and of the default level for all members.
 *
 * Administrators of an organization and the host application have `admin` on all of its content. A member gets the
 * nearest default level that is set on the content or on an enclosing collection; without one, it is the member's own
 * role. A guest, whose role is null, has only granted roles.
 */
import { Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import type { StorageError } from "../storage/Storage.ts"
import { makeAccessFacts, type OrganizationFacts } from "./AccessFacts.ts"
import { CurrentActor } from "./Actor.ts"
import { type AccessKind, type Ceiling, ceilingBetween, type AccessScope, weakest } from "./AccessCeiling.ts"
import { atLeast, type DefaultLevel, type Role, strongest } from "./Role.ts"

/** Fields that determine the access to a content: its parent, its default level, its ceiling, and a followed space. */
export interface AccessSettings {
  readonly parent?: string | undefined
  readonly defaultLevel: DefaultLevel
  readonly ceiling?: Ceiling | undefined
  /** Space whose access applies instead of that of the parent. */
  readonly follows?: string | undefined
}

/** Content, with the fields that determine access to it. */
export interface AccessedContent extends AccessSettings {
  readonly id: string
  readonly organization: OrganizationId
}

/** Membership of an actor in an organization. */
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
    /** Returns the data of an organization that access depends on; `undefined` if the organization does not exist. */
    readonly facts: (organization: OrganizationId) => Effect.Effect<OrganizationFacts | undefined, StorageError>
    /** Returns the actor's membership in an organization; `undefined` if the actor is not a member or is disabled. */
    readonly membership: (
      organization: OrganizationId
    ) => Effect.Effect<Membership | undefined, StorageError, CurrentActor>
    /** Returns the actor's membership and its level on a content; `undefined` if the actor may not view the content. */
    readonly on: (
      content: AccessedContent
    ) => Effect.Effect<{ readonly member: Membership; readonly level: Role } | undefined, StorageError, CurrentActor>
  }
>()("@lectern/core/access/Access") {
  static readonly layer = Layer.effect(
    Access,
    Effect.gen(function* () {
      const facts = yield* makeAccessFacts

      const membership = (organization: OrganizationId) =>
        Effect.flatMap(CurrentActor, (actor) =>
          Effect.map(facts(organization), (organizationFacts): Membership | undefined => {
            if (organizationFacts === undefined) return undefined
            if (actor.type === "host") return { user: undefined, role: "admin", admin: true, facts: organizationFacts }
            if (actor.type !== "user") return undefined
            if (actor.organization !== undefined && actor.organization !== organization) return undefined
            return membershipOf(organizationFacts, actor.user)
          })
        )

      return Access.of({
        facts,
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

/** Returns the membership of a user in an organization; `undefined` for a disabled member and for other users. */
export const membershipOf = (facts: OrganizationFacts, user: string): Membership | undefined => {
  const member = facts.members.get(user)
  return member === undefined || member.disabled
    ? undefined
    : { user, role: member.role, admin: member.role === "admin", facts }
}

/** Returns the role that was granted to a member directly on a content. */
const grantedDirectly = ({ user, facts }: Membership, content: string): Role | undefined => {
  const grants = user === undefined ? undefined : facts.grants.get(content)
  if (grants === undefined) return undefined
  const teams = facts.teams.get(user!)
  return grants.reduce<Role | undefined>(
    (level, { holderKind, holder, role }) =>
      (holderKind === "user" ? holder === user : teams?.has(holder) === true) ? strongest(level, role) : level,
    undefined
  )
}

/** Yields the collections that enclose a content, innermost first. */
export const enclosingCollections = function* (facts: OrganizationFacts, parent: string | undefined) {
  for (let holder = parent === undefined ? undefined : facts.collections.get(parent); holder !== undefined;) {
    yield holder
    holder = holder.parent === undefined ? undefined : facts.collections.get(holder.parent)
  }
}

interface InheritanceStep extends AccessSettings {
  readonly id: string
}

/** Yields a content and the contents that it inherits access from. A followed space that was deleted grants nothing. */
const inheritanceChain = function* (facts: OrganizationFacts, content: InheritanceStep): Generator<InheritanceStep> {
  yield content
  for (let currentStep = content; currentStep.follows !== undefined;) {
    currentStep = facts.bounded.get(currentStep.follows) ?? { id: currentStep.follows, defaultLevel: null }
    yield currentStep
    content = currentStep
  }
  yield* enclosingCollections(facts, content.parent)
}

/** Returns the contents and levels that determine the access to a content. */
const accessScopeOf = (facts: OrganizationFacts, content: InheritanceStep): AccessScope => {
  const contents: Array<string> = []
  const levels: Array<DefaultLevel> = []
  let grantingContents: ReadonlyArray<string> | undefined
  let isSet = false
  for (const { id, defaultLevel, ceiling } of inheritanceChain(facts, content)) {
    if (grantingContents === undefined || grantingContents.includes(id)) contents.push(id)
    if (!isSet) {
      isSet = defaultLevel !== "inherit"
      levels.push(...(isSet ? [defaultLevel] : (ceiling?.levels ?? [])))
    }
    if (ceiling !== undefined)
      grantingContents = grantingContents?.filter((one) => ceiling.within.includes(one)) ?? ceiling.within
  }
  return { contents, levels: isSet ? levels : [...levels, "inherit"] }
}

/** Returns the contents whose grants apply to a content: the content itself, and those that it inherits access from. */
export const grantSources = (facts: OrganizationFacts, content: InheritanceStep): ReadonlyArray<string> =>
  accessScopeOf(facts, content).contents

/** Returns the level of all members without grants. At the top level this is the organization's default role. */
export const effectiveLevel = (facts: OrganizationFacts, content: AccessSettings): Role | null =>
  weakest(accessScopeOf(facts, { id: "", ...content }).levels, facts.organization.defaultRole)

export const levelOn = (member: Membership, content: Omit<AccessedContent, "organization">): Role | undefined => {
  if (member.admin) return "admin"
  const { contents, levels } = accessScopeOf(member.facts, content)
  const level = grantedAmong(member, contents)
  return member.role === null ? level : strongest(level, weakest(levels, member.role) ?? undefined)
}

/** Returns the strongest role that was granted to a member on a content or on one that it inherits access from. */
export const grantedOn = (member: Membership, content: Omit<AccessedContent, "organization">): Role | undefined =>
  grantedAmong(member, accessScopeOf(member.facts, content).contents)

const grantedAmong = (member: Membership, contents: ReadonlyArray<string>) =>
  contents.reduce<Role | undefined>((level, id) => strongest(level, grantedDirectly(member, id)), undefined)

/** Returns the access ceiling of a content after a move, possibly to another organization (see `AccessCeiling`). */
export const ceilingAfterMove = (
  facts: OrganizationFacts,
  content: Omit<AccessedContent, "organization">,
  parent: string | null,
  targetFacts: OrganizationFacts = facts
): Ceiling | undefined =>
  ceilingBetween(
    accessScopeOf(facts, content),
    accessScopeOf(targetFacts, { id: content.id, defaultLevel: content.defaultLevel, parent: parent ?? undefined }),
    (one) => targetFacts.grants.has(one)
  )

/** Returns whether a content inherits its access from its parent or has a separate access level. */
export const accessKind = ({ ceiling, follows }: AccessSettings): AccessKind =>
  ceiling === undefined && follows === undefined ? "inherit" : "kept"

/** Returns the collections of an organization that a member may view. */
export const visibleCollections = (member: Membership): ReadonlyArray<string> =>
  [...member.facts.collections.values()]
    .filter((collection) => levelOn(member, collection) !== undefined)
    .map(({ id }) => id)

/** Returns the contents on which at least the role `least` was granted to a member. */
export const grantedContents = (member: Membership, least: Role = "read"): ReadonlyArray<string> =>
  [...member.facts.grants.keys()].filter((content) => atLeast(grantedDirectly(member, content), least))
