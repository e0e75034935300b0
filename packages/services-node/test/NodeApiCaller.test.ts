/** Calls of APIs for readers of a site, against servers that are there. */
import { createServer as createTcpServer, type AddressInfo } from "node:net"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { ApiCaller, type Call } from "@lectern/site/api/ApiCaller"
import { NodeApiCaller, type NodeApiCallerOptions } from "@lectern/services-node/site/NodeApiCaller"
import { Effect, type Scope } from "effect"
import { serving } from "./Servers.ts"

const local: NodeApiCallerOptions = { readersPrivateHosts: ["127.0.0.1"] }

const calling = (url: string, more: Partial<Call> = {}, options: NodeApiCallerOptions = local) =>
  Effect.flatMap(ApiCaller, (caller) => caller!.call({ method: "GET", url: new URL(url), headers: [], ...more })).pipe(
    Effect.provide(NodeApiCaller.layer(options))
  )

const refusal = (url: string, more: Partial<Call> = {}, options?: NodeApiCallerOptions) =>
  Effect.map(Effect.flip(calling(url, more, options)), ({ message }) => message)

const test = (title: string, body: () => Effect.Effect<void, unknown, Scope.Scope>) => it.live(title, body)

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe("NodeApiCaller", () => {
  test("sends what it is given and nothing else, and tells what comes back", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const server = yield* serving((request, response) => {
        let body = ""
        request.on("data", (chunk) => (body += String(chunk)))
        request.on("end", () => {
          const { host, ...headers } = request.headers
          asked.push([request.method, request.url, headers, body, host])
          response.writeHead(404, [
            ["X-One", "1"],
            ["x-one", "2"]
          ])
          response.end("none")
        })
      })
      const { status, headers, bytes, isCut } = yield* calling(`${server.url}/a%2Fb?c=d`, {
        method: "PUT",
        headers: [["X-Key", "secret"]],
        body: new TextEncoder().encode("{}")
      })
      assert.deepStrictEqual([status, textOf(bytes), isCut], [404, "none", false])
      const own = headers.filter(([name]) => /x-one/i.test(name))
      assert.deepStrictEqual(own, [
        ["X-One", "1"],
        ["x-one", "2"]
      ])
      const sent = {
        accept: "*/*",
        "accept-encoding": "gzip, deflate, br",
        connection: "close",
        "content-length": "2",
        "user-agent": "Lectern",
        "x-key": "secret",
        "x-lectern-call": "1"
      }
      assert.deepStrictEqual(asked, [["PUT", "/a%2Fb?c=d", sent, "{}", `127.0.0.1:${server.port}`]])
    }))

  test("reaches no private address, by its number, in other spellings, or behind a name", () =>
    Effect.gen(function* () {
      const server = yield* serving((_, response) => response.end("secret"))
      for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254"]) {
        assert.match(yield* refusal(`http://${host}:${server.port}/`, {}, {}), /private network/, host)
      }
      // The name alone says nothing: it is looked up when a connection is made.
      const elsewhere = { readersPrivateHosts: ["10.0.0.0/8"] }
      assert.match(yield* refusal(`http://localhost:${server.port}/`, {}, elsewhere), /private network/)
      for (const url of ["file:///etc/passwd", "http://me@127.0.0.1/", "http://8.8.8.8:25/"]) yield* refusal(url)
      assert.strictEqual(server.requests(), 0)
    }))

  test("follows no redirect", () =>
    Effect.gen(function* () {
      const hidden = yield* serving((_, response) => response.end("secret"))
      const server = yield* serving((_, response) => response.writeHead(307, { location: hidden.url }).end("moved"))
      const { status, bytes, headers } = yield* calling(server.url)
      assert.deepStrictEqual([status, textOf(bytes)], [307, "moved"])
      assert.deepInclude(headers, ["location", hidden.url])
      assert.strictEqual(hidden.requests(), 0)
    }))

  test("reads so much of an answer and no more, packed or not", () =>
    Effect.gen(function* () {
      const chunk = Buffer.alloc(64 * 1024, "x")
      const large = Buffer.alloc(32 * 1024 * 1024, "x")
      const packed: Record<string, Buffer> = { gzip: gzipSync(large), br: brotliCompressSync(large.subarray(0, 8e6)) }
      const server = yield* serving((request, response) => {
        const name = request.url!.slice(1)
        if (name in packed) {
          response.writeHead(200, { "content-encoding": name }).end(packed[name])
          return
        }
        // Without an end, for as long as somebody reads.
        const write = () => {
          while (!response.destroyed && response.write(chunk)) {}
        }
        response.on("drain", write)
        write()
      })
      for (const name of ["", "gzip", "br"]) {
        const { bytes, isCut } = yield* calling(`${server.url}/${name}`, {}, { ...local, maxBytes: 100_000 })
        assert.deepStrictEqual([bytes.length, isCut], [100_000, true], name)
      }
      const exact = yield* serving((_, response) => response.end(Buffer.alloc(1_000)))
      const whole = yield* calling(exact.url, {}, { ...local, maxBytes: 1_000 })
      assert.deepStrictEqual([whole.bytes.length, whole.isCut], [1_000, false])
    }))

  test("says what went wrong with a server that answers nothing, or nonsense", () =>
    Effect.gen(function* () {
      const slow = yield* serving(() => {})
      assert.match(yield* refusal(slow.url, {}, { ...local, timeout: 50 }), /did not answer within/)
      const odd = yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<{ readonly url: string; readonly close: () => void }>((resolve) => {
              const server = createTcpServer((socket) => {
                socket.on("error", () => {})
                socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
              })
              server.listen(0, "127.0.0.1", () => {
                const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
                resolve({ url, close: () => server.close() })
              })
            })
        ),
        ({ close }) => Effect.sync(close)
      )
      assert.match(yield* refusal(odd.url), /another protocol|as it should/)
      const garbled = yield* serving((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("no"))
      yield* refusal(garbled.url)
      const heavy = yield* serving((_, response) => response.writeHead(200, { "x-a": "x".repeat(20_000) }).end("no"))
      yield* refusal(heavy.url)
    }))
})
