/**
 * The HTTP server of the process. It listens at once, so a port that is taken is known before
 * anything is written; requests that come before the application is there wait for it.
 *
 * A connection stays open for 75 seconds after its last request: longer than a proxy in front keeps it
 * by default (60), so that none sends a request down a connection that is being closed.
 *
 * When its scope is closed it takes no more connections and waits for the requests that run, for at
 * most 8 seconds, then hangs up.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Ids } from "@lectern/core/identity/Ids"
import { errorResponse } from "@lectern/http/server/Answers"
import type { HttpApp } from "@lectern/http/server/HttpApp"
import { Effect, type Scope } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { CommandFailed } from "./CommandFailed.ts"
import * as Unreadable from "./Unreadable.ts"

const patience = 8_000
const keepAlive = 75_000

export interface Listener {
  readonly port: number
  /** From here on requests are answered by this, those whose answer is kept (default: none is) by `kept`. */
  readonly serve: <E>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>,
    kept?: HttpApp["kept"]
  ) => Effect.Effect<void, never, Scope.Scope>
}

export const make = Effect.fnUntraced(function* ({
  arriving = 300_000,
  ...options
}: {
  readonly host: string
  readonly port: number
  /** How long a request may take to arrive (ms), its headers at most a minute of it. Default: 5 minutes. */
  readonly arriving?: number
}) {
  const node = createServer({
    keepAliveTimeout: keepAlive,
    requestTimeout: arriving,
    headersTimeout: Math.min(arriving, 60_000),
    connectionsCheckingInterval: Math.min(arriving, 30_000),
    // What names no host is refused with the one error body, where all others are.
    requireHostHeader: false
  })
  const process = yield* Effect.flatMap(Ids, (ids) => ids.next).pipe(Effect.provide(Ids.layer))
  let unreadable = 0
  const nextId = () => `${process}-${(unreadable++).toString(36)}`
  Unreadable.answer(node, nextId)
  const waiting: Array<Parameters<typeof hold>> = []
  const hold = (
    ...request: [request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse]
  ) => {
    waiting.push(request)
  }
  node.on("request", hold)
  const server = yield* NodeHttpServer.make(() => node, { ...options, gracefulShutdownTimeout: patience + 1_000 }).pipe(
    Effect.mapError(({ cause }) => new CommandFailed({ message: sentence(cause, options) }))
  )
  // Where there never is an application, those that wait for it would hold up the end.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const [request] of waiting.splice(0)) request.destroy()
    })
  )
  const address = node.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : options.port,
    serve: Effect.fnUntraced(function* (app, kept?) {
      yield* server.serve(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          namesHost(request) ? app : Effect.sync(() => withoutHost(nextId()))
        )
      )
      node.off("request", hold)
      if (kept !== undefined) answerKept(node, kept)
      for (const request of waiting.splice(0)) node.emit("request", ...request)
      yield* Effect.addFinalizer(() => Effect.sync(() => hangUp(node)))
    })
  } satisfies Listener
})

/** Before anything else is asked. */
const answerKept = (node: Server, kept: NonNullable<HttpApp["kept"]>) => {
  const answers = node.listeners("request") as ReadonlyArray<unknown> as ReadonlyArray<RequestListener>
  node.removeAllListeners("request")
  node.on("request", (request, response) => {
    const found = kept(request)
    if (found !== undefined) response.writeHead(found.status, found.headers).end(found.body)
    else for (const answer of answers) answer(request, response)
  })
}

/** HTTP/1.1 asks for it. */
const namesHost = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  headers["host"] !== undefined || (source as IncomingMessage).httpVersion !== "1.1"

const withoutHost = (requestId: string) =>
  errorResponse(400, "The request names no host", { requestId, headers: { "x-request-id": requestId } })

/** A connection that is kept alive would hold up the end until its client lets go of it. */
const hangUp = (node: Server) => {
  const idle = setInterval(() => node.closeIdleConnections(), 50)
  const all = setTimeout(() => node.closeAllConnections(), patience)
  node.once("close", () => {
    clearInterval(idle)
    clearTimeout(all)
  })
}

const sentence = (cause: unknown, { host, port }: { readonly host: string; readonly port: number }): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop what listens there, or choose another --port`
  if (code === "EACCES") return `Port ${port} on ${host} can't be listened on: permission denied`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `There is no address ${host} on this machine to listen on`
  return `The server can't listen on ${host}, port ${port}: ${code}`
}
