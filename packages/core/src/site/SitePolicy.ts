/**
 * Minimum role for each action on a site. A visitor sees the site of its token if the site is published for the visitor
 * (see `publishing/Admission`).
 */
import { Context, Effect, Layer } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { CurrentActor, type InstallationActor, type Visitor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import { atLeast, type Role } from "../access/Role.ts"
import { makeInstallationAccess } from "../integration/InstallationAccess.ts"
import { siteScopes } from "../integration/IntegrationScopes.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { makeAdmittedVisitors, type ReadableSpaces } from "../visitor/AdmittedVisitors.ts"
import type { StorageError } from "../storage/Storage.ts"
import { accessTargetOf, type Site, type SiteId, SiteNotFound } from "./Site.ts"
import { type CachedSite, SiteStore } from "./store/SiteStore.ts"

export const rules = {
  "see this site": "read",
  /** Allows reading the site as its visitors see the site. */
  "see what is published of this site": "read",
  /** Allows seeing the site as visitors would, even if the site is not published. */
  "preview this site": "read",
  "see the adaptive schema of this site": "read",
  "change the adaptive schema of this site": "admin",
  /** Allows reading statistics of visitors: views, searches and feedback. */
  "see the insights of this site": "edit",
  "change this site": "admin",
  "change the structure of this site": "admin",
  "publish this site": "admin",
  "see the secrets of this site": "admin",
  "place integrations on this site": "admin",
  "delete this site": "admin"
} as const satisfies Record<string, Role>

export type SiteAction = keyof typeof rules

const visitorMay: ReadonlySet<SiteAction> = new Set(["see what is published of this site"])

/** Returns the permissions of a level; undefined for actors who may not see the site. */
export const permissions = (level: Role | undefined): Site["permissions"] => ({
  view: atLeast(level, rules["see this site"]),
  access: atLeast(level, rules["see this site"]),
  edit: atLeast(level, "edit"),
  create: atLeast(level, "create"),
  admin: atLeast(level, "admin"),
  installIntegration: atLeast(level, rules["place integrations on this site"]),
  viewAdaptiveSchema: atLeast(level, rules["see the adaptive schema of this site"]),
  editAdaptiveSchema: atLeast(level, rules["change the adaptive schema of this site"])
})

export interface AuthorizedSite extends CachedSite {
  readonly member: Membership
  /** The actor's level on the site. */
  readonly level: Role
  /** Set if the actor is a visitor, who sees only published content, or the content of a preview. */
  readonly visitor?: Visitor
  readonly spaces?: ReadableSpaces
}

/**
 * Returns true for actors who see all spaces of a site: administrators of the site, and integrations installed on it.
 */
export const seesWhole = ({ level, member }: Pick<AuthorizedSite, "level" | "member">): boolean =>
  level === "admin" || member.user === undefined

export const siteNotFound = (id: string) => new SiteNotFound({ message: `There is no site ${id}` })

/** Returns true if readers may see the site: it is published, or the actor sees a preview. */
export const isReadable = ({ site, visitor }: Pick<AuthorizedSite, "site" | "visitor">): boolean =>
  site.published || visitor?.preview !== undefined

export class SitePolicy extends Context.Service<
  SitePolicy,
  {
    /** Returns a site of the organization. Fails if the actor may not see it or the action is not allowed. */
    readonly require: (
      organization: OrganizationId,
      id: SiteId,
      action: SiteAction
    ) => Effect.Effect<AuthorizedSite, SiteNotFound | Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/site/SitePolicy") {
  static readonly layer = Layer.effect(
    SitePolicy,
    Effect.gen(function* () {
      const store = yield* SiteStore
      const access = yield* Access
      const installations = yield* makeInstallationAccess
      const visitors = yield* makeAdmittedVisitors

      const asVisitor = Effect.fnUntraced(function* (
        cachedSite: CachedSite | undefined,
        visitor: Visitor,
        action: SiteAction
      ) {
        if (cachedSite === undefined || visitor.site !== cachedSite.site.id || !visitorMay.has(action)) return undefined
        const admitted = yield* visitors.refresh(cachedSite, visitor)
        return admitted && { ...cachedSite, level: "read" as const, ...admitted }
      })

      const asInstallation = Effect.fnUntraced(function* (
        cachedSite: CachedSite | undefined,
        actor: InstallationActor,
        action: SiteAction
      ) {
        if (cachedSite === undefined) return undefined
        const { id, organization } = cachedSite.site
        const member = yield* installations.membershipForContent(
          actor,
          { kind: "site", id, organization },
          siteScopes[action]
        )
        return member && { ...cachedSite, member, level: "read" as const }
      })

      return SitePolicy.of({
        require: Effect.fnUntraced(function* (organization, id, action) {
          const cached = yield* store.get(id)
          const cachedSite = cached?.site.organization === organization ? cached : undefined
          const actor = yield* CurrentActor
          if (actor.type === "visitor")
            return (yield* asVisitor(cachedSite, actor, action)) ?? (yield* siteNotFound(id))
          if (actor.type === "installation") {
            return (yield* asInstallation(cachedSite, actor, action)) ?? (yield* siteNotFound(id))
          }
          const authorizedSite = cachedSite && (yield* access.on(accessTargetOf(cachedSite.site)))
          yield* authorize(authorizedSite?.level, rules[action], () => siteNotFound(id), action)
          return { ...cachedSite!, ...authorizedSite! }
        })
      })
    })
  )
}
