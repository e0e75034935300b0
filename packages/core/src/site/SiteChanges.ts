/**
 * Changes a site or its settings in one transaction: checks permissions, invalidates caches (see `SiteStore`), and
 * emits an event.
 */
import { Effect, Equal, Result } from "effect"
import { changesOf } from "../audit/Changes.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import type { SiteId, SiteNotFound } from "./Site.ts"
import * as SitePaths from "./SitePaths.ts"
import { type AuthorizedSite, type SiteAction, SitePolicy } from "./SitePolicy.ts"
import { SiteStore } from "./store/SiteStore.ts"
import type { SiteStructure } from "./SiteStructure.ts"
import { structureUpdated } from "./StructureEvent.ts"

/** Fields of a site in the audit log. */
const auditedFields = ["visibility", "basename", "hostname", "proxy", "adaptiveContent"] as const

type Failure = SiteNotFound | Forbidden | StorageError

/** Result of a change of settings that wrote nothing, so that no event is emitted. */
export class Unchanged<A> {
  readonly value: A

  constructor(value: A) {
    this.value = value
  }
}

export const makeSiteChanges = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const policy = yield* SitePolicy
  const store = yield* SiteStore

  return {
    /** Changes settings of a site. `change` writes them, or returns `Unchanged`. */
    settings: <A, E, R>(
      organization: OrganizationId,
      site: SiteId,
      action: SiteAction,
      change: (authorizedSite: AuthorizedSite) => Effect.Effect<A | Unchanged<A>, E, R>
    ): Effect.Effect<A, E | Failure, R | CurrentActor> =>
      storage.transaction(
        Effect.gen(function* () {
          const authorizedSite = yield* policy.require(organization, site, action)
          const changeResult = yield* change(authorizedSite)
          if (changeResult instanceof Unchanged) return changeResult.value
          const siteAfter = yield* store.get(site)
          yield* events.emit(
            { type: "site_updated", organization, site },
            {
              label: authorizedSite.site.title,
              ...(siteAfter && { changes: changesOf(authorizedSite.site, siteAfter.site, auditedFields) })
            }
          )
          return changeResult
        })
      ),

    /** Changes the structure by a pure function, and returns the site. A change without effect writes nothing. */
    structure: <E, E2 = never>(
      organization: OrganizationId,
      id: SiteId,
      change: (
        structure: SiteStructure,
        authorizedSite: AuthorizedSite
      ) => Effect.Effect<Result.Result<SiteStructure, E>, E2, CurrentActor>
    ): Effect.Effect<AuthorizedSite, E | E2 | Failure, CurrentActor> =>
      storage.transaction(
        Effect.gen(function* () {
          const authorizedSite = yield* policy.require(organization, id, "change the structure of this site")
          const structure = yield* Effect.fromResult(yield* change(authorizedSite.site.structure, authorizedSite))
          if (Equal.equals(structure, authorizedSite.site.structure)) return authorizedSite
          const site = yield* store.restructure(authorizedSite.site, structure)
          yield* events.emit(...structureUpdated(authorizedSite.site, site))
          return { ...authorizedSite, site, paths: SitePaths.index(structure, site.aliases) }
        })
      )
  }
})
