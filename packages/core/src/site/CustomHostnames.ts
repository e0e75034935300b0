/** Reads, proves and removes the custom hostname of a site, for actors who may see the site. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { makeAddressClaiming } from "./AddressClaiming.ts"
import { makeAddressProofs } from "./AddressProofs.ts"
import { type CustomHostname, CustomHostnameNotFound, HostnameProven } from "./CustomHostname.ts"
import { SiteTable } from "./Site.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { type AuthorizedSite, SitePolicy } from "./SitePolicy.ts"
import { Sites } from "./Sites.ts"
import { SiteStore } from "./store/SiteStore.ts"

type Failure = CustomHostnameNotFound | Forbidden | StorageError

export class CustomHostnames extends Context.Service<
  CustomHostnames,
  {
    /**
     * Returns a hostname. An unproved one is visible to administrators of an organization that claims it.
     *
     * @param hostname Hostname, such as `docs.example.com`.
     * @throws {CustomHostnameNotFound}
     * @throws {Forbidden}
     */
    readonly get: (hostname: string) => Effect.Effect<CustomHostname, Failure, CurrentActor>
    /**
     * Checks the proof of a hostname now.
     *
     * @param hostname Hostname, such as `docs.example.com`.
     * @throws {CustomHostnameNotFound}
     * @throws {Forbidden}
     * @throws {HostnameProven}
     */
    readonly prove: (hostname: string) => Effect.Effect<void, Failure | HostnameProven, CurrentActor>
    /**
     * Removes a hostname from its site. Succeeds if no site has or claims it.
     *
     * @param hostname Hostname, such as `docs.example.com`.
     * @throws {Forbidden}
     */
    readonly remove: (hostname: string) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/site/CustomHostnames") {
  static readonly layer = Layer.effect(
    CustomHostnames,
    Effect.gen(function* () {
      const rows = (yield* Storage).repository(SiteTable)
      const addresses = yield* SiteAddresses
      const store = yield* SiteStore
      const policy = yield* SitePolicy
      const sites = yield* Sites
      const claiming = yield* makeAddressClaiming
      const proofs = yield* makeAddressProofs
      const publicUrl = yield* PublicUrl

      /** Returns the site that has the hostname. */
      const siteWith = Effect.fnUntraced(function* (name: string) {
        const address = (yield* addresses.atHost(name)).find((row) => row.kind === "hostname" && row.current)
        const cachedSite = address && (yield* store.get(address.site))
        if (cachedSite === undefined) return undefined
        const { organization, id } = cachedSite.site
        return yield* policy
          .require(organization, id, "see this site")
          .pipe(Effect.catchTag("SiteNotFound", () => Effect.undefined))
      })

      /** Returns the first site that claims the hostname, of those on which the actor may change hostnames. */
      const siteClaiming = Effect.fnUntraced(function* (name: string) {
        for (const { organization, id } of yield* rows.list({ where: { claims: { any: [name] } } })) {
          const authorizedSite: AuthorizedSite | undefined = yield* policy
            .require(organization, id, "see this site")
            .pipe(Effect.catchTag(["SiteNotFound", "Forbidden"], () => Effect.undefined))
          if (authorizedSite?.member.admin === true && authorizedSite.site.claims?.hostname?.name === name)
            return authorizedSite
        }
        return undefined
      })

      const resolveHostname = Effect.fnUntraced(function* (hostname: string) {
        const name = hostname.toLowerCase()
        const owningSite = yield* siteWith(name)
        if (owningSite !== undefined) return { name, ...owningSite, claim: undefined }
        const claimingSite = yield* siteClaiming(name)
        if (claimingSite !== undefined) return { name, ...claimingSite, claim: claimingSite.site.claims!.hostname! }
        return yield* new CustomHostnameNotFound({ message: `No site has the hostname ${hostname.slice(0, 200)}` })
      })

      return CustomHostnames.of({
        get: Effect.fn("CustomHostnames.get")(function* (hostname) {
          const { name, site, claim } = yield* resolveHostname(hostname)
          return {
            object: "custom-hostname",
            hostname: name,
            target: { type: "site", site: site.id },
            isActive: claim === undefined && site.published,
            ...(claim === undefined
              ? { status: "dns_passed" as const }
              : { pending: proofs.present(site.organization, "hostname", claim) }),
            urls: { location: `${publicUrl}/v1/custom-hostnames/${name}` }
          }
        }),

        prove: Effect.fn("CustomHostnames.prove")(function* (hostname) {
          const { name, site, member, claim } = yield* resolveHostname(hostname)
          if (!member.admin) {
            return yield* new Forbidden({
              message: "To prove a hostname, you must be an administrator of the organization"
            })
          }
          if (claim === undefined) {
            return yield* new HostnameProven({ message: `${name} is the site's own: there is nothing to prove` })
          }
          yield* claiming.check(site.id, "hostname", name)
        }),

        remove: Effect.fn("CustomHostnames.remove")(
          function* (hostname) {
            const { site } = yield* resolveHostname(hostname)
            yield* sites.update(site.organization, site.id, { hostname: null })
          },
          Effect.catchTag(["CustomHostnameNotFound", "SiteNotFound"], () => Effect.void),
          Effect.catchTag(["AddressTaken", "InvalidInput"], Effect.die)
        )
      })
    })
  )
}
