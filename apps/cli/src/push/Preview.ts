/** URL of a preview of a change request, on the first site that has its space. */
import { Effect } from "effect"
import type { CommandFailed } from "../CommandFailed.ts"
import type { RequestRefused, ServerApi } from "./ServerApi.ts"

interface Items<A> {
  readonly items: ReadonlyArray<A>
}

interface SiteSpace {
  readonly id: string
  readonly space: { readonly id: string }
}

/** Maximum number of sites that are searched for the space. */
const maxSites = 50

/** Returns the URL. Undefined if no site has the space, or if the token may not see sites. */
export const previewUrl = (
  api: ServerApi,
  space: string,
  changeRequest: { readonly number: number }
): Effect.Effect<string | undefined, CommandFailed> =>
  Effect.gen(function* (): Effect.fn.Return<string | undefined, RequestRefused | CommandFailed> {
    const { organization } = yield* api.json<{ readonly organization: string }>(`/spaces/${encodeURIComponent(space)}`)
    const sitesPath = `/orgs/${encodeURIComponent(organization)}/sites`
    const sites = yield* api.json<Items<{ readonly id: string }>>(`${sitesPath}?limit=${maxSites}`)
    for (const site of sites.items) {
      const sitePath = `${sitesPath}/${encodeURIComponent(site.id)}`
      const { items } = yield* api.json<Items<SiteSpace>>(`${sitePath}/site-spaces?limit=1000`)
      const siteSpace = items.find((one) => one.space.id === space)
      if (siteSpace === undefined) continue
      const query = new URLSearchParams({ siteSpace: siteSpace.id, target: `/~/changes/${changeRequest.number}/` })
      return (yield* api.json<{ readonly url: string }>(`${sitePath}/publishing/preview?${query}`)).url
    }
    return undefined
  }).pipe(Effect.catchTag("RequestRefused", () => Effect.undefined))
