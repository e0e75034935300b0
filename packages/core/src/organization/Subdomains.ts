/** Finds the organization of a subdomain. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { OrganizationTable } from "./Organization.ts"
import { Organizations } from "./Organizations.ts"
import { type Subdomain, SubdomainNotFound } from "./Subdomain.ts"

export class Subdomains extends Context.Service<
  Subdomains,
  {
    /**
     * Returns the organization that has a subdomain. `SubdomainNotFound` if no organization has it, or if the actor may
     * not see the organization.
     */
    readonly get: (
      subdomain: string
    ) => Effect.Effect<Subdomain, SubdomainNotFound | Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/organization/Subdomains") {
  static readonly layer = Layer.effect(
    Subdomains,
    Effect.gen(function* () {
      const rows = (yield* Storage).repository(OrganizationTable)
      const organizations = yield* Organizations
      const publicUrl = yield* PublicUrl

      return Subdomains.of({
        get: Effect.fn("Subdomains.get")(function* (subdomain) {
          const absent = () =>
            new SubdomainNotFound({ message: `No organization has the subdomain ${subdomain.slice(0, 50)}` })
          const [row] = yield* rows.list({ where: { hostname: subdomain.toLowerCase() } })
          if (row === undefined) return yield* absent()
          const { organization } = yield* organizations
            .require(row.id, "see this organization")
            .pipe(Effect.catchTag("OrganizationNotFound", absent))
          return {
            object: "subdomain",
            subdomain: organization.hostname,
            target: { type: "organization", organization: organization.id },
            isActive: true,
            urls: { location: `${publicUrl}/v1/subdomains/${organization.hostname}` }
          }
        })
      })
    })
  )
}
