/** A site at `/help` and the API at `/api/lectern` of a SvelteKit application. */
import { apiHandler } from "@lectern/http/fetch"
import { siteHandler } from "@lectern/site/fetch"
import { openHelp } from "../../help.ts"

/** `Handle` of `@sveltejs/kit`. */
type Handle = <Event extends { readonly request: Request }>(input: {
  readonly event: Event
  readonly resolve: (event: Event) => Response | Promise<Response>
}) => Promise<Response>

const { lectern, site } = await openHelp()
const sites = await siteHandler(lectern, { site, at: "/help" })
const api = await apiHandler(lectern, { at: "/api/lectern" })

export const handle: Handle = async ({ event, resolve }) =>
  (await sites.fetch(event.request)) ?? (await api.fetch(event.request)) ?? resolve(event)
