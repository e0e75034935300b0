/** Shows which site a hostname is of, to those who may see that site, and takes it from the site. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { type CustomHostname, CustomHostnameNotFound } from "./CustomHostname.ts"
import { SiteAddresses } from "./SiteAddresses.ts"
import { type SeenSite, type SiteAction, SitePolicy } from "./SitePolicy.ts"
import { Sites } from "./Sites.ts"
import { SiteStore } from "./SiteStore.ts"
import type { StorageError } from "../storage/Storage.ts"

export class CustomHostnames extends Context.Service<
  CustomHostnames,
  {
    readonly get: (
      hostname: string
    ) => Effect.Effect<CustomHostname, CustomHostnameNotFound | Forbidden | StorageError, CurrentActor>
    /** One that no site has counts as removed. */
    readonly remove: (hostname: string) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/site/CustomHostnames") {
  static readonly layer = Layer.effect(
    CustomHostnames,
    Effect.gen(function* () {
      const addresses = yield* SiteAddresses
      const store = yield* SiteStore
      const policy = yield* SitePolicy
      const sites = yield* Sites
      const publicUrl = yield* PublicUrl

      const require = Effect.fnUntraced(function* (hostname: string, action: SiteAction) {
        const absent = new CustomHostnameNotFound({ message: `No site has the hostname ${hostname.slice(0, 200)}` })
        const name = hostname.toLowerCase()
        const address = (yield* addresses.atHost(name)).find((row) => row.kind === "hostname" && row.current)
        const kept = address && (yield* store.get(address.site))
        if (kept === undefined) return yield* absent
        const { organization, id } = kept.site
        const seen: SeenSite = yield* policy
          .require(organization, id, action)
          .pipe(Effect.catchTag("SiteNotFound", () => absent))
        return seen
      })

      return CustomHostnames.of({
        get: Effect.fn("CustomHostnames.get")(function* (hostname) {
          const { site } = yield* require(hostname, "see this site")
          return {
            object: "custom-hostname",
            hostname: site.hostname!,
            target: { type: "site", site: site.id },
            isActive: site.published,
            urls: { location: `${publicUrl}/v1/custom-hostnames/${site.hostname}` }
          }
        }),

        remove: Effect.fn("CustomHostnames.remove")(
          function* (hostname) {
            const { site } = yield* require(hostname, "see this site")
            yield* sites.update(site.organization, site.id, { hostname: null })
          },
          Effect.catchTag(["CustomHostnameNotFound", "SiteNotFound"], () => Effect.void),
          Effect.catchTag(["AddressTaken", "InvalidInput", "SiteSectionNotFound", "SiteSpaceNotFound"], Effect.die)
        )
      })
    })
  )
}
