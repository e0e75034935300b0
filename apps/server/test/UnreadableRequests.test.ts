/** Requests that Node's parser can't read are answered as all others are, over real connections. */
import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Listener from "../src/Listener.ts"
import { responding } from "./Listening.ts"

const id = /^[1-9A-Za-z]{22}-[0-9a-z]+$/

/** Echoes the body, once it is there. */
const echo = responding((request) =>
  Effect.orDie(Effect.map(request.text, (text) => HttpServerResponse.text(`echo ${text}`)))
)

const listening = Effect.fnUntraced(function* (arriving?: number) {
  const limits = {
    ...Listener.defaultEdge.limits,
    ...(arriving !== undefined && { headers: arriving, request: arriving })
  }
  const { at, serve } = yield* Listener.make({
    at: { host: "127.0.0.1", port: 0 },
    edge: { ...Listener.defaultEdge, limits }
  })
  yield* serve(echo)
  return "port" in at ? at.port : 0
})

/** All that comes back for what is sent, which is how the connection ends as well. */
const sent = (port: number, ...parts: ReadonlyArray<string | Uint8Array>) =>
  Effect.promise(async () => {
    const socket = connect({ port, host: "127.0.0.1" })
    let answer = ""
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text))
    const ended = once(socket, "end")
    // A reset fails this.
    const failed = once(socket, "error").then(([error]) => Promise.reject(error as Error))
    for (const part of parts) socket.write(part)
    await Promise.race([ended, failed])
    socket.destroy()
    return answer
  })

/** The status of what comes back, once the connection is reset in place of being ended. */
const resetAfter = async (port: number, request: string) => {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true })
  socket.write(request)
  const [answer] = (await once(socket, "data")) as [Buffer]
  socket.resetAndDestroy()
  await once(socket, "close")
  return answer.toString().split(" ")[1]
}

const lastRequest = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

const answersOf = (text: string) =>
  text.split(/(?=HTTP\/1\.1 )/).map((answer) => {
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    const [line = "", ...fields] = head.split("\r\n")
    const headers = new Map(
      fields.map((field) => [field.slice(0, field.indexOf(":")).toLowerCase(), field.slice(field.indexOf(":") + 2)])
    )
    return { status: Number(line.split(" ")[1]), headers, body }
  })

const isRefusal = ({ status, headers, body }: ReturnType<typeof answersOf>[number], code: number) => {
  const { error } = JSON.parse(body)
  assert.strictEqual(status, code)
  assert.strictEqual(error.code, code)
  assert.isAbove(error.message.length, 10)
  assert.match(error.requestId, id)
  assert.strictEqual(headers.get("x-request-id"), error.requestId)
  assert.strictEqual(headers.get("content-type"), "application/json")
  assert.strictEqual(headers.get("content-length"), String(Buffer.byteLength(body)))
}

const post = (head: string) => `POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n`

