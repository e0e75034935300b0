/**
 * A site at `/help` and the API at `/api/lectern` of a server of Deno.
 *
 *     deno run --allow-all examples/hosts/deno.ts
 */
import { apiHandler } from "@lectern/http/fetch"
import { siteHandler } from "@lectern/site/fetch"
import { openHelp } from "./help.ts"

/** Types of Deno, which Deno knows without a package. */
declare const Deno: {
  readonly serve: (
    options: { readonly port: number },
    fetch: (request: Request) => Promise<Response>
  ) => { readonly addr: { readonly port: number } }
}

const { lectern, site } = await openHelp()
const sites = await siteHandler(lectern, { site, at: "/help" })
const api = await apiHandler(lectern, { at: "/api/lectern" })

const server = Deno.serve(
  { port: 3000 },
  async (request) =>
    (await sites.fetch(request)) ?? (await api.fetch(request)) ?? new Response("The application's own page\n")
)
console.log(`http://localhost:${server.addr.port}/help`)
