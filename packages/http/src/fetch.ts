/**
 * The whole HTTP API as one function from `Request` to `Response`, for hosts that use these types (Hono, Next and
 * others) and for tests without a network.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db", extensions: [Exchange.extension()] })
 * const http = await fetchHandler(lectern)
 * app.mount("/", http.fetch)
 * ```
 *
 * Paths start with `/v1/`, `/healthz` and so on. A host that mounts the handler below another path removes
 * this prefix first and includes it in `publicUrl`.
 *
 * A request is authenticated by a token of Lectern, or by the host, which knows its own users:
 *
 * ```ts
 * const http = await fetchHandler(lectern, { authenticate: async (request) => (await sessionOf(request))?.userId })
 * ```
 *
 * `close` waits until running requests have responses. Later requests are answered with 503. Lectern itself stays open.
 * A client that disconnects interrupts its request.
 */
import type { Actor } from "@lectern/core/access/Actor"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import type { LecternServices } from "@lectern/core/Lectern"
import type { Exchange, ExchangeServices } from "@lectern/exchange/Exchange"
import { RunningCalls } from "@lectern/core/RunningCalls"
import { UserId } from "@lectern/core/user/User"
import { Effect, type Scope } from "effect"
import { type Authenticate, HostAuthentication } from "./server/HostAuthentication.ts"
import * as HttpApp from "./server/HttpApp.ts"
import * as WebHandler from "./server/WebHandler.ts"

export interface FetchHandler {
  readonly fetch: (request: Request) => Promise<Response>
  readonly close: () => Promise<void>
}

export interface FetchOptions {
  /**
   * Identifies the sender of a request by the application's own sign-in, as the id of a user or an actor. `undefined`
   * falls back to the token of the request. Called at most once per request, and only if the sender matters; the body
   * may already be consumed. An exception or a rejection becomes a 500 response. A host that authenticates by cookies
   * must reject cross-site requests itself.
   */
  readonly authenticate?: (request: Request) => string | Actor | undefined | Promise<string | Actor | undefined>
}

/** Creates the handler. It is closed with the scope. */
export const make: Effect.Effect<FetchHandler, never, LecternServices | ExchangeServices | Scope.Scope> = Effect.gen(
  function* () {
    const respond = yield* WebHandler.make(yield* HttpApp.make)
    const runningCalls = new RunningCalls()

    const fetch = (request: Request): Promise<Response> =>
      runningCalls.isClosed ? Promise.resolve(unavailable()) : runningCalls.add(respond(request))
    const close = () => runningCalls.close()
    yield* Effect.addFinalizer(() => Effect.promise(close))
    return { fetch, close }
  }
)

/** Creates the handler for an instance that was opened without Effect. */
export const fetchHandler = (
  lectern: EmbeddedLectern<Exchange>,
  { authenticate }: FetchOptions = {}
): Promise<FetchHandler> =>
  lectern.run(
    authenticate === undefined ? make : Effect.provideService(make, HostAuthentication, authenticatedBy(authenticate))
  )

const authenticatedBy =
  (authenticate: NonNullable<FetchOptions["authenticate"]>): Authenticate =>
  ({ source }) =>
    Effect.map(
      // A failure of the host is a defect: it is logged and not disclosed to the client.
      Effect.promise(async () => authenticate(source as Request)),
      (actor) => (typeof actor === "string" ? { type: "user", user: UserId.make(actor) } : actor)
    )

const unavailable = () =>
  Response.json(
    { error: { code: 503, message: "The server is stopping" } },
    { status: 503, headers: { connection: "close" } }
  )
