/**
 * The HTTP server of the process. It listens at once, so a port that is taken is known before
 * anything is written; requests that come before the application is there wait for it.
 *
 * Requests that come behind one another on a connection, without waiting for answers, are begun in turn.
 *
 * By default a connection stays open for 75 seconds after its last request: longer than a proxy in front keeps
 * it (60), so that none sends a request down a connection that is being closed.
 *
 * When its scope is closed it takes no more connections, hangs up on whoever asks for nothing, and waits for the
 * requests that run, for at most 8 seconds, then hangs up on them, too. Answers that begin meanwhile say that their
 * connection is closed.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse
} from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { Socket } from "node:net"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Seldom } from "@lectern/core/moment/Seldom"
import { Ids } from "@lectern/core/identity/Ids"
import type { HttpApp } from "@lectern/http/server/HttpApp"
import { type ResponseWithHeaders, wireResponse } from "@lectern/http/server/WireResponse"
import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { runSoon } from "@lectern/core/thread/FairScheduler"
import { Cause, Context, Effect, type Fiber, FiberSet, type Scope, Stream } from "effect"
import { Cookies, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { CommandFailed } from "./CommandFailed.ts"
import * as Certificate from "./edge/Certificate.ts"
import type { CertificateFiles } from "./edge/Certificate.ts"
import { clientAddress, fromClient, type TrustedProxies } from "./edge/ClientAddress.ts"
import * as Connections from "./edge/Connections.ts"
import * as PassedSockets from "./edge/PassedSockets.ts"
import * as StalledReaders from "./edge/StalledReaders.ts"
import * as UnixSocket from "./edge/UnixSocket.ts"
import * as Unreadable from "./Unreadable.ts"

const patience = 8_000

/** A place to listen at: a port of an address, a Unix socket, or the descriptor of what was opened for it. */
export type Address =
  | { readonly host: string; readonly port: number }
  | { readonly socket: string }
  | { readonly descriptor: number }

/** Times in milliseconds. */
export interface Limits {
  /** Until the headers of a request are there. */
  readonly headers: number
  /** Until all of it is there, and until something of an answer is taken. */
  readonly request: number
  /** Until a connection is closed that asks for nothing more. */
  readonly idle: number
  /** Connections that one address holds open; 0: no limit. */
  readonly connectionsPerAddress: number
}

/** Rules for callers before they have asked for anything: whose word counts, and how much they may hold. */
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
  /** Speaks TLS with it. */
  readonly certificate?: CertificateFiles
}

/** The address at which it is reached. */
export type Bound = Exclude<Address, { readonly descriptor: number }>

/** Answers to requests before Effect begins, or with as little of it as can be. */
export type Ahead = Pick<HttpApp, "cached" | "handleShort">

const nothingAhead: Ahead = { cached: undefined, handleShort: () => undefined }

export interface Listener {
  readonly at: Bound
  /** From here on requests are answered by this; ahead of it, by what is known to answer them sooner (default: nothing). */
  readonly serve: <E>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest | Scope.Scope>,
    ahead?: Ahead
  ) => Effect.Effect<void, never, Scope.Scope>
}

