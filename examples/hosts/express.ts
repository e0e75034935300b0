/**
 * A site at `/help` and the API at `/api/lectern` of an Express application.
 *
 *     PORT=3000 node examples/hosts/express.ts
 */
import express from "express"
import type { AddressInfo } from "node:net"
import { apiHandler } from "@lectern/http/fetch"
import { toNodeHandler } from "@lectern/http/node"
import { siteHandler } from "@lectern/site/fetch"
import { openHelp } from "./help.ts"

const { lectern, site } = await openHelp()

const app = express()
app.use(toNodeHandler(await siteHandler(lectern, { site, at: "/help" })))
app.use(toNodeHandler(await apiHandler(lectern, { at: "/api/lectern" })))
app.use(express.json())
app.get("/", (_request, response) => {
  response.send("The application's own page\n")
})

export const server = app.listen(Number(process.env["PORT"] ?? 3000), () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}/help`)
})
