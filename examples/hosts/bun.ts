/**
 * A site at `/help` and the API at `/api/lectern` of a server of Bun.
 *
 *     bun examples/hosts/bun.ts
 */
import { apiHandler } from "@lectern/http/fetch"
import { siteHandler } from "@lectern/site/fetch"
import { openHelp } from "./help.ts"

/** Types of Bun. An application gets them from `@types/bun`. */
declare const Bun: {
  readonly serve: (options: { readonly port: number; readonly fetch: (request: Request) => Promise<Response> }) => {
    readonly url: URL
  }
}

const { lectern, site } = await openHelp()
const sites = await siteHandler(lectern, { site, at: "/help" })
const api = await apiHandler(lectern, { at: "/api/lectern" })

const server = Bun.serve({
  port: 3000,
  fetch: async (request) =>
    (await sites.fetch(request)) ?? (await api.fetch(request)) ?? new Response("The application's own page\n")
})
console.log(`${server.url.origin}/help`)
