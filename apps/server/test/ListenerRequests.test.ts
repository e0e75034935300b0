/** Requests at the listener: whole bodies, turns on a connection, streams, ends. */
import { once } from "node:events"
import { get } from "node:http"
import { connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, References, Scope, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Listener from "../src/Listener.ts"
import { at, portOf, responding } from "./Listening.ts"

type App = Parameters<typeof responding>[0]

/** Returns the body of the request. */
const echo: App = ({ text }) => Effect.orDie(Effect.map(text, (text) => HttpServerResponse.text(text)))

const served = Effect.fnUntraced(function* (app: App) {
  const listener = yield* Listener.make({ at })
  yield* listener.serve(responding(app))
  return portOf(listener.at)
})

/** The answers to a connection, until it is closed. */
const told = (socket: Socket) =>
  Effect.promise(async () => {
    let text = ""
    for await (const part of socket) text += part
    return text
  })

describe("A request at the listener", () => {
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

  it.live("is begun when those before it on its connection are answered", () =>
    Effect.gen(function* () {
      const begun: Array<string> = []
      const mayEnd = yield* Latch.make(false)
      const isBegun = yield* Latch.make(false)
      const port = yield* served(({ url }) => {
        begun.push(url)
        const answer = Effect.succeed(HttpServerResponse.text(`of ${url}`))
        return url === "/one" ? Effect.andThen(isBegun.open, Effect.andThen(mayEnd.await, answer)) : answer
      })
      const socket = connect(port, "127.0.0.1")
      const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n`
      socket.write(`${head("/one")}\r\n${head("/two")}\r\n${head("/three")}Connection: close\r\n\r\n`)
      yield* isBegun.await
      yield* Effect.promise(() => new Promise(setImmediate))
      assert.deepStrictEqual(begun, ["/one"])
      yield* mayEnd.open
      assert.deepStrictEqual((yield* told(socket)).match(/of \/[a-z]+/g), ["of /one", "of /two", "of /three"])
    }).pipe(Effect.scoped)
  )

  it.live("whose client has gone is not begun, or is given up", () =>
    Effect.gen(function* () {
      const begun = yield* Latch.make(false)
      const givenUp = yield* Latch.make(false)
      let answers = 0
      const port = yield* served(({ text }) =>
        Effect.andThen(
          Effect.orDie(text),
          Effect.suspend(() => {
            answers++
            return Effect.onInterrupt(Effect.andThen(begun.open, Effect.never), () => givenUp.open)
          })
        )
      )
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
      const port = yield* served(() => Effect.succeed(HttpServerResponse.stream(parts)))
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
        const port = yield* served(() => Effect.succeed(response))
        const answer = Effect.promise(async () => (await fetch(`http://127.0.0.1:${port}/`)).text())
        assert.isTrue(Exit.isFailure(yield* Effect.exit(answer)))
      }).pipe(Effect.provideService(References.MinimumLogLevel, "None"), Effect.scoped)
    )
  }

  it.live("for server-sent events ends with the server, after all that was sent", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const port = yield* served(() =>
        Effect.succeed(
          HttpServerResponse.stream(Stream.concat(Stream.encodeText(Stream.succeed("id: 1\n\n")), Stream.never), {
            contentType: "text/event-stream"
          })
        )
      ).pipe(Effect.provideService(Scope.Scope, scope))
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`))
      const reader = response.body!.getReader()
      const first = yield* Effect.promise(() => reader.read())
      assert.strictEqual(new TextDecoder().decode(first.value), "id: 1\n\n")
      yield* Scope.close(scope, Exit.void)
      assert.isTrue((yield* Effect.promise(() => reader.read())).done)
    })
  )

  it.live("is answered at the end of the server as well", () =>
    Effect.gen(function* () {
      const begun = yield* Latch.make(false)
      const mayEnd = yield* Latch.make(false)
      const scope = yield* Scope.make()
      const port = yield* served(() =>
        Effect.as(Effect.andThen(begun.open, mayEnd.await), HttpServerResponse.text("there"))
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
