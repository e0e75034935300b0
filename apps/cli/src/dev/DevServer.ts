/**
 * HTTP server of `lectern dev`: the site at the root, and below `/~dev` the script of live reload with its events. The
 * site works at every name and address of this machine.
 *
 * A server on loopback accepts only names of this machine, so no website reaches it through a name of its own that
 * leads here.
 */
import { createServer, type RequestListener } from "node:http"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { toNodeHandler } from "@lectern/http/node"
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
  /** Returns the token of every visitor. Undefined: visitors have no claims. */
  readonly token: () => string | undefined
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
  let startServing: (listener: RequestListener) => void = () => undefined
  const serving = new Promise<RequestListener>((resolve) => (startServing = resolve))
  const server = createServer((request, response) => void serving.then((listener) => listener(request, response)))
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
  const isLocal = SiteHosts.isLoopback(host)
  return { port: boundPort, serve: (options) => startServing(listenerOf(options, isLocal)) }
})

const listenerOf = ({ token, respond, live }: ServeOptions, isLocal: boolean): RequestListener => {
  const handleSite = toNodeHandler({
    fetch: async (request) => {
      if (bodySize(request) > maxBody) return new Response(null, { status: 413 })
      const response = await respond(withSession(request, token()))
      return response === undefined ? noPage() : withoutSession(response)
    }
  })
  return (request, response) => {
    const { url = "/", headers } = request
    if (isLocal && !isLocalName(headers.host ?? ""))
      response.writeHead(421, { "content-type": "text/plain" }).end("This server has only names of this machine\n")
    else if (url.startsWith(LivePages.folder)) live.respond(url, response)
    else void handleSite(request, response)
  }
}

const isLocalName = (host: string): boolean => SiteHosts.isLoopback(host.replace(/:\d+$/, "").toLowerCase())

/** Returns the size of the body in bytes, or infinity if the client did not state it. */
const bodySize = ({ body, headers }: Request): number =>
  body === null ? 0 : Number(headers.get("content-length") ?? Infinity)

const noPage = () => new Response("No such page\n", { status: 404, headers: { "content-type": "text/plain" } })

/** Returns the request with the session of the visitor in place of any other. */
const withSession = (request: Request, token: string | undefined): Request => {
  const headers = new Headers(request.headers)
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/).filter((cookie) => cookie && !isSession(cookie))
  if (token !== undefined) cookies.push(`${sessionCookie}=${token}`)
  headers.delete("cookie")
  if (cookies.length > 0) headers.set("cookie", cookies.join("; "))
  return new Request(request, { headers })
}

const withoutSession = (response: Response): Response => {
  const headers = new Headers(response.headers)
  headers.delete("set-cookie")
  for (const cookie of response.headers.getSetCookie()) if (!isSession(cookie)) headers.append("set-cookie", cookie)
  return new Response(response.body, { status: response.status, headers })
}

const isSession = (cookie: string): boolean => cookie.startsWith(`${sessionCookie}=`)
