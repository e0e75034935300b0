/** Addresses that a server listens at, on whom it hangs up and when, and how many connections it holds. */
import { once } from "node:events"
import { linkSync, lstatSync, writeFileSync } from "node:fs"
import { get, request } from "node:http"
import { get as getSecurely } from "node:https"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Latch, Path, References, Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Listener from "../src/Listener.ts"
import * as Certificates from "./Certificates.ts"
import { at, listening, portOf, responding, temporary } from "./Listening.ts"

const { trusted, limits } = Listener.defaultEdge

/** Asks at a Unix socket, and gives the answer. */
const askAt = (socketPath: string, headers: Record<string, string> = {}) =>
  Effect.promise(
    () =>
      new Promise<string>((answer, fail) => {
        const asked = request({ socketPath, headers: { ...headers, connection: "close" } }, (response) => {
          let text = ""
          response.on("data", (chunk: Buffer) => (text += chunk))
          response.on("end", () => answer(text))
        })
        asked.on("error", fail).end()
      })
  )

describe("Listener", () => {
  it.live("gives requests what logs, and nothing of the command line", () =>
    Effect.gen(function* () {
      const { at: bound, serve } = yield* Listener.make({ at })
      yield* serve(
        responding(() =>
          Effect.map(Effect.context<never>(), ({ mapUnsafe }) => HttpServerResponse.text([...mapUnsafe.keys()].join()))
        )
      )
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${portOf(bound)}/`))
      const keys = (yield* Effect.promise(() => response.text())).split(",")
      assert.include(keys, References.MinimumLogLevel.key)
      assert.notInclude(keys, FileSystem.FileSystem.key)
      assert.notInclude(keys, Path.Path.key)
    }).pipe(
      Effect.provideService(References.MinimumLogLevel, "Error"),
      Effect.provide(NodeServices.layer),
      Effect.scoped
    )
  )

  for (const [name, isSecure] of [
    ["HTTP", false],
    ["TLS", true]
  ] as const) {
    it.live(`hangs up at its end on whoever never asked, and not on those who wait for an answer: ${name}`, () =>
      Effect.gen(function* () {
        const headers = { connection: "keep-alive" }
        const options = { host: "127.0.0.1", rejectUnauthorized: false, agent: false, headers } as const
        const begun = yield* Latch.make(false)
        const mayEnd = yield* Latch.make(false)
        const scope = yield* Scope.make()
        const listener = yield* Effect.gen(function* () {
          const files = Certificates.filesIn(yield* temporary)
          Certificates.write(files, Certificates.one)
          const made = yield* Listener.make({ at, ...(isSecure && { certificate: files }) })
          yield* made.serve(
            responding(() => Effect.as(Effect.andThen(begun.open, mayEnd.await), HttpServerResponse.text("there")))
          )
          return made
        }).pipe(Scope.provide(scope))
        const port = portOf(listener.at)
        const unused = connect(port, "127.0.0.1")
        yield* Effect.promise(() => once(unused, "connect"))
        const asked = (isSecure ? getSecurely : get)({ ...options, port })
        const answered = once(asked, "response")
        yield* begun.await
        const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        yield* Effect.promise(() => once(unused.resume(), "close"))
        yield* mayEnd.open
        const [response] = yield* Effect.promise(() => answered)
        assert.strictEqual(response.statusCode, 200)
        assert.strictEqual(response.headers.connection, "close")
        response.resume()
        yield* Fiber.join(ending)
      })
    )
  }

  it.live("hangs up on whoever takes too long to begin to speak TLS", () =>
    Effect.gen(function* () {
      const files = Certificates.filesIn(yield* temporary)
      Certificates.write(files, Certificates.one)
      const edge = { trusted, limits: { ...limits, headers: 100 } }
      const silent = connect(portOf(yield* listening({ certificate: files, edge })), "127.0.0.1")
      yield* Effect.promise(() => once(silent.resume(), "close"))
    }).pipe(Effect.scoped)
  )

  it.live("ends at once where there never is an application, whoever waits for one", () =>
    Effect.gen(function* () {
      let hungUp: Promise<unknown> = Promise.resolve()
      const started = Effect.gen(function* () {
        const port = portOf((yield* Listener.make({ at })).at)
        const waiting = request({ port, host: "127.0.0.1", headers: { expect: "100-continue" } })
        hungUp = once(waiting, "error")
        waiting.flushHeaders()
        // The server says this when it has the request.
        yield* Effect.promise(() => once(waiting, "continue"))
        return yield* Effect.die("the data can't be opened")
      })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(Effect.scoped(started))))
      yield* Effect.promise(() => hungUp)
    })
  )

  it.live("keeps connections for longer than the proxies in front of it do", () =>
    Effect.gen(function* () {
      const port = portOf(yield* listening())
      const { headers } = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`))
      assert.isAbove(Number(/^timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1]), 60)
    }).pipe(Effect.scoped)
  )

  it.live("holds no more connections of an address than it may have, but for proxies", () =>
    Effect.gen(function* () {
      const few = { ...limits, connectionsPerAddress: 2 }
      const port = portOf(yield* listening({ edge: { trusted, limits: few } }))
      const open = Effect.fnUntraced(function* (to: number) {
        const socket = connect(to, "127.0.0.1")
        yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
        socket.on("error", () => {})
        return { socket, closed: once(socket, "close").then(() => false) }
      })
      /** True where it is answered, false where it is closed unheard. */
      const isHeard = ({ socket, closed }: { readonly socket: Socket; readonly closed: Promise<boolean> }) =>
        Effect.promise(() => {
          const heard = new Promise<boolean>((answer) => socket.once("data", () => answer(true)))
          socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n")
          return Promise.race([heard, closed])
        })
      const [first, second, third] = [yield* open(port), yield* open(port), yield* open(port)]
      assert.isTrue(yield* isHeard(first))
      assert.isTrue(yield* isHeard(second))
      assert.isFalse(yield* isHeard(third))
      first.socket.end()
      yield* Effect.promise(() => first.closed)
      assert.isTrue(yield* isHeard(yield* open(port)))

      const proxies = new AddressRanges(["127.0.0.0/8"])
      const behind = portOf(yield* listening({ edge: { trusted: { ...trusted, proxies }, limits: few } }))
      for (let i = 0; i < 4; i++) assert.isTrue(yield* isHeard(yield* open(behind)))
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
  )

  it.live("at a Unix socket is open to its group, in the place of one that was left behind, and of nothing else", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const socket = join(folder, "lectern.sock")
      const bound = yield* listening({ at: { socket } })
      assert.deepStrictEqual(bound, { socket })
      assert.strictEqual(lstatSync(socket).mode & 0o777, 0o660)
      assert.strictEqual(yield* askAt(socket), "nobody")
      assert.strictEqual(yield* askAt(socket, { "x-forwarded-for": "192.0.2.1, 192.0.2.2" }), "192.0.2.2")
      const inUse = yield* Effect.flip(listening({ at: { socket } }))
      assert.match(inUse.message, /socket .*lectern\.sock is in use/)
      assert.strictEqual(yield* askAt(socket), "nobody")

      const file = join(folder, "file")
      writeFileSync(file, "kept")
      assert.match((yield* Effect.flip(listening({ at: { socket: file } }))).message, /is not a socket/)

      const stale = join(folder, "stale.sock")
      yield* Effect.promise(async () => {
        // The way that a server leaves it which is killed: nobody listens, and it is there.
        const killed = createServer().listen(`${stale}-before`)
        await once(killed, "listening")
        linkSync(`${stale}-before`, stale)
        killed.close()
        await once(killed, "close")
      })
      assert.isTrue(lstatSync(stale).isSocket())
      yield* listening({ at: { socket: stale } })
      assert.strictEqual(yield* askAt(stale), "nobody")
    }).pipe(Effect.scoped)
  )
})
