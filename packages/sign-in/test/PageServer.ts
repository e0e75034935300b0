/** The pages over HTTP on loopback, for a browser, with background work. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { PublicUrl } from "@lectern/core/identity/PublicUrl"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { NodePasskeys } from "@lectern/services-node/passkey/NodePasskeys"
import * as SignIn from "@lectern/sign-in/SignIn"
import * as SignInApp from "@lectern/sign-in/server/SignInApp"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { plainHasher } from "./Browser.ts"

/** Returns the services of the instance at a URL. */
const instanceAt = (url: string, options: Lectern.LecternOptions = {}) =>
  Lectern.layer({
    ...options,
    extensions: [SignIn.extension({ passwordHasher: plainHasher, passkeyProtocol: NodePasskeys.layer })]
  }).pipe(Layer.provideMerge(MemoryStorage.layer), Layer.provideMerge(Layer.succeed(PublicUrl, url)))

type Services = Layer.Success<ReturnType<typeof instanceAt>>

/** Runs a test with a server. `url`: its origin, at `localhost`, since browsers have no passkeys at IP addresses. */
export const withPageServer = <A>(
  body: (url: string, run: <B>(effect: Effect.Effect<B, unknown, Services>) => Promise<B>) => Promise<A>,
  options?: Lectern.LecternOptions
) =>
  Effect.gen(function* () {
    const server = createServer()
    yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
    )
    const url = `http://localhost:${(server.address() as AddressInfo).port}`
    const services = yield* Layer.build(instanceAt(url, options))
    const app = yield* Effect.provide(SignInApp.make, services)
    yield* Context.get(services, JobWorker).start
    const run = Effect.runPromiseWith(services)
    server.on("request", async (incoming, outgoing) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const request = new Request(url + incoming.url, {
        method: incoming.method ?? "GET",
        headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) })
      })
      const response = HttpServerResponse.toWeb(await run(app.respond(HttpServerRequest.fromWeb(request))))
      const cookies = response.headers.getSetCookie()
      outgoing.writeHead(response.status, {
        ...Object.fromEntries(response.headers),
        ...(cookies.length > 0 && { "set-cookie": cookies })
      })
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    })
    return yield* Effect.promise(() => body(url, run as never))
  }).pipe(Effect.scoped, Effect.runPromise)
