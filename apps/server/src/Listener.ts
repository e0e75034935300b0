/**
 * HTTP server of the process. It listens at once, so that a port in use is reported before data is written. Requests
 * that arrive before the application is ready wait for it.
 *
 * Pipelined requests of a connection are handled one after another.
 *
 * An idle connection closes after 75 seconds (the default). Most proxies close idle connections after 60 seconds, so they
 * never send a request on a connection that the server is closing.
 *
 * When its scope closes, the server accepts no more connections, closes idle ones, and waits up to 8 seconds for running
 * requests before it closes their connections. Responses that start meanwhile announce `Connection: close`. Streams of
 * server-sent events end at once, since they have no end of their own.
 */
import { createServer, type IncomingMessage, type Server, type ServerOptions, ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { Socket } from "node:net"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Throttle } from "@lectern/core/time/Throttle"
import { Ids } from "@lectern/core/identity/Ids"
import type { Respond } from "@lectern/http/server/HttpApp"
import { type ResponseWithHeaders, wireResponse } from "@lectern/http/server/WireResponse"
import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { runSoon } from "@lectern/core/thread/FairScheduler"
import { Cause, Context, Effect, type Fiber, FiberSet, type Scope, Stream } from "effect"
import { Cookies } from "effect/http"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import * as Certificate from "./edge/Certificate.ts"
import type { CertificateFiles } from "./edge/Certificate.ts"
import type { TrustedProxies } from "./edge/ClientAddress.ts"
import * as Connections from "./edge/Connections.ts"
import { discardUnread, NodeRequest } from "./edge/NodeRequest.ts"
import * as PassedSockets from "./edge/PassedSockets.ts"
import * as StalledReaders from "./edge/StalledReaders.ts"
import * as UnixSocket from "./edge/UnixSocket.ts"
import * as UnreadableRequests from "./UnreadableRequests.ts"

const stopTimeout = 8_000

/** Address to listen at: host and port, the path of a Unix socket, or the descriptor of an open socket. */
export type Address =
  | { readonly host: string; readonly port: number }
  | { readonly socket: string }
  | { readonly descriptor: number }

/** Times in milliseconds. */
export interface Limits {
  /** Maximum time until the headers of a request are complete. */
  readonly headers: number
  /** Maximum time until a request is complete, and maximum time in which a client reads nothing of its response. */
  readonly request: number
  /** Time after which an idle connection is closed. */
  readonly idle: number
  /** Maximum number of open connections of one client address. 0 = no limit. */
  readonly connectionsPerAddress: number
}

/** Rules for clients that apply before a request: trusted proxies, timeouts, and connection limits. */
export interface Edge {
  readonly trusted: TrustedProxies
  readonly limits: Limits
}

export const defaultEdge: Edge = {
  trusted: { proxies: new AddressRanges([]), header: "x-forwarded-for" },
  limits: { headers: 60_000, request: 300_000, idle: 75_000, connectionsPerAddress: 1_000 }
}

export interface ListenerOptions {
  readonly at: Address
  readonly edge?: Edge
  /** Certificate of a server that uses TLS. */
  readonly certificate?: CertificateFiles
}

/** Address at which the server can be reached. */
export type BoundAddress = Exclude<Address, { readonly descriptor: number }>

export interface Listener {
  readonly at: BoundAddress
  /** Starts to pass requests to an application. */
  readonly serve: (respond: Respond) => Effect.Effect<void, never, Scope.Scope>
}

export const make = Effect.fnUntraced(function* ({ at, edge = defaultEdge, certificate }: ListenerOptions) {
  const { limits, trusted } = edge
  const stopping: Stopping = { isStopping: false, eventStreams: new Set() }
  const options = {
    ServerResponse: responseOf(stopping),
    keepAliveTimeout: limits.idle,
    requestTimeout: limits.request,
    headersTimeout: limits.headers,
    connectionsCheckingInterval: Math.min(limits.headers, limits.request, 30_000),
    // Node does not reject a request without a Host header. The application rejects it, in the format of all errors.
    requireHostHeader: false
  }
  const node = certificate === undefined ? createServer(options) : yield* createTlsServer(certificate, options)
  yield* boundConnections(node, edge)
  const openSockets = Connections.openConnections(node)
  yield* Effect.acquireRelease(
    Effect.sync(() => StalledReaders.closeStalled(openSockets, limits.request)),
    (end) => Effect.sync(end)
  )
  if ("socket" in at) yield* UnixSocket.removeStale(at.socket)
  if ("descriptor" in at) PassedSockets.reportAddress(node, at.descriptor)
  const process = yield* Effect.flatMap(Ids, (ids) => ids.next).pipe(Effect.provide(Ids.layer))
  let unreadableCount = 0
  const nextId = () => `${process}-${(unreadableCount++).toString(36)}`
  const refuse = UnreadableRequests.handleUnreadable(node, nextId)
  const heldRequests: Array<readonly [IncomingMessage, ServerResponse]> = []
  const hold = (request: IncomingMessage, response: ServerResponse) => {
    heldRequests.push([request, response])
  }
  node.on("request", hold)
  yield* listen(node, at)
  if ("socket" in at) UnixSocket.shareWithGroup(at.socket)
  // Closes the requests that still wait if the start fails, since they would delay the end.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const [request] of heldRequests.splice(0)) request.destroy()
    })
  )
  return {
    at: boundOf(node, at),
    serve: Effect.fnUntraced(
      function* (respond) {
        const run = yield* FiberSet.makeRuntime()
        node.off("request", hold)
        const begin = starter({ respond, refuse, trusted, run, stopping })
        node.on("request", begin)
        for (const request of heldRequests.splice(0)) begin(...request)
        yield* Effect.addFinalizer(() => stop(node, openSockets, stopping))
      },
      Effect.updateContext((context: Context.Context<Scope.Scope>) => requestContext(context))
    )
  } satisfies Listener
})

