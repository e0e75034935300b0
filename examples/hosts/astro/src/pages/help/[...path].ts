/** A site at `/help` of an Astro application with an adapter for a server. */
import { siteHandler } from "@lectern/site/fetch"
import { openHelp } from "../../../../help.ts"

/** `APIRoute` of `astro`. */
type ApiRoute = (context: { readonly request: Request }) => Promise<Response>

const { lectern, site } = await openHelp()
const sites = await siteHandler(lectern, { site, at: "/help" })

export const prerender = false

export const ALL: ApiRoute = async ({ request }) => (await sites.fetch(request)) ?? new Response(null, { status: 404 })