describe("What can't be read", () => {
  it.live.each([
    ["an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["no HTTP at all", "\u0000\u0001\u0002", 400],
    ["TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000", 400],
    ["a bad request line", "GET / FOO\r\n\r\n", 400],
    ["a version that is none", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", 400],
    ["a control character in a header", "GET / HTTP/1.1\r\nHost: a\r\nX: a\u0001b\r\n\r\n", 400],
    ["a header without a name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
    ["a length that is no number", post("Content-Length: abc"), 400],
    ["a negative length", post("Content-Length: -1"), 400],
    ["two lengths", post("Content-Length: 1\r\nContent-Length: 2"), 400],
    ["a length beside chunks", post("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400],
    ["a chunk that is none", `${post("Transfer-Encoding: chunked")}zz\r\n`, 400],
    ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\nhOST: evil\r\n\r\n", 400],
    ["a host twice", `${post("Content-Length: 2\r\nHost: a")}ab`, 400],
    ["two hosts of HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400],
    ["a path behind the host", "GET / HTTP/1.1\r\nHost: a/b?\r\n\r\n", 400],
    ["a query behind the host", "GET / HTTP/1.1\r\nHost: a:80?b\r\n\r\n", 400],
    ["a user before the host", "GET / HTTP/1.1\r\nHost: b@a\r\n\r\n", 400],
    ["a host of two words", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n", 400],
    ["a coding beside the chunks", `${post("Transfer-Encoding: gzip, chunked")}0\r\n\r\n`, 501],
    ["a coding in a line of its own", `${post("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked")}0\r\n\r\n`, 501],
    ["chunks of chunks", `${post("Transfer-Encoding: chunked, chunked")}0\r\n\r\n`, 400],
    ["an expectation that nobody meets", `${post("Expect: miracles\r\nContent-Length: 0")}`, 417],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 405]
  ] as ReadonlyArray<readonly [string, string, number]>)(
    "is answered with the error body and an id: %s",
    ([, request, code]) =>
      Effect.gen(function* () {
        const answers = answersOf(yield* sent(yield* listening(), request))
        assert.strictEqual(answers.length, 1)
        isRefusal(answers[0]!, code)
      }).pipe(Effect.scoped)
  )

  it.live("takes nothing down when its client hangs up on the answer", () =>
    Effect.gen(function* () {
      const port = yield* listening()
      for (const request of ["CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n"]) {
        const statuses = yield* Effect.promise(() =>
          Promise.all(Array.from({ length: 8 }, () => resetAfter(port, request)))
        )
        assert.deepStrictEqual(new Set(statuses), new Set([request.startsWith("CONNECT") ? "405" : "400"]))
      }
      // An error that nobody listens for ends the process, which this runs in.
      assert.strictEqual(answersOf(yield* sent(port, lastRequest)).length, 1)
    }).pipe(Effect.scoped)
  )

  it.live("is no host that there may be, with a port or without one, nor an empty one", () =>
    Effect.gen(function* () {
      const port = yield* listening()
      for (const host of [
        "",
        "a",
        "A.example:4000",
        "a_b.example.",
        "a.example:",
        "127.0.0.1:80",
        "[::1]",
        "[::1]:80"
      ]) {
        const request = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
        assert.strictEqual(answersOf(yield* sent(port, request))[0]!.status, 200, host)
      }
    }).pipe(Effect.scoped)
  )

  it.live("is no body in chunks, in any case of letters, nor a header that begins as the host", () =>
    Effect.gen(function* () {
      const port = yield* listening()
      for (const head of [
        "Transfer-Encoding: Chunked",
        "Transfer-Encoding:  chunked ",
        "Transfer-Encoding: chunked\r\nHosts: b"
      ]) {
        const answers = answersOf(yield* sent(port, `${post(`${head}\r\nConnection: close`)}2\r\nab\r\n0\r\n\r\n`))
        assert.deepStrictEqual([answers.length, answers[0]!.status], [1, 200])
        assert.include(answers[0]!.body, "echo ab")
      }
    }).pipe(Effect.scoped)
  )

  it.live("is answered in full to who goes on to send, and not twice", () =>
    Effect.gen(function* () {
      const port = yield* listening()
      const much = "x".repeat(4_000_000)
      for (let i = 0; i < 5; i++) {
        for (const begin of [
          "BREW / HTTP/1.1\r\n\r\n",
          `GET / HTTP/1.1\r\nX: `,
          `${post("Content-Length: abc")}`,
          `${post("Host: b\r\nContent-Length: 4000000")}`
        ]) {
          const answers = answersOf(yield* sent(port, begin, much, "\r\n\r\nBREW / HTTP/1.1\r\n\r\n"))
          assert.strictEqual(answers.length, 1)
          isRefusal(answers[0]!, begin.startsWith("GET") ? 431 : 400)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.live("comes behind the answer to what was asked before it on the connection", () =>
    Effect.gen(function* () {
      const answers = answersOf(
        yield* sent(yield* listening(), `${post("Content-Length: 2")}ab`, "BREW / HTTP/1.1\r\n\r\n")
      )
      assert.strictEqual(answers[0]!.status, 200)
      assert.strictEqual(answers[0]!.body, "echo ab")
      isRefusal(answers[1]!, 400)
      // What comes behind it is not answered.
      const of = (...requests: ReadonlyArray<string>) =>
        listening().pipe(Effect.flatMap((port) => sent(port, requests.join(""))))
      const [first, second, ...more] = answersOf(
        yield* of(`${post("Content-Length: 2")}ab`, post("Host: b"), `${post("Content-Length: 2")}cd`)
      )
      assert.strictEqual(first!.body, "echo ab")
      isRefusal(second!, 400)
      assert.deepStrictEqual(more, [])
    }).pipe(Effect.scoped)
  )

  it.live("tells who takes too long", () =>
    Effect.gen(function* () {
      const port = yield* listening(50)
      for (const begun of ["GET / HT", `${post("Content-Length: 10")}abc`]) {
        isRefusal(answersOf(yield* sent(port, begun))[0]!, 408)
      }
    }).pipe(Effect.scoped)
  )
})
