/** Shows and changes how visitors of a site sign on. A site has a key from its first day. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { SiteId, SiteNotFound } from "../site/Site.ts"
import { SiteChanges } from "../site/SiteChanges.ts"
import { SitePolicy } from "../site/SitePolicy.ts"
import { cannotConflict, type Patch, Storage, type StorageError } from "../storage/Storage.ts"
import {
  keyPlace,
  type PublishingAuth,
  PublishingAuthPatch,
  type PublishingAuthRow,
  PublishingAuthTable
} from "./PublishingAuth.ts"

const acceptPatch = accepting(PublishingAuthPatch)

type Failure = SiteNotFound | Forbidden | StorageError

export class PublishingAuths extends Context.Service<
  PublishingAuths,
  {
    readonly get: (organization: OrganizationId, site: SiteId) => Effect.Effect<PublishingAuth, Failure, CurrentActor>
    readonly update: (
      organization: OrganizationId,
      site: SiteId,
      patch: PublishingAuthPatch
    ) => Effect.Effect<PublishingAuth, Failure | InvalidInput, CurrentActor>
    /** A new key: what was signed with the old one opens nothing any more. */
    readonly regenerate: (
      organization: OrganizationId,
      site: SiteId
    ) => Effect.Effect<PublishingAuth, Failure, CurrentActor>
    /** Part of the transaction that makes the site. */
    readonly begin: (site: SiteId) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/publishing/PublishingAuths") {
  static readonly layer = Layer.effect(
    PublishingAuths,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const policy = yield* SitePolicy
      const changes = yield* SiteChanges
      const secrets = yield* Secrets
      const auths = storage.repository(PublishingAuthTable)

      const newKey = (site: SiteId) =>
        Effect.all({
          keyId: ids.next,
          sealedKey: Effect.flatMap(ids.secret, (key) => secrets.seal(keyPlace(site), key))
        })

      const present = ({ site, sealedKey, fallbackURL }: PublishingAuthRow) =>
        Effect.map(secrets.open(keyPlace(site), sealedKey), (privateKey): PublishingAuth => ({
          object: "publishing-auth",
          backend: "custom",
          privateKey,
          ...(fallbackURL !== undefined && { fallbackURL })
        }))

      const change = (organization: OrganizationId, site: SiteId, patch: Patch<PublishingAuthRow>) =>
        changes.settings(
          organization,
          site,
          "see the secrets of this site",
          Effect.fnUntraced(function* () {
            yield* auths.update({ site }, patch)
            return yield* present((yield* auths.get({ site }))!)
          })
        )

      return PublishingAuths.of({
        get: Effect.fn("PublishingAuths.get")(function* (organization, site) {
          const { auth } = yield* policy.require(organization, site, "see the secrets of this site")
          return yield* present(auth!)
        }),

        update: Effect.fn("PublishingAuths.update")(function* (organization, site, wanted) {
          const { fallbackURL } = yield* acceptPatch(wanted)
          return yield* change(
            organization,
            site,
            fallbackURL === undefined ? {} : { fallbackURL: fallbackURL ?? undefined }
          )
        }),

        regenerate: Effect.fn("PublishingAuths.regenerate")(function* (organization, site) {
          return yield* change(organization, site, yield* newKey(site))
        }),

        begin: Effect.fnUntraced(function* (site) {
          yield* auths.insert({ site, ...(yield* newKey(site)) }).pipe(cannotConflict)
        })
      })
    })
  )
}
