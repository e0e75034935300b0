import { once } from "node:events"
import { chmodSync, linkSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { get, request } from "node:http"
import { get as getSecurely } from "node:https"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Latch, Option, Path, References, Scope, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { clientAddress, type TrustedProxies } from "../src/edge/ClientAddress.ts"
import * as Certificate from "../src/edge/Certificate.ts"
import * as Listener from "../src/Listener.ts"
import * as Certificates from "./Certificates.ts"

const at = { host: "127.0.0.1", port: 0 }
const { trusted, limits } = Listener.defaultEdge

/** Says whose request it is. */
const whose = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
  HttpServerResponse.text(Option.getOrElse(remoteAddress, () => "nobody"))
)

const listening = Effect.fnUntraced(function* (options: Partial<Listener.ListenerOptions> = {}) {
  const { at: bound, serve } = yield* Listener.make({ at, ...options })
  yield* serve(whose)
  return bound
})

const portOf = (bound: Listener.Bound): number => ("port" in bound ? bound.port : 0)

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-listener-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** Files of a certificate and its key. */
const filesIn = (folder: string) => ({ certificate: join(folder, "tls.crt"), key: join(folder, "tls.key") })

const write = (files: Certificate.CertificateFiles, { certificate, key }: Certificates.Pair) => {
  writeFileSync(files.key, key)
  writeFileSync(files.certificate, certificate)
}

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
        Effect.map(Effect.context<never>(), ({ mapUnsafe }) => HttpServerResponse.text([...mapUnsafe.keys()].join()))
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
        const options = { host: "127.0.0.1", rejectUnauthorized: false, agent: false } as const
        const begun = yield* Latch.make(false)
        const mayEnd = yield* Latch.make(false)
        const scope = yield* Scope.make()
        const listener = yield* Effect.gen(function* () {
          const files = filesIn(yield* temporary)
          write(files, Certificates.one)
          const made = yield* Listener.make({ at, ...(isSecure && { certificate: files }) })
          yield* made.serve(Effect.as(Effect.andThen(begun.open, mayEnd.await), HttpServerResponse.text("there")))
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
        response.resume()
        yield* Fiber.join(ending)
      })
    )
  }

  describe("a short request", () => {
    /** Says what came in its body. */
    const echo: Listener.Ahead["short"] = () => (body) =>
      Effect.succeed({ response: HttpServerResponse.text(`${Buffer.from(body)}`), headers: {} })

    const served = Effect.fnUntraced(function* (short: Listener.Ahead["short"]) {
      const listener = yield* Listener.make({ at })
      yield* listener.serve(Effect.die("not ahead"), { kept: undefined, short })
      return portOf(listener.at)
    })

    /** The answers to a connection, until it is closed. */
    const told = (socket: Socket) =>
      Effect.promise(async () => {
        let text = ""
        for await (const part of socket) text += part
        return text
      })

    it.live("is answered when all of its body has come, or at once where it has none", () =>
      Effect.gen(function* () {
        const port = yield* served(echo)
        const socket = connect(port, "127.0.0.1")
        socket.write("PATCH / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\non")
        yield* Effect.promise(() => new Promise(setImmediate))
        socket.write("e")
        yield* Effect.promise(() => new Promise(setImmediate))
        socket.end("twoPOST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        const text = yield* told(socket)
        assert.deepStrictEqual(
          text.split("HTTP/1.1 ").map((answer) => answer.split("\r\n\r\n")[1]),
          [undefined, "onetwo", ""]
        )
      }).pipe(Effect.scoped)
    )

    for (const isAhead of [true, false]) {
      it.live(`${isAhead ? "" : "or any other "}is begun when those before it on its connection are answered`, () =>
        Effect.gen(function* () {
          const begun: Array<string> = []
          const mayEnd = yield* Latch.make(false)
          const isBegun = yield* Latch.make(false)
          const answerTo = (url: string) => {
            begun.push(url)
            const answer = Effect.succeed(HttpServerResponse.text(`of ${url}`))
            return url === "/one" ? Effect.andThen(isBegun.open, Effect.andThen(mayEnd.await, answer)) : answer
          }
          const listener = yield* Listener.make({ at })
          const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => answerTo(url))
          const short: Listener.Ahead["short"] =
            ({ url = "" }) =>
            () =>
              Effect.map(answerTo(url), (response) => ({ response, headers: {} }))
          yield* isAhead ? listener.serve(Effect.die("not ahead"), { kept: undefined, short }) : listener.serve(app)
          const socket = connect(portOf(listener.at), "127.0.0.1")
          const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n`
          socket.write(`${head("/one")}\r\n${head("/two")}\r\n${head("/three")}Connection: close\r\n\r\n`)
          yield* isBegun.await
          yield* Effect.promise(() => new Promise(setImmediate))
          assert.deepStrictEqual(begun, ["/one"])
          yield* mayEnd.open
          assert.deepStrictEqual((yield* told(socket)).match(/of \/[a-z]+/g), ["of /one", "of /two", "of /three"])
        }).pipe(Effect.scoped)
      )
    }

    it.live("whose client has gone is not begun, or is given up", () =>
      Effect.gen(function* () {
        const begun = yield* Latch.make(false)
        const givenUp = yield* Latch.make(false)
        let answers = 0
        const port = yield* served(() => () => {
          answers++
          return Effect.onInterrupt(Effect.andThen(begun.open, Effect.never), () => givenUp.open)
        })
        const half = connect(port, "127.0.0.1")
        half.write("PATCH / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\none")
        const whole = connect(port, "127.0.0.1")
        whole.write("PATCH / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none")
        yield* begun.await
        half.destroy()
        whole.destroy()
        yield* givenUp.await
        assert.strictEqual(answers, 1)
      }).pipe(Effect.scoped)
    )

    it.live("is given what is streamed as it is made, no faster than it is taken", () =>
      Effect.gen(function* () {
        const part = new Uint8Array(256 * 1024).fill(0x61)
        let made = 0
        const parts = Stream.range(1, 64).pipe(
          Stream.mapEffect(() =>
            Effect.sync(() => {
              made++
              return part
            })
          ),
          Stream.rechunk(1)
        )
        const port = yield* served(
          () => () => Effect.succeed({ response: HttpServerResponse.stream(parts), headers: {} })
        )
        const [response] = yield* Effect.promise(() => once(get({ port, host: "127.0.0.1" }), "response"))
        yield* Effect.promise(() => once(response, "readable"))
        // The sockets between hold a few of them.
        assert.isBelow(made, 64)
        let length = 0
        response.on("data", (chunk: Buffer) => (length += chunk.length))
        yield* Effect.promise(() => once(response, "end"))
        assert.deepStrictEqual([made, length], [64, 64 * part.length])
      }).pipe(Effect.scoped)
    )

    for (const [what, response] of [
      ["with a header that can't be", HttpServerResponse.text("there", { headers: { "x-name": "one\ntwo" } })],
      ["whose stream fails", HttpServerResponse.stream(Stream.concat(Stream.make(new Uint8Array(1)), Stream.die("no")))]
    ] as const) {
      it.live(`is hung up on where it has an answer ${what}`, () =>
        Effect.gen(function* () {
          const port = yield* served(() => () => Effect.succeed({ response, headers: {} }))
          const answer = Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/`)).text())
          assert.isTrue(Exit.isFailure(yield* Effect.exit(answer)))
        }).pipe(Effect.provideService(References.MinimumLogLevel, "None"), Effect.scoped)
      )
    }

    it.live("is answered at the end of the server as well", () =>
      Effect.gen(function* () {
        const begun = yield* Latch.make(false)
        const mayEnd = yield* Latch.make(false)
        const scope = yield* Scope.make()
        const port = yield* served(
          () => () =>
            Effect.as(Effect.andThen(begun.open, mayEnd.await), {
              response: HttpServerResponse.text("there"),
              headers: {}
            })
        ).pipe(Scope.provide(scope))
        const unused = connect(port, "127.0.0.1")
        yield* Effect.promise(() => once(unused, "connect"))
        const answer = fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" })
        yield* begun.await
        const ending = yield* Effect.forkChild(Scope.close(scope, Exit.void))
        // Whoever asks for nothing is hung up on: the end has begun.
        yield* Effect.promise(() => once(unused.resume(), "close"))
        yield* mayEnd.open
        assert.strictEqual(yield* Effect.promise(async () => (await answer).text()), "there")
        yield* Fiber.join(ending)
      })
    )
  })

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
      assert.match((yield* Effect.flip(listening({ at: { socket: file } }))).message, /it is no socket/)

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

  it.effect("sees within 10 seconds that a certificate was renewed, and once", () =>
    Effect.gen(function* () {
      const files = filesIn(yield* temporary)
      write(files, Certificates.one)
      const used: Array<string> = []
      yield* Certificate.keepFresh(files, ({ cert }) => used.push(cert.toString()))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(used, [])
      // Half of a pair is no certificate: the former goes on until the other file is there.
      writeFileSync(files.certificate, Certificates.two.certificate)
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(used, [])
      writeFileSync(files.key, Certificates.two.key)
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(used, [])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(used, [Certificates.two.certificate])
      yield* TestClock.adjust("1 hour")
      assert.lengthOf(used, 1)
    }).pipe(Effect.scoped)
  )

  it.live("speaks TLS with a certificate that is read again, and keeps it where the new one can't be used", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const files = filesIn(folder)
      const put = (pair: Certificates.Pair) => write(files, pair)
      assert.match((yield* Effect.flip(Certificate.read(files))).message, /can't be used: ENOENT/)
      put({ ...Certificates.one, key: Certificates.two.key })
      const mixed = yield* Effect.flip(listening({ certificate: files }))
      assert.match(mixed.message, /the key is not the certificate's/)
      put({ ...Certificates.one, key: "no key" })
      assert.match((yield* Effect.flip(listening({ certificate: files }))).message, /they are no PEM/)

      put(Certificates.one)
      const port = portOf(yield* listening({ certificate: files }))
      const named = Effect.promise(
        () =>
          new Promise<string>((answer, fail) => {
            const asked = getSecurely({ port, host: "127.0.0.1", rejectUnauthorized: false, agent: false })
            asked.on("response", (response) => {
              const { subject } = (response.socket as import("node:tls").TLSSocket).getPeerCertificate()
              response.resume().on("end", () => answer(String(subject.CN)))
            })
            asked.on("error", fail)
          })
      )
      assert.strictEqual(yield* named, "one.example.com")
      put({ ...Certificates.two, key: Certificates.one.key })
      chmodSync(files.key, 0o600)
      process.emit("SIGHUP")
      assert.strictEqual(yield* named, "one.example.com")
      put(Certificates.two)
      process.emit("SIGHUP")
      assert.strictEqual(yield* named, "two.example.com")
    }).pipe(Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None"))
  )
})

