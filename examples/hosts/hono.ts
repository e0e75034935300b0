/**
 * A site at `/help` and the API at `/api/lectern` of a Hono application. On other runtimes, only the last lines differ.
 *
 *     PORT=3000 node examples/hosts/hono.ts
 */
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { apiHandler } from "@lectern/http/fetch"
import { siteHandler } from "@lectern/site/fetch"
import { openHelp } from "./help.ts"

const { lectern, site } = await openHelp()
const sites = await siteHandler(lectern, { site, at: "/help" })
const api = await apiHandler(lectern, { at: "/api/lectern" })

const app = new Hono()
app.use(async ({ req }, next) => (await sites.fetch(req.raw)) ?? (await api.fetch(req.raw)) ?? next())
app.get("/", (context) => context.text("The application's own page\n"))

export const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000) }, ({ port }) => {
  console.log(`http://localhost:${port}/help`)
})
