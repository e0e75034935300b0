/**
 * Serves Lectern's API from the `node:http` server of an application, next to the application's own routes.
 * Authentication uses the application's sessions. A client calls the API.
 *
 *     node examples/embed-in-node-http.ts [lectern.db]
 */
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { connect, RequestRefused } from "@lectern/http/client"
import { apiHandler } from "@lectern/http/fetch"
import { toNodeHandler } from "@lectern/http/node"
import { NodeExchange } from "@lectern/services-node/NodeExchange"
import { NodeServices } from "@lectern/services-node/NodeServices"

/** Sessions of the application: the user's id by cookie value. */
const sessions = new Map<string, string>()

/** Returns the user of a request. Requests that other websites cause carry the cookies too, and count as anonymous. */
const authenticate = ({ headers }: Request): string | undefined =>
  headers.get("sec-fetch-site") === "cross-site"
    ? undefined
    : sessions.get(/(?:^|; )session=(\w+)/.exec(headers.get("cookie") ?? "")?.[1] ?? "")

const serve = async (lectern: EmbeddedLectern<Exchange.Exchange>, port: number) => {
  const api = await apiHandler(lectern, { authenticate })
  const handle = toNodeHandler(api)
  const server = createServer((message, response) => {
    if (message.url === "/") response.end("The application's own page\n")
    else void handle(message, response)
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`,
    close: async () => {
      server.close()
      await api.close()
      server.closeAllConnections()
    }
  }
}

const use = async (lectern: EmbeddedLectern, url: string) => {
  const { id: ada } = await lectern.users.create({ email: "ada@example.com", displayName: "Ada" })
  const { id: organizationId } = await lectern.organizations.create({ title: "Acme" }, ada)
  const { token } = await lectern.tokens.create(ada)

  console.log((await (await fetch(url)).text()).trim())

  sessions.set("4f1a", ada)
  const signedIn = await fetch(`${url}/v1/user`, { headers: { cookie: "session=4f1a" } })
  console.log(`Signed in as ${((await signedIn.json()) as { readonly displayName: string }).displayName}`)

  const client = connect({ baseUrl: url, token })
  const space = await client.spaces.create({ params: { organizationId }, payload: { title: "Handbook" } })
  const spaceId = space.id
  const draft = await client.changeRequests.create({ params: { spaceId }, payload: { subject: "A first page" } })
  const params = { spaceId, changeRequestId: draft.id }
  await client.changeRequests.write({
    params,
    payload: {
      changes: [
        {
          operation: "insert_page",
          title: "Welcome",
          document: { markdown: "# Welcome\n\nIt is good that you are here.\n" }
        }
      ]
    }
  })
  const { result } = await client.changeRequests.merge({ params })
  console.log(`${space.title}: #${draft.number} "${draft.subject}" answered ${result}`)

  const { pages } = await client.spaceContent.pages({ params: { spaceId } })
  for (const { id: pageId } of pages) {
    const page = await client.spaceContent.page({ params: { spaceId, pageId } })
    console.log("markdown" in page ? page.markdown : page.title)
  }

  const { items } = await client.search.space({ params: { spaceId }, query: { query: "good that you are h" } })
  for (const { title, sections } of items) console.log(`Found in ${title}: ${sections[0]?.body}`)

  await connect({ baseUrl: url, token: "wrong" })
    .spaces.get({ params: { spaceId } })
    .catch((error: unknown) => {
      if (!(error instanceof RequestRefused)) throw error
      console.log(`${error.status}: ${error.message}`)
    })
}

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")

for (const lectern of [
  await SqliteLectern.open({ file, ...NodeServices.layers(), extensions: [NodeExchange.extension()] }),
  await MemoryLectern.open({ extensions: [Exchange.extension()] })
]) {
  const server = await serve(lectern, 0)
  await use(lectern, server.url)
  await server.close()
  await lectern.close()
}
