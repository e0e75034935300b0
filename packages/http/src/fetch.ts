/**
 * The whole HTTP API as one function from `Request` to `Response`, for hosts that use these types (Hono, Bun and
 * others) and for tests without a network. `toNodeHandler` and `toNextHandler` convert it for other servers.
 *
 * ```ts
 * const publicUrl = "https://acme.com/api/lectern"
 * const lectern = await SqliteLectern.open({ file: "lectern.db", publicUrl, extensions: [Exchange.extension()] })
 * const api = await apiHandler(lectern, { at: "/api/lectern" })
 * const response = (await api.fetch(request)) ?? (await ownRoutes(request))
 * ```
 *
 * Paths below `at` start with `/v1/`, `/healthz` and so on. For other paths of the host the result is undefined. Links
 * in responses start with `publicUrl`, so `publicUrl` includes `at`.
 *
 * A request is authenticated by a token of Lectern, or by the host, which knows its own users:
 *
 * ```ts
 * const api = await apiHandler(lectern, { authenticate: async (request) => (await sessionOf(request))?.userId })
 * ```
 *
 * `close` waits until running requests have responses. Later requests are answered with 503. Lectern itself stays open.
 * A client that disconnects interrupts its request.
 */
import type { Actor } from "@lectern/core/access/Actor"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import type { LecternServices } from "@lectern/core/Lectern"
import * as MountPath from "@lectern/core/MountPath"
import type { Exchange, ExchangeServices } from "@lectern/exchange/Exchange"
import { RunningCalls } from "@lectern/core/RunningCalls"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import type { InvalidInput } from "@lectern/core/schema/Input"
import { UserId } from "@lectern/core/user/User"
import { Effect, type Scope } from "effect"
import { type Authenticate, HostAuthentication } from "./server/HostAuthentication.ts"
import * as HttpApp from "./server/HttpApp.ts"
import * as WebHandler from "./server/WebHandler.ts"

export interface ApiHandler<A = Response> {
  readonly fetch: (request: Request) => Promise<A>
  readonly close: () => Promise<void>
}

/** A handler at a path of the host. The result is undefined for other paths. */
export type MountedApiHandler = ApiHandler<Response | undefined>

export interface ApiOptions {
  /** Path of the host at which the API is mounted: `/api/lectern`. Default: `/`. */
  readonly at?: string
  /**
   * Identifies the sender of a request by the application's own sign-in, as the id of a user or an actor. `undefined`
   * falls back to the token of the request. Called at most once per request, and only if the sender matters; the body
   * may already be consumed. An exception or a rejection becomes a 500 response. A host that authenticates by cookies
   * must reject cross-site requests itself.
   */
  readonly authenticate?: (request: Request) => string | Actor | undefined | Promise<string | Actor | undefined>
}

const optionNames: OptionNames<ApiOptions> = { at: true, authenticate: true }

type ApiServices = LecternServices | ExchangeServices | Scope.Scope

/** Creates the handler for the root of a host. It is closed with the scope. */
export const make: Effect.Effect<ApiHandler, never, ApiServices> = Effect.suspend(() => makeAt("/"))

const makeAt = Effect.fnUntraced(function* (basePath: string): Effect.fn.Return<ApiHandler, never, ApiServices> {
  const respond = yield* WebHandler.make(yield* HttpApp.make, basePath)
  const runningCalls = new RunningCalls()

  const fetch = (request: Request): Promise<Response> =>
    runningCalls.isClosed ? Promise.resolve(unavailable()) : runningCalls.add(respond(request))
  const close = () => runningCalls.close()
  yield* Effect.addFinalizer(() => Effect.promise(close))
  return { fetch, close }
})

/** Creates the handler for a path of a host. It is closed with the scope. Fails with `InvalidInput` for another text. */
export const makeMounted = Effect.fnUntraced(function* (
  at: string
): Effect.fn.Return<MountedApiHandler, InvalidInput, ApiServices> {
  const path = yield* MountPath.parse(at)
  const { fetch, close } = yield* makeAt(path.pathname)
  return {
    fetch: (request) =>
      MountPath.contains(path, new URL(request.url).pathname) ? fetch(request) : Promise.resolve(undefined),
    close
  }
})

/**
 * Creates the handler for an instance that was opened without Effect. Rejects with `InvalidInput` if `at` is not a path,
 * and for an unknown option.
 */
export function apiHandler(
  lectern: EmbeddedLectern<Exchange>,
  options: ApiOptions & { readonly at: string }
): Promise<MountedApiHandler>
export function apiHandler(lectern: EmbeddedLectern<Exchange>, options?: Omit<ApiOptions, "at">): Promise<ApiHandler>
export async function apiHandler(
  lectern: EmbeddedLectern<Exchange>,
  options: ApiOptions = {}
): Promise<MountedApiHandler> {
  checkOptions(optionNames, options)
  const { at, authenticate } = options
  const handler: Effect.Effect<MountedApiHandler, InvalidInput, ApiServices> = at === undefined ? make : makeMounted(at)
  return lectern.run(
    authenticate === undefined
      ? handler
      : Effect.provideService(handler, HostAuthentication, authenticatedBy(authenticate))
  )
}

const authenticatedBy =
  (authenticate: NonNullable<ApiOptions["authenticate"]>): Authenticate =>
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