export const make = Effect.fnUntraced(function* ({ at, edge = defaultEdge, certificate }: ListenerOptions) {
  const { limits, trusted } = edge
  const stopping = { hasBegun: false }
  const options = {
    ServerResponse: responseOf(stopping),
    keepAliveTimeout: limits.idle,
    requestTimeout: limits.request,
    headersTimeout: limits.headers,
    connectionsCheckingInterval: Math.min(limits.headers, limits.request, 30_000),
    // What names no host is refused with the one error body, where all others are.
    requireHostHeader: false
  }
  const node = certificate === undefined ? createServer(options) : yield* speakTls(certificate, options)
  yield* boundConnections(node, edge)
  const open = Connections.openOf(node)
  yield* Effect.acquireRelease(
    Effect.sync(() => StalledReaders.hangUp(open, limits.request)),
    (end) => Effect.sync(end)
  )
  if ("socket" in at) yield* UnixSocket.makeRoom(at.socket)
  if ("descriptor" in at) PassedSockets.tellAddress(node, at.descriptor)
  const process = yield* Effect.flatMap(Ids, (ids) => ids.next).pipe(Effect.provide(Ids.layer))
  let unreadable = 0
  const nextId = () => `${process}-${(unreadable++).toString(36)}`
  const refuse = Unreadable.answer(node, nextId)
  const waiting: Array<Parameters<typeof hold>> = []
  const hold = (
    ...request: [request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse]
  ) => {
    waiting.push(request)
  }
  node.on("request", hold)
  const server = yield* NodeHttpServer.make(() => node, {
    ...listenOptions(at),
    gracefulShutdownTimeout: patience + 1_000
  }).pipe(Effect.mapError(({ cause }) => new CommandFailed({ message: sentence(cause, at) })))
  if ("socket" in at) UnixSocket.share(at.socket)
  // Where there never is an application, those that wait for it would hold up the end.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const [request] of waiting.splice(0)) request.destroy()
    })
  )
  return {
    at: boundOf(node, at),
    serve: Effect.fnUntraced(
      function* (app, ahead = nothingAhead) {
        // Made ahead of those of the server, so that at the end they are waited for as long as all others.
        const run = yield* FiberSet.makeRuntime()
        yield* server.serve(
          Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
            const asClient = fromClient(trusted, request)
            return asClient === request
              ? app
              : Effect.provideService(app, HttpServerRequest.HttpServerRequest, asClient)
          })
        )
        node.off("request", hold)
        answerAhead(node, ahead, refuse, trusted, run)
        for (const request of waiting.splice(0)) node.emit("request", ...request)
        yield* Effect.addFinalizer(() => Effect.sync(() => hangUp(node, open, stopping)))
      },
      Effect.updateContext((context: Context.Context<Scope.Scope>) => aroundRequests(context))
    )
  } satisfies Listener
})

/** Services of the command line, which no request asks for. */
const ofCommandLine = /^~?effect\/(cli|FileSystem|Path|Stdio|Terminal|process|Layer)\b/

/**
 * Each request is copied what is around it, so that is little. And more is put around it than a context takes before
 * it is copied once more.
 */
const aroundRequests = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map(Array.from(context.mapUnsafe).filter(([key]) => !ofCommandLine.test(key))), {
    maxDepth: 16
  })

/** Before anything else is asked. */
const answerAhead = (
  node: Server,
  { cached, handleShort }: Ahead,
  refuse: Unreadable.Refuse,
  trusted: TrustedProxies,
  run: Run
) => {
  const addressOf = ({ socket, headers }: IncomingMessage) =>
    clientAddress(trusted, socket.remoteAddress, headers as { readonly [name: string]: string | undefined })
  const answers = node.listeners("request") as ReadonlyArray<unknown> as ReadonlyArray<RequestListener>
  node.removeAllListeners("request")
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = Unreadable.refusalOf(request)
    if (refusal !== undefined) return refuse(request, refusal)
    const address = () => addressOf(request)
    const found = cached?.(request, request, address)
    if (found !== undefined) return void response.writeHead(found.status, found.headers).end(found.body)
    // Limits the requests that start in one turn of the event loop: requests that arrive after its time slice start in
    // a later turn.
    runSoon(() => {
      if (response.destroyed) return
      const answer = handleShort(request, request, address)
      if (answer !== undefined) return answerShort(request, response, answer, run)
      for (const answer of answers) answer(request, response)
    })
  }
  node.on("request", (request, response) => {
    // It came behind another on its connection, and may be about what that one writes. In its turn it gets the socket.
    if (response.socket === null) response.once("socket", () => process.nextTick(begin, request, response))
    else begin(request, response)
  })
}

type Run = (answer: Effect.Effect<void>) => Fiber.Fiber<void>

/** One of which nobody waits for the answer is given up. */
const answerShort = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: NonNullable<ReturnType<HttpApp["handleShort"]>>,
  run: Run
) => {
  const begin = (body: Uint8Array) => {
    const sent = Effect.flatMap(answer(body), (answered) => send(response, answered))
    const fiber = run(Effect.catchCause(sent, (cause) => broken(response, cause)))
    if (fiber.pollUnsafe() === undefined) response.on("close", () => fiber.interruptUnsafe())
  }
  if (Number(request.headers["content-length"] ?? 0) === 0) return begin(nothing)
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => begin(parts.length === 1 ? parts[0]! : Buffer.concat(parts)))
}

