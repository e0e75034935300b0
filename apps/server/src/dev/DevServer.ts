/**
 * HTTP server of `lectern dev`: the site at the root, and below `/~dev` the script of live reload with its events. The
 * site works at every name and address of this machine.
 *
 * A server on loopback accepts only names of this machine, so no website reaches it through a name of its own that
 * leads here.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import * as SiteHosts from "@lectern/site/server/SiteHosts"
import { Effect, Schema, type Scope } from "effect"
import * as LivePages from "./LivePages.ts"

/** The address can't be used. The message states the reason. */
export class AddressUnusable extends Schema.TaggedError<AddressUnusable>()("AddressUnusable", {
  message: Schema.String
}) {}

export interface Listener {
  readonly port: number
  /** Starts to respond. Requests that arrive before wait. */
  readonly serve: (options: ServeOptions) => void
}

export interface ServeOptions {
  /** Token of every visitor. Default: visitors have no claims. */
  readonly token: string | undefined
  readonly respond: (request: Request) => Promise<Response | undefined>
  readonly live: LivePages.LivePages
}

const maxBody = 1024 * 1024
const sessionCookie = "lectern-visitor"

/** Number of ports that are tried. */
const maxPorts = 20

/**
 * Listens until the scope closes. `port` undefined: the first free port from `firstPort`.
 */
export const listen = Effect.fnUntraced(function* (
  host: string,
  port: number | undefined,
  firstPort: number
): Effect.fn.Return<Listener, AddressUnusable, Scope.Scope> {
  let startServing: (options: ServeOptions) => void = () => undefined
  const serving = new Promise<ServeOptions>((resolve) => (startServing = resolve))
  const isLocal = SiteHosts.isLoopback(host)
  const server = createServer((request, response) => {
    void serving
      .then((options) => handle(request, response, options, isLocal))
      // The client disconnected, or the response failed after it started.
      .catch(() => response.destroy())
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  const listenAt = (port: number) =>
    Effect.callback<number, NodeJS.ErrnoException>((resume) => {
      const onError = (error: NodeJS.ErrnoException) => resume(Effect.fail(error))
      server.once("error", onError)
      server.listen(port, host, () => {
        server.off("error", onError)
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
      })
    })
  const listenFrom = (candidate: number): Effect.Effect<number, NodeJS.ErrnoException> =>
    Effect.catch(listenAt(candidate), (error) =>
      port === undefined && error.code === "EADDRINUSE" && candidate < firstPort + maxPorts
        ? listenFrom(candidate + 1)
        : Effect.fail(error)
    )
  const boundPort = yield* Effect.mapError(
    listenFrom(port ?? firstPort),
    (error) =>
      new AddressUnusable({ message: `Port ${port ?? firstPort} of ${host} can't be used: ${fileErrorReason(error)}` })
  )
  return { port: boundPort, serve: startServing }
})

const handle = async (
  request: IncomingMessage,
  response: ServerResponse,
  { token, respond, live }: ServeOptions,
  isLocal: boolean
): Promise<void> => {
  const requestHost = request.headers.host ?? ""
  if (isLocal && !isLocalName(requestHost)) {
    response.writeHead(421, { "content-type": "text/plain" }).end("This server has only names of this machine\n")
    return
  }
  const path = request.url ?? "/"
  if (path.startsWith(LivePages.folder)) return live.respond(path, response)
  const url = URL.parse(`http://${requestHost}${path.startsWith("/") ? path : "/"}`)
  if (url === null) {
    response.writeHead(400).end()
    return
  }
  const method = request.method ?? "GET"
  const body = method === "GET" || method === "HEAD" ? undefined : await bodyOf(request)
  const webRequest = new Request(url, { method, headers: headersOf(request, token), ...(body && { body }) })
  const webResponse = await respond(webRequest)
  if (webResponse === undefined) {
    response.writeHead(404, { "content-type": "text/plain" }).end("No such page\n")
    return
  }
  for (const [name, value] of webResponse.headers) {
    if (name !== "set-cookie") response.setHeader(name, value)
  }
  const cookies = webResponse.headers.getSetCookie().filter((cookie) => !cookie.startsWith(`${sessionCookie}=`))
  if (cookies.length > 0) response.setHeader("set-cookie", cookies)
  response.writeHead(webResponse.status)
  if (webResponse.body === null) response.end()
  else await pipeline(Readable.fromWeb(webResponse.body as ReadableStream), response)
}

const isLocalName = (host: string): boolean => SiteHosts.isLoopback(host.replace(/:\d+$/, "").toLowerCase())

/** Returns the headers of a request, with the session of the visitor in place of any other. */
const headersOf = ({ headers }: IncomingMessage, token: string | undefined): Headers => {
  const webHeaders = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string" && !["connection", "cookie", "host", "transfer-encoding"].includes(name))
      webHeaders.set(name, value)
  }
  const cookies = (headers.cookie ?? "").split(/;\s*/).filter((cookie) => cookie && !cookie.startsWith(sessionCookie))
  if (token !== undefined) cookies.push(`${sessionCookie}=${token}`)
  if (cookies.length > 0) webHeaders.set("cookie", cookies.join("; "))
  return webHeaders
}

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBody) throw new Error("The body is too large")
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