describe("The address of a client", () => {
  const proxies = new AddressRanges(["10.0.0.0/8", "2001:db8::/32"])
  const behind = (header: TrustedProxies["header"], peer: string | undefined, value?: string) =>
    clientAddress({ proxies, header }, peer, value === undefined ? {} : { [header]: value })

  it("is the last that no trusted proxy has", () => {
    for (const [peer, value, client] of [
      ["192.0.2.9", "192.0.2.1", "192.0.2.9"],
      ["10.0.0.1", undefined, "10.0.0.1"],
      ["10.0.0.1", "", "10.0.0.1"],
      ["10.0.0.1", "192.0.2.1", "192.0.2.1"],
      ["10.0.0.1", "203.0.113.5, 192.0.2.1, 10.2.3.4", "192.0.2.1"],
      ["10.0.0.1", "10.9.9.9,10.8.8.8", "10.9.9.9"],
      ["10.0.0.1", "192.0.2.1, unknown", "10.0.0.1"],
      ["10.0.0.1", "192.0.2.1, unknown, 10.0.0.2", "10.0.0.2"],
      ["10.0.0.1", "192.0.2.1:4711", "192.0.2.1"],
      ["::ffff:10.0.0.1", "::ffff:192.0.2.1", "192.0.2.1"],
      ["2001:db8::1", "2a00:0:0::1", "2a00::1"],
      [undefined, "192.0.2.1", "192.0.2.1"],
      [undefined, undefined, undefined]
    ] as const) {
      assert.strictEqual(behind("x-forwarded-for", peer, value), client, `${peer}: ${value}`)
    }
  })

  it("is read from the one header that the proxies write", () => {
    const both = { "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.2" }
    assert.strictEqual(clientAddress({ proxies, header: "x-forwarded-for" }, "10.0.0.1", both), "192.0.2.1")
    assert.strictEqual(clientAddress({ proxies, header: "forwarded" }, "10.0.0.1", both), "192.0.2.2")
    for (const [value, client] of [
      [`for=192.0.2.1;proto=https;by=10.0.0.9`, "192.0.2.1"],
      [`For="[2a00::1]:4711", for=10.0.0.2`, "2a00::1"],
      [`proto=https; for="192.0.2.1:80"`, "192.0.2.1"],
      [`for=_hidden, for=192.0.2.3`, "192.0.2.3"],
      [`for=192.0.2.3, for=_hidden`, "10.0.0.1"],
      [`host="a,b", for=10.0.0.3`, "10.0.0.3"],
      // Nothing that a client leaves open swallows what a proxy adds.
      [`for="192.0.2.66, for=192.0.2.4`, "192.0.2.4"]
    ] as const) {
      assert.strictEqual(behind("forwarded", "10.0.0.1", value), client, value)
    }
  })
})
