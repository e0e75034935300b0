/**
 * A site at `/help` and the API at `/api/lectern` of a Fastify application. The hook runs before Fastify reads the body.
 *
 *     PORT=3000 node examples/hosts/fastify.ts
 */
import { fastify } from "fastify"
import { apiHandler } from "@lectern/http/fetch"
import { toNodeHandler } from "@lectern/http/node"
import { siteHandler } from "@lectern/site/fetch"
import { openHelp } from "./help.ts"

const { lectern, site } = await openHelp()

const app = fastify({ forceCloseConnections: true })
for (const handler of [
  await siteHandler(lectern, { site, at: "/help" }),
  await apiHandler(lectern, { at: "/api/lectern" })
]) {
  const handle = toNodeHandler(handler)
  app.addHook("onRequest", (request, reply, next) => void handle(request.raw, reply.raw, next))
}
app.get("/", () => "The application's own page\n")

export const { server } = app
const url = await app.listen({ port: Number(process.env["PORT"] ?? 3000) })
console.log(`${url}/help`)