/** Listens until the scope closes. */
const listen = (node: Server, address: Address) =>
  Effect.acquireRelease(
    Effect.callback<void, CommandFailed>((resume) => {
      const onError = (cause: Error) =>
        resume(Effect.fail(new CommandFailed({ message: listenErrorMessage(cause, address) })))
      node.once("error", onError)
      node.listen(listenOptions(address), () => {
        node.off("error", onError)
        resume(Effect.void)
      })
    }),
    () => closed(node)
  )

/** Accepts no more connections, and waits until all are closed. */
const closed = (node: Server) =>
  Effect.callback<void>((resume) => {
    if (!node.listening) return resume(Effect.void)
    node.close(() => resume(Effect.void))
  })

/** Keys of services of the command line, which requests do not use. */
const commandLineKey = /^~?effect\/(cli|FileSystem|Path|Stdio|Terminal|process|Layer)\b/

/**
 * Returns a small context for requests, since each request copies it. The higher `maxDepth` leaves space for services
 * that are added for each request without another copy.
 */
const requestContext = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(Array.from(context.mapUnsafe).filter(([key]) => !commandLineKey.test(key))), {
    maxDepth: 16
  })

type Run = (request: Effect.Effect<void>) => Fiber.Fiber<void>

interface StarterOptions {
  readonly respond: Respond
  readonly refuse: UnreadableRequests.Refuse
  readonly trusted: TrustedProxies
  readonly run: Run
  readonly stopping: Stopping
}

/** Returns a function that starts a request: it passes the request to the application and sends the response. */
const starter = ({ respond, refuse, trusted, run, stopping }: StarterOptions) => {
  const start = (request: IncomingMessage, response: ServerResponse): void => {
    if (response.destroyed) return
    const result = respond(new NodeRequest(request, trusted))
    if (!Effect.isEffect(result)) {
      return void response.writeHead(result.status, result.headers).end(result.body)
    }
    if (hasBody(request)) discardUnread(request, response)
    const sending = Effect.flatMap(result, (responseWithHeaders) =>
      send(request, response, responseWithHeaders, stopping)
    )
    const fiber = run(Effect.scoped(Effect.catchCause(sending, (cause) => abortResponse(response, cause))))
    // A client that disconnects interrupts its request.
    if (fiber.pollUnsafe() === undefined) response.on("close", () => fiber.interruptUnsafe())
  }
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = UnreadableRequests.refusalOf(request)
    if (refusal !== undefined) return refuse(request, refusal)
    // Limits the requests that start in one turn of the event loop: requests that arrive after its time slice start in
    // a later turn.
    runSoon(() => start(request, response))
  }
  return (request: IncomingMessage, response: ServerResponse): void => {
    // A pipelined request waits, since it may depend on a write of the request before it. Node assigns the socket in turn.
    if (response.socket === null) response.once("socket", () => process.nextTick(begin, request, response))
    else begin(request, response)
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Writes a response. A streamed body is produced at the pace of the client. */
const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { response: source, headers: extraHeaders }: ResponseWithHeaders,
  stopping: Stopping
): Effect.Effect<void> => {
  const { status, headers, body } = wireResponse(source, extraHeaders)
  const { cookies } = source
  const set = Cookies.isEmpty(cookies) ? undefined : { "set-cookie": Cookies.toSetCookieHeaders(cookies) }
  response.writeHead(status, set === undefined ? headers : { ...headers, ...set })
  if (source.body._tag !== "Stream" || request.method === "HEAD") return Effect.sync(() => void response.end(body))
  if (headers["content-type"]?.startsWith("text/event-stream") === true) {
    if (stopping.isStopping) return Effect.sync(() => void response.end())
    stopping.eventStreams.add(response)
    response.on("close", () => stopping.eventStreams.delete(response))
  }
  return source.body.stream.pipe(
    Stream.runForEach((part) => {
      if (response.writableEnded) return Effect.interrupt
      return response.write(part) ? Effect.void : drained(response)
    }),
    Effect.orDie,
    Effect.map(() => void response.end())
  )
}

