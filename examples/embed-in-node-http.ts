/**
 * Serves Lectern's API from the `node:http` server of an application, next to the application's own routes.
 * Authentication uses the application's sessions. A client calls the API.
 *
 *     node examples/embed-in-node-http.ts [lectern.db]
 */
import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { connect, RequestRefused } from "@lectern/http/client"
import { fetchHandler } from "@lectern/http/fetch"
import { NodeExchange } from "@lectern/services-node/NodeExchange"
import { NodeServices } from "@lectern/services-node/NodeServices"

/** Passes a request of `node:http` to a handler of `Request` and `Response`, and sends the handler's response. */
const answerWith = async (
  handler: (request: Request) => Promise<Response>,
  message: IncomingMessage,
  response: ServerResponse
) => {
  const hungUp = new AbortController()
  response.once("close", () => hungUp.abort())
  const hasBody = message.method !== "GET" && message.method !== "HEAD"
  const answer = await handler(
    new Request(`http://localhost${message.url}`, {
      method: message.method ?? "GET",
      headers: Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value])
      ),
      signal: hungUp.signal,
      ...(hasBody && { body: Readable.toWeb(message) as ReadableStream, duplex: "half" })
    })
  )
  response.writeHead(answer.status, [...answer.headers].flat())
  if (answer.body === null) response.end()
  else await pipeline(Readable.fromWeb(answer.body as import("node:stream/web").ReadableStream), response)
}

/** Sessions of the application: the user's id by cookie value. */
const sessions = new Map<string, string>()

/** Returns the user of a request. Requests that other websites cause carry the cookies too, and count as anonymous. */
const authenticate = ({ headers }: Request): string | undefined =>
  headers.get("sec-fetch-site") === "cross-site"
    ? undefined
    : sessions.get(/(?:^|; )session=(\w+)/.exec(headers.get("cookie") ?? "")?.[1] ?? "")

const serve = async (lectern: EmbeddedLectern<Exchange.Exchange>, port: number) => {
  const http = await fetchHandler(lectern, { authenticate })
  const server = createServer((message, response) => {
    if (message.url === "/") {
      response.end("The application's own page\n")
      return
    }
    answerWith(http.fetch, message, response).catch(() => response.destroy())
  })
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`,
    close: async () => {
      server.close()
      await http.close()
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
