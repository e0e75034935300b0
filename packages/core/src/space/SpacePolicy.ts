/** Minimum role for each action on a space. */
import { Context, Effect, Layer } from "effect"
import { Access, levelOn, type Membership } from "../access/Access.ts"
import { CurrentActor, type InstallationActor, type Visitor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import { atLeast, type Role } from "../access/Role.ts"
import { makeInstallationAccess } from "../integration/InstallationAccess.ts"
import { spaceScopes } from "../integration/IntegrationScopes.ts"
import type { Content } from "../content/Content.ts"
import { isVisibleTo, anonymousVisitor } from "../publishing/Admission.ts"
import { makeAdmittedVisitors } from "../visitor/AdmittedVisitors.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SiteId } from "../site/Site.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { type Space, type SpaceId, SpaceNotFound, type SpaceRow, SpaceTable } from "./Space.ts"

export const rules = {
  "see this space": "read",
  /** Main content, including its search results. */
  "read this space": "read",
  /** Other readable content: change requests, revisions, exports. */
  "see the work on this space": "read",
  "comment on this space": "comment",
  "open a change request": "edit",
  "edit this space": "edit",
  "review change requests": "review",
  "duplicate this space": "read",
  "move this space": "create",
  "transfer this space": "admin",
  "change this space": "admin",
  "give access to this space": "admin",
  "delete this space": "admin",
  "restore this space": "admin",
  "synchronise this space with Git": "admin",
  "place integrations on this space": "admin"
} as const satisfies Record<string, Role>

export type SpaceAction = keyof typeof rules

/**
 * Actions on a space that are allowed to visitors of a published site. Any other action fails as if the space did not
 * exist.
 */
export const visitorActions: ReadonlySet<SpaceAction> = new Set(["see this space", "read this space"])

/** Returns the permissions for a level of access. `level` is undefined if the actor may not see the space. */
export const permissions = (level: Role | undefined, space: SpaceRow): Space["permissions"] => {
  const read = atLeast(level, "read")
  const review = atLeast(level, "review")
  const admin = atLeast(level, "admin")
  return {
    view: read,
    access: read,
    admin,
    viewInviteLinks: admin,
    edit: atLeast(level, "edit") && space.editMode !== "locked",
    triggerGitSync: admin,
    comment: atLeast(level, "comment"),
    merge: review,
    review,
    installIntegration: admin
  }
}

/** Visitor whose claims decide about conditions of pages. */
export interface SpaceVisitor extends Pick<Visitor, "claims" | "kind"> {
  /**
   * Current main content, if the visitor reads an earlier one. Pages that are hidden in the current content are also
   * hidden in the earlier one.
   */
  readonly today?: Content
}

/** Visitor of a site who reads a space of the site. */
export interface SiteReader extends SpaceVisitor {
  readonly site: SiteId
  readonly via: Visitor["via"]
  /** True if the visitor sees a preview, which may contain unpublished content. */
  readonly isPreview: boolean
  /** True if visitors without claims, admitted in the same way, can see the space. */
  readonly isVisibleToAll: boolean
  /**
   * Time from which the visitor may also read main revisions that were replaced later. The site showed these revisions
   * to its current audience during the life of the visitor's token. Absent if only the current revision is readable.
   */
  readonly readsSince?: Timestamp
  /** True if the site links to the editor of its pages. Visitors then also see the source of synchronized content. */
  readonly showsGit: boolean
}

export interface AuthorizedSpace {
  readonly space: SpaceRow
  readonly member: Membership
  /** Level of access of the actor. */
  readonly level: Role
  /** Visitor whose access is limited by conditions. Undefined if the actor sees all content. */
  readonly visitor?: SiteReader | undefined
}

const laterOf = (one: Timestamp, other: Timestamp): Timestamp => (one > other ? one : other)

const readScopes = spaceScopes["read this space"]

export const spaceNotFound = (id: string) => new SpaceNotFound({ message: `There is no space ${id}` })

export class SpacePolicy extends Context.Service<
  SpacePolicy,
  {
    /**
     * Returns the space if the actor may perform the action. A space in the trash is `SpaceNotFound`, unless `trash` is
     * true and the actor may restore it.
     */
    readonly require: (
      id: SpaceId,
      action: SpaceAction,
      options?: { readonly trash: boolean }
    ) => Effect.Effect<AuthorizedSpace, SpaceNotFound | Forbidden | StorageError, CurrentActor>
    /** Returns the spaces that the actor may read, in order. */
    readonly readable: (
      spaces: ReadonlyArray<SpaceRow>
    ) => Effect.Effect<ReadonlyArray<AuthorizedSpace>, StorageError, CurrentActor>
  }
>()("@lectern/core/space/SpacePolicy") {
  static readonly layer = Layer.effect(
    SpacePolicy,
    Effect.gen(function* () {
      const spaces = (yield* Storage).repository(SpaceTable)
      const access = yield* Access
      const sites = yield* SiteStore
      const installations = yield* makeInstallationAccess
      const visitors = yield* makeAdmittedVisitors

      /** Returns the spaces that a visitor's site shows to the visitor. */
      const asVisitor = Effect.fnUntraced(function* (spaces: ReadonlyArray<SpaceRow>, admittedVisitor: Visitor) {
        const cachedSite = yield* sites.get(admittedVisitor.site as SiteId)
        const now = cachedSite && (yield* visitors.refresh(cachedSite, admittedVisitor))
        if (cachedSite === undefined || now === undefined) return []
        const { member } = now
        const { claims, kind, preview, since } = now.visitor
        const readsSince =
          since === undefined || preview !== undefined
            ? undefined
            : laterOf(Timestamps.at(since * 1000), cachedSite.site.audienceSince ?? cachedSite.site.createdAt)
        return spaces.flatMap((stored): ReadonlyArray<AuthorizedSpace> => {
          const space = isVisibleTo(cachedSite, { claims }, stored.id) ? now.spaces.read(stored) : undefined
          if (space === undefined) return []
          const visitor: SiteReader = {
            claims,
            kind,
            site: cachedSite.site.id,
            via: admittedVisitor.via,
            isPreview: preview !== undefined,
            ...(readsSince !== undefined && { readsSince }),
            isVisibleToAll: Object.keys(claims).length === 0 || isVisibleTo(cachedSite, anonymousVisitor, space.id),
            showsGit: cachedSite.editLinks.has(space.id)
          }
          return [{ space, member, level: "read", visitor }]
        })
      })

      /**
       * Returns the space if an installation may perform the action on it. The level is `read` or `edit`. The service
       * of the action limits which fields an installation may change.
       */
      const asInstallation = Effect.fnUntraced(function* (
        space: SpaceRow,
        actor: InstallationActor,
        action: SpaceAction
      ) {
        if (space.deletedAt !== undefined) return undefined
        const { id, organization } = space
        const member = yield* installations.membershipForContent(
          actor,
          { kind: "space", id, organization },
          spaceScopes[action]
        )
        return member && { space, member, level: rules[action] === "read" ? ("read" as const) : ("edit" as const) }
      })

      return SpacePolicy.of({
        require: Effect.fnUntraced(function* (id, action, options) {
          const actor = yield* CurrentActor
          if (actor.type === "visitor" && !visitorActions.has(action)) return yield* spaceNotFound(id)
          const space = yield* spaces.get({ id })
          if (space === undefined || space.removing === true) return yield* spaceNotFound(id)
          if (actor.type === "visitor") return (yield* asVisitor([space], actor))[0] ?? (yield* spaceNotFound(id))
          if (actor.type === "installation") {
            return (yield* asInstallation(space, actor, action)) ?? (yield* spaceNotFound(id))
          }
          const authorized = yield* access.on(space)
          const level = authorized?.level
          const isHidden =
            space.deletedAt !== undefined && !(options?.trash === true && atLeast(level, rules["restore this space"]))
          yield* authorize(isHidden ? undefined : level, rules[action], () => spaceNotFound(id), action)
          return { space, member: authorized!.member, level: authorized!.level }
        }),

        readable: Effect.fnUntraced(function* (rows) {
          const actor = yield* CurrentActor
          const activeSpaces = rows.filter(({ removing, deletedAt }) => removing !== true && deletedAt === undefined)
          if (actor.type === "visitor") return yield* asVisitor(activeSpaces, actor)
          const authorized: Array<AuthorizedSpace> = []
          for (const [organization, spaces] of Map.groupBy(activeSpaces, ({ organization }) => organization)) {
            if (actor.type === "installation") {
              const contents = spaces.map(({ id }) => id)
              const memberships = yield* installations.membershipForContents(
                actor,
                { kind: "space", contents, organization },
                readScopes
              )
              if (memberships === undefined) continue
              for (const space of spaces) {
                if (memberships.contents.has(space.id))
                  authorized.push({ space, member: memberships.member, level: "read" })
              }
              continue
            }
            const member = yield* access.membership(organization)
            for (const space of member === undefined ? [] : spaces) {
              const level = levelOn(member!, space)
              if (level !== undefined) authorized.push({ space, member: member!, level })
            }
          }
          return authorized
        })
      })
    })
  )
}