const drained = (response: ServerResponse) =>
  Effect.callback<void>((resume) => {
    response.once("drain", () => resume(Effect.void))
  })

/** Closes the connection of an incomplete response, so that the client notices. */
const abortResponse = (response: ServerResponse, cause: Cause.Cause<never>) =>
  Effect.andThen(
    Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("A response could not be sent", cause),
    Effect.sync(() => {
      if (!response.writableEnded) response.destroy()
    })
  )

interface Stopping {
  isStopping: boolean
  /** Open responses with server-sent events. */
  readonly eventStreams: Set<ServerResponse>
}

/** Returns a response class that announces `Connection: close` once the server stops. Later requests would be lost. */
const responseOf = (stopping: Stopping): typeof ServerResponse =>
  class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...headArguments: readonly [statusCode: number]): this {
      if (stopping.isStopping) this.shouldKeepAlive = false
      return super.writeHead(...headArguments)
    }
  }

/** Stops a server. Completes when all requests have ended, or after `stopTimeout`, when it closes their connections. */
const stop = (node: Server, openSockets: ReadonlySet<Socket>, stopping: Stopping): Effect.Effect<void> =>
  Effect.suspend(() => {
    closeConnections(node, openSockets, stopping)
    return closed(node)
  })

const closeConnections = (node: Server, openSockets: ReadonlySet<Socket>, stopping: Stopping) => {
  stopping.isStopping = true
  for (const response of stopping.eventStreams) response.end()
  let polls = 0
  const idle = setInterval(() => {
    node.closeIdleConnections()
    // Connections without any request are closed here, since Node does not count them as idle. They stay open at the
    // first poll, because data that arrived before may be unread.
    if (polls++ > 0) for (const socket of openSockets) if (socket.bytesRead === 0) socket.destroy()
  }, 50)
  const closeTimer = setTimeout(() => {
    for (const socket of openSockets) socket.destroy()
  }, stopTimeout)
  node.once("close", () => {
    clearInterval(idle)
    clearTimeout(closeTimer)
  })
}

/** Creates a TLS server that reloads its certificate when the files change. */
const createTlsServer = Effect.fnUntraced(function* (
  files: CertificateFiles,
  options: ServerOptions & { readonly headersTimeout: number }
) {
  const pem = yield* Certificate.read(files)
  const server = createSecureServer({ ...options, handshakeTimeout: options.headersTimeout, ...pem })
  yield* Certificate.watch(files, pem, (renewed) => server.setSecureContext(renewed))
  // The type is cast, since only the methods of an HTTP server are used here.
  return server as unknown as Server
})

const boundConnections = Effect.fnUntraced(function* (node: Server, { limits, trusted }: Edge) {
  const run = yield* FiberSet.makeRuntime()
  const throttle = new Throttle("1 minute")
  Connections.limitConnections(node, limits.connectionsPerAddress, trusted.proxies, (address) => {
    if (!throttle.isDue(performance.now())) return
    run(
      Effect.logWarning(
        `${address} has ${limits.connectionsPerAddress} open connections, the maximum. New ones are refused. ` +
          "If the address is your proxy, add it to LECTERN_TRUSTED_PROXIES"
      )
    )
  })
})

const listenOptions = (address: Address) =>
  "socket" in address
    ? { path: address.socket }
    : "descriptor" in address
      ? { fd: address.descriptor }
      : { host: address.host, port: address.port }

const boundOf = (node: Server, requested: Address): BoundAddress => {
  const address = node.address()
  if (typeof address === "string") return { socket: address }
  if ("host" in requested) return { host: requested.host, port: address?.port ?? requested.port }
  return { host: address?.address ?? "", port: address?.port ?? 0 }
}

const listenErrorMessage = (cause: unknown, address: Address): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"
  if ("socket" in address) return `The server can't listen at the socket ${address.socket}: ${fileErrorReason(cause)}`
  if ("descriptor" in address) return `The server can't listen at the passed descriptor ${address.descriptor}: ${code}`
  const { host, port } = address
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop the process that listens there, or choose another --port`
  if (code === "EACCES") return `Port ${port} on ${host} can't be listened on: permission denied`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `The address ${host} does not exist on this machine`
  return `The server can't listen on ${host}, port ${port}: ${code}`
}
