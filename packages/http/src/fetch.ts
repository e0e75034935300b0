/**
 * The whole interface as one function from `Request` to `Response`, for hosts whose server speaks
 * those (Hono, Next and the like) and for tests without a network.
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db" })
 * const http = await fetchHandler(lectern)
 * app.mount("/", http.fetch)
 * ```
 *
 * Paths are those of the interface (`/v1/…`, `/docs`, `/healthz`), so a host that mounts it below
 * another path takes that off before, and says so in `publicUrl`.
 *
 * Who asks is told by a token of Lectern's, or by the host, which knows its own users:
 *
 * ```ts
 * const http = await fetchHandler(lectern, { authenticate: async (request) => (await sessionOf(request))?.userId })
 * ```
 *
 * `close` waits for the requests that run, until their answers begin; whatever comes later is
 * answered 503. It leaves Lectern itself open. A client that hangs up interrupts its request.
 */
import type { Actor } from "@lectern/core/access/Actor"
import type { EmbeddedLectern, LecternServices } from "@lectern/core/EmbeddedLectern"
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
   * Tells who sends a request, as a user's id or an actor, by the application's own sign-in; undefined leaves that to
   * the request's token. Asked once for each request, where it counts, with a request whose body may have been read.
   * Where it throws or rejects, the request is answered 500. A host that goes by cookies has to turn away what other
   * sites send with them.
   */
  readonly authenticate?: (request: Request) => string | Actor | undefined | Promise<string | Actor | undefined>
}

/** The handler over the services around it; closed with the scope. */
export const make: Effect.Effect<FetchHandler, never, LecternServices | Scope.Scope> = Effect.gen(function* () {
  const answer = yield* WebHandler.make(yield* HttpApp.make)
  const running = new RunningCalls()

  const fetch = (request: Request): Promise<Response> =>
    running.isClosed ? Promise.resolve(unavailable()) : running.add(answer(request))
  const close = () => running.close()
  yield* Effect.addFinalizer(() => Effect.promise(close))
  return { fetch, close }
})

/** The handler of an instance that was opened without Effect. */
export const fetchHandler = (lectern: EmbeddedLectern, { authenticate }: FetchOptions = {}): Promise<FetchHandler> =>
  lectern.run(
    authenticate === undefined ? make : Effect.provideService(make, HostAuthentication, promised(authenticate))
  )

const promised =
  (authenticate: NonNullable<FetchOptions["authenticate"]>): Authenticate =>
  ({ source }) =>
    Effect.map(
      // What it fails with is a defect: the log has it, and the caller is told nothing.
      Effect.promise(async () => authenticate(source as Request)),
      (actor) => (typeof actor === "string" ? { type: "user", user: UserId.make(actor) } : actor)
    )

const unavailable = () =>
  Response.json(
    { error: { code: 503, message: "The server is stopping" } },
    { status: 503, headers: { connection: "close" } }
  )