/** A body that is streamed is made no faster than its client takes it. */
const send = (
  response: ServerResponse,
  { response: answer, headers: more }: ResponseWithHeaders
): Effect.Effect<void> => {
  const { status, headers, body } = wireResponse(answer, more)
  const { cookies } = answer
  const set = Cookies.isEmpty(cookies) ? undefined : { "set-cookie": Cookies.toSetCookieHeaders(cookies) }
  response.writeHead(status, set === undefined ? headers : { ...headers, ...set })
  if (answer.body._tag !== "Stream") return Effect.sync(() => void response.end(body))
  return answer.body.stream.pipe(
    Stream.runForEach((part) => (response.write(part) ? Effect.void : drained(response))),
    Effect.orDie,
    Effect.map(() => void response.end())
  )
}

const drained = (response: ServerResponse) =>
  Effect.callback<void>((resume) => {
    response.once("drain", () => resume(Effect.void))
  })

/** Its client is to know that this is not all of it. */
const broken = (response: ServerResponse, cause: Cause.Cause<never>) =>
  Effect.andThen(
    Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("An answer could not be sent", cause),
    Effect.sync(() => void response.destroy())
  )

const nothing = new Uint8Array(0)

interface Stopping {
  hasBegun: boolean
}

/** Answers tell their clients once the end has begun: what is asked next on such a connection would be lost. */
const responseOf = (stopping: Stopping): typeof ServerResponse =>
  class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...given: readonly [statusCode: number]): this {
      if (stopping.hasBegun) this.shouldKeepAlive = false
      return super.writeHead(...given)
    }
  }

/** A connection that is kept alive, or was never used, would hold up the end until its client lets go of it. */
const hangUp = (node: Server, open: ReadonlySet<Socket>, stopping: Stopping) => {
  stopping.hasBegun = true
  let looks = 0
  const idle = setInterval(() => {
    node.closeIdleConnections()
    // To Node one in which nothing was said is not idle. What had come by the first look is read by the second.
    if (looks++ > 0) for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }, 50)
  const all = setTimeout(() => {
    for (const socket of open) socket.destroy()
  }, patience)
  node.once("close", () => {
    clearInterval(idle)
    clearTimeout(all)
  })
}

/** A server for TLS, whose certificate is read again when it changes. */
const speakTls = Effect.fnUntraced(function* (
  files: CertificateFiles,
  options: ServerOptions & { readonly headersTimeout: number }
) {
  const pem = yield* Certificate.read(files)
  const server = createSecureServer({ ...options, handshakeTimeout: options.headersTimeout, ...pem })
  yield* Certificate.keepFresh(files, pem, (fresh) => server.setSecureContext(fresh))
  // What it has beyond a server of HTTP is of no interest here.
  return server as unknown as Server
})

const boundConnections = Effect.fnUntraced(function* (node: Server, { limits, trusted }: Edge) {
  const run = yield* FiberSet.makeRuntime()
  const seldom = new Seldom("1 minute")
  Connections.bound(node, limits.connectionsPerAddress, trusted.proxies, (address) => {
    if (!seldom.isDue(performance.now())) return
    run(
      Effect.logWarning(
        `${address} holds ${limits.connectionsPerAddress} connections open, and gets no more. ` +
          "If it is a proxy of yours, name it in LECTERN_TRUSTED_PROXIES"
      )
    )
  })
})

const listenOptions = (at: Address) =>
  "socket" in at ? { path: at.socket } : "descriptor" in at ? { fd: at.descriptor } : { host: at.host, port: at.port }

const boundOf = (node: Server, at: Address): Bound => {
  const address = node.address()
  if (typeof address === "string") return { socket: address }
  if ("host" in at) return { host: at.host, port: address?.port ?? at.port }
  return { host: address?.address ?? "", port: address?.port ?? 0 }
}

const sentence = (cause: unknown, at: Address): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"
  if ("socket" in at) return `The server can't listen at the socket ${at.socket}: ${fileErrorReason(cause)}`
  if ("descriptor" in at) return `The server can't listen at the descriptor ${at.descriptor} that it was given: ${code}`
  const { host, port } = at
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop what listens there, or choose another --port`
  if (code === "EACCES") return `Port ${port} on ${host} can't be listened on: permission denied`
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `There is no address ${host} on this machine to listen on`
  return `The server can't listen on ${host}, port ${port}: ${code}`
}
