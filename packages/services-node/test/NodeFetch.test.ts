/** Fetches and refusals, against servers that are there. */
import { createServer as createTcpServer, type AddressInfo } from "node:net"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { NodeFetch, type NodeFetchOptions } from "@lectern/services-node/fetch/NodeFetch"
import { Effect, Fiber, type Scope, Stream } from "effect"
import { serving } from "./Servers.ts"

const maxBytes = 1024 * 1024
const local: NodeFetchOptions = { allowedPrivateHosts: ["127.0.0.1"] }

const fetching = (
  url: string,
  { allowedPrivateHosts }: NodeFetchOptions = local,
  timeout: `${number} millis` = "20000 millis"
) =>
  GuardedFetch.use(({ fetch }) => fetch(url, { maxBytes, timeout, accept: "application/json" })).pipe(
    Effect.provide(NodeFetch.layer(allowedPrivateHosts === undefined ? {} : { allowedPrivateHosts }))
  )

const refusal = (url: string, options?: NodeFetchOptions, timeout?: `${number} millis`) =>
  Effect.flip(fetching(url, options, timeout))

const test = (title: string, body: () => Effect.Effect<void, unknown, Scope.Scope>) => it.live(title, body)

describe("NodeFetch", () => {
  test("gives what is there, packed or not, and where it was", () =>
    Effect.gen(function* () {
      const text = JSON.stringify({ hello: "world".repeat(1000) })
      const packers = { gzip: gzipSync, "x-gzip": gzipSync, deflate: deflateSync, br: brotliCompressSync }
      const server = yield* serving((request, response) => {
        const name = request.url!.slice(1) as keyof typeof packers
        assert.strictEqual(request.headers.accept, "application/json")
        assert.notProperty(request.headers, "authorization")
        response.setHeader("content-type", "application/json; charset=utf-8")
        if (name in packers) response.setHeader("content-encoding", name)
        response.end(name in packers ? packers[name](text) : text)
      })
      for (const name of ["", ...Object.keys(packers)]) {
        const { bytes, contentType, url } = yield* fetching(`${server.url}/${name}`)
        assert.strictEqual(new TextDecoder().decode(bytes), text)
        assert.strictEqual(contentType, "application/json; charset=utf-8")
        assert.strictEqual(url, `${server.url}/${name}`)
      }
    }))

  test("sends a body, and returns the status and the start of the answer, without redirects", () =>
    Effect.gen(function* () {
      const bodies: Array<string> = []
      const server = yield* serving((request, response) => {
        let body = ""
        request.on("data", (chunk: Buffer) => (body += chunk))
        request.on("end", () => {
          bodies.push(`${request.method} ${request.headers["x-own"]} ${request.headers["content-length"]} ${body}`)
          response.statusCode = request.url === "/moved" ? 307 : 418
          response.setHeader("location", "/other")
          response.end("x".repeat(100_000))
        })
      })
      const post = (url: string, options: NodeFetchOptions = local) =>
        GuardedFetch.use(({ post }) =>
          post(url, { body: '{"é":1}', headers: { "x-own": "1" }, timeout: "5 seconds", maxBytes: 10 })
        ).pipe(Effect.provide(NodeFetch.layer(options)))
      for (const [path, status] of [
        ["/moved", 307],
        ["/", 418]
      ] as const) {
        const answer = yield* post(server.url + path)
        assert.strictEqual(answer.status, status)
        assert.strictEqual(new TextDecoder().decode(answer.bytes), "x".repeat(10))
      }
      assert.deepStrictEqual(bodies, ['POST 1 8 {"é":1}', 'POST 1 8 {"é":1}'])
      assert.strictEqual((yield* Effect.flip(post(server.url, {}))).reason, "refused")
    }))

  test("gives up on a receiver that does not answer", () =>
    Effect.gen(function* () {
      const server = yield* serving(() => {})
      const failure = yield* Effect.flip(
        GuardedFetch.use(({ post }) =>
          post(server.url, { body: "", headers: {}, timeout: "200 millis", maxBytes: 10 })
        ).pipe(Effect.provide(NodeFetch.layer(local)))
      )
      assert.strictEqual(failure.reason, "timeout")
    }))

  test("fetches nothing from this machine unless it is allowed", () =>
    Effect.gen(function* () {
      const server = yield* serving((_, response) => response.end("secret"))
      for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]", "0.0.0.0"]) {
        const failure = yield* refusal(`http://${host}:${server.port}/`, {})
        assert.strictEqual(failure.reason, "refused", host)
      }
      assert.strictEqual(server.requests(), 0)
    }))

  test("looks at what a name resolves to when it connects", () =>
    Effect.gen(function* () {
      const server = yield* serving((_, response) => response.end("secret"))
      // The name is none of those that are refused by themselves: only resolving it tells.
      const failure = yield* refusal(`http://localhost:${server.port}/`, { allowedPrivateHosts: ["10.0.0.0/8"] })
      assert.strictEqual(failure.reason, "refused")
      const { guardedLookup } = yield* Effect.promise(() => import("@lectern/services-node/fetch/GuardedLookup"))
      const { AllowedHosts } = yield* Effect.promise(() => import("@lectern/core/fetch/Addresses"))
      const looked = (allowed: ReadonlyArray<string>) =>
        Effect.promise(
          () =>
            new Promise<unknown>((resolve) =>
              guardedLookup(new AllowedHosts(allowed), false)("localhost", { all: true }, (error, addresses) =>
                resolve(error ?? addresses)
              )
            )
        )
      assert.deepInclude(yield* looked([]), { _tag: "FetchFailed", reason: "refused" })
      assert.isArray(yield* looked(["127.0.0.1", "::1"]))
      assert.strictEqual(server.requests(), 0)
    }))

  test("allows a name wherever it leads, and an address under any name", () =>
    Effect.gen(function* () {
      const server = yield* serving((_, response) => response.end("fine"))
      const { bytes } = yield* fetching(`http://localhost:${server.port}/`, { allowedPrivateHosts: ["LOCALHOST"] })
      assert.strictEqual(new TextDecoder().decode(bytes), "fine")
    }))

  test("follows redirects, and each is held to the same", () =>
    Effect.gen(function* () {
      const hidden = yield* serving((_, response) => response.end("secret"), "127.0.0.2")
      const locations: Record<string, string> = {
        "/once": "/there",
        "/private": `${hidden.url}/secret`,
        "/metadata": "http://169.254.169.254/latest/meta-data/",
        "/mapped": "http://[::ffff:127.0.0.2]/",
        "/file": "file:///etc/passwd",
        "/password": "https://me:secret@example.com/",
        "/nowhere": "http://[",
        "/round": "/round"
      }
      for (let i = 1; i <= 6; i++) locations[`/hop${i}`] = i === 1 ? "/there" : `/hop${i - 1}`
      const server = yield* serving((request, response) => {
        const location = locations[request.url!]
        if (location === undefined) response.end("found")
        else response.writeHead(302, { location, "content-length": 3 }).end("...")
      })
      assert.strictEqual((yield* fetching(`${server.url}/once`)).url, `${server.url}/there`)
      assert.strictEqual((yield* fetching(`${server.url}/hop5`)).url, `${server.url}/there`)
      for (const path of ["/private", "/metadata", "/mapped", "/file", "/password"]) {
        assert.strictEqual((yield* refusal(server.url + path)).reason, "refused", path)
      }
      for (const path of ["/hop6", "/round"]) {
        assert.match((yield* refusal(server.url + path)).message, /redirects more than 5 times/)
      }
      assert.match((yield* refusal(`${server.url}/nowhere`)).message, /no URL/)
      assert.strictEqual(hidden.requests(), 0)
    }))

  test("stops where there is more than was asked for", () =>
    Effect.gen(function* () {
      const chunk = Buffer.alloc(64 * 1024)
      let sent = 0
      const server = yield* serving((request, response) => {
        if (request.url === "/told") {
          response.writeHead(200, { "content-length": 10 * 1024 ** 3 })
          response.write(chunk)
          return
        }
        const pour = () => {
          while (!response.destroyed && sent < 10 * 1024 ** 3) {
            sent += chunk.length
            if (response.write(chunk)) continue
            response.once("drain", pour)
            return
          }
        }
        pour()
      })
      assert.deepInclude(yield* refusal(`${server.url}/told`), { reason: "too-large" })
      const failure = yield* refusal(`${server.url}/`)
      assert.strictEqual(failure.reason, "too-large")
      assert.match(failure.message, /1 MiB/)
      assert.isBelow(sent, 64 * 1024 * 1024)
    }))

  test("counts what comes out of what is packed", () =>
    Effect.gen(function* () {
      const bombs = {
        gzip: gzipSync(Buffer.alloc(200 * 1024 * 1024)),
        br: brotliCompressSync(Buffer.alloc(50 * 1024 * 1024))
      }
      const server = yield* serving((request, response) => {
        const name = request.url!.slice(1) as keyof typeof bombs
        response.setHeader("content-encoding", name)
        response.end(bombs[name] ?? "what")
      })
      assert.isBelow(bombs.gzip.length, maxBytes)
      for (const name of Object.keys(bombs)) {
        assert.strictEqual((yield* refusal(`${server.url}/${name}`)).reason, "too-large", name)
      }
      assert.match((yield* refusal(`${server.url}/compress`)).message, /packed/)
    }))

  test("streams what is too large to be held, within the same bounds, and ends the connection with its scope", () =>
    Effect.gen(function* () {
      const closed: Array<string> = []
      const server = yield* serving((request, response) => {
        response.on("close", () => closed.push(request.url!))
        if (request.url === "/none") response.writeHead(404).end()
        else {
          response.write(Buffer.alloc(maxBytes, 1))
          if (request.url === "/whole") response.end()
          if (request.url === "/more") response.end("1")
        }
      })
      const counted = (path: string, timeout: `${number} millis` = "20000 millis") =>
        GuardedFetch.use(({ stream }) => stream(server.url + path, { maxBytes, timeout })).pipe(
          Effect.flatMap(({ bytes }) =>
            Stream.runFold(
              bytes,
              () => 0,
              (sum, chunk) => sum + chunk.length
            )
          ),
          Effect.scoped,
          Effect.provide(NodeFetch.layer(local))
        )
      assert.strictEqual(yield* counted("/whole"), maxBytes)
      assert.strictEqual((yield* Effect.flip(counted("/more"))).reason, "too-large")
      assert.deepInclude(yield* Effect.flip(counted("/none")), { reason: "status", status: 404 })
      assert.strictEqual((yield* Effect.flip(counted("/drip", "300 millis"))).reason, "timeout")
      while (closed.length < 4) yield* Effect.sleep(5)
    }))

  test("waits no longer than it was told to", () =>
    Effect.gen(function* () {
      const server = yield* serving((request, response) => {
        if (request.url === "/headers") return
        response.write("a")
        if (request.url !== "/drip") return
        const drip = setInterval(() => response.write("a"), 20)
        response.on("close", () => clearInterval(drip))
      })
      const silent = yield* tcp(() => {})
      for (const url of [`${server.url}/headers`, `${server.url}/body`, `${server.url}/drip`, silent]) {
        const failure = yield* refusal(url, local, "300 millis")
        assert.strictEqual(failure.reason, "timeout", url)
        assert.match(failure.message, /127\.0\.0\.1:\d+ did not answer in full within 300ms/)
      }
    }))

  test("hangs up where nobody waits any more", () =>
    Effect.gen(function* () {
      let hungUp: () => void = () => {}
      const closed = new Promise<void>((resolve) => (hungUp = resolve))
      let arrived: () => void = () => {}
      const asked = new Promise<void>((resolve) => (arrived = resolve))
      const server = yield* serving((request, response) => {
        response.on("close", hungUp)
        request.resume()
        arrived()
      })
      const fiber = yield* Effect.forkChild(fetching(server.url))
      yield* Effect.promise(() => asked)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => closed)
    }))

  test("says in a sentence what else went wrong", () =>
    Effect.gen(function* () {
      const server = yield* serving((request, response) => {
        if (request.url === "/gone") response.writeHead(410).end()
        else if (request.url === "/broken") response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip")
        else if (request.url === "/cut") {
          response.writeHead(200, { "content-length": 100 })
          response.write("half", () => response.destroy())
        } else response.writeHead(304).end()
      })
      const nonsense = yield* tcp((socket) => socket.end("SSH-2.0-OpenSSH_9.0\r\n"))
      const long = yield* tcp((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}\r\n\r\n`))
      const cases = [
        [`${server.url}/gone`, "status", /answered 410/],
        [`${server.url}/304`, "status", /answered 304/],
        [`${server.url}/cut`, "failed", /ended the connection|as it should/],
        [`${server.url}/broken`, "failed", /as it should/],
        [nonsense, "failed", /as it should/],
        [long, "failed", /as it should/],
        [`https://127.0.0.1:${server.port}/`, "failed", /as it should/],
        ["http://127.0.0.1:3/", "failed", /does not take connections/],
        ["no URL", "refused", /Expected a URL/]
      ] as const
      for (const [url, reason, message] of cases) {
        const failure = yield* refusal(url)
        assert.strictEqual(failure.reason, reason, url)
        assert.match(failure.message, message, url)
        assert.notInclude(failure.message, "\n")
      }
    }))
})

const asking = (
  url: string,
  method: "HEAD" | "GET" = "HEAD",
  options: NodeFetchOptions = local,
  timeout: `${number} millis` = "20000 millis"
) =>
  GuardedFetch.use(({ requestHead }) => requestHead(url, { method, timeout, userAgent: "Someone (who asks)" })).pipe(
    Effect.provide(NodeFetch.layer(options))
  )

describe("NodeFetch, asked whether something is there", () => {
  test("tells every status, behind redirects, and when to come back", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const server = yield* serving((request, response) => {
        asked.push(`${request.method} ${request.url}`)
        assert.strictEqual(request.headers["user-agent"], "Someone (who asks)")
        if (request.url === "/moved") response.writeHead(301, { location: "/404" }).end()
        else if (request.url === "/429") response.writeHead(429, { "retry-after": "120" }).end()
        else response.writeHead(Number(request.url!.slice(1))).end()
      })
      for (const status of [200, 204, 206, 304, 400, 403, 404, 405, 410, 500, 503]) {
        for (const method of ["HEAD", "GET"] as const) {
          assert.deepStrictEqual(yield* asking(`${server.url}/${status}`, method), { status })
        }
      }
      assert.deepStrictEqual(yield* asking(`${server.url}/429`), { status: 429, retryAfter: "120" })
      asked.length = 0
      assert.deepStrictEqual(yield* asking(`${server.url}/moved`), { status: 404 })
      assert.deepStrictEqual(asked, ["HEAD /moved", "HEAD /404"])
    }))

  test("reads nothing of a body, and waits for none that never ends", () =>
    Effect.gen(function* () {
      let hungUp: () => void = () => {}
      const closed = new Promise<void>((resolve) => (hungUp = resolve))
      const server = yield* serving((_, response) => {
        response.on("close", hungUp)
        const pour = () => {
          while (!response.destroyed && response.write("a".repeat(64 * 1024)));
          response.once("drain", pour)
        }
        pour()
      })
      assert.deepStrictEqual(yield* asking(server.url, "GET"), { status: 200 })
      yield* Effect.promise(() => closed)
    }))

  test("goes nowhere that a fetch would not go", () =>
    Effect.gen(function* () {
      const hidden = yield* serving((_, response) => response.end("secret"), "127.0.0.2")
      const locations: Record<string, string> = {
        "/private": `${hidden.url}/`,
        "/metadata": "http://169.254.169.254/latest/meta-data/",
        "/round": "/round"
      }
      const server = yield* serving((request, response) =>
        response.writeHead(302, { location: locations[request.url!] }).end()
      )
      const refused = ["http://169.254.169.254/", "http://10.0.0.1/", "ftp://example.com/", hidden.url]
      for (const url of [...refused, `${server.url}/private`, `${server.url}/metadata`]) {
        assert.strictEqual((yield* Effect.flip(asking(url))).reason, "refused", url)
      }
      assert.strictEqual((yield* Effect.flip(asking(`${server.url}/round`))).reason, "failed")
      assert.strictEqual(server.requests(), 2 + 6)
      assert.strictEqual(hidden.requests(), 0)
    }))

  test("tells who does not answer in time from who is not there", () =>
    Effect.gen(function* () {
      const slow = yield* serving(() => {})
      const failure = yield* Effect.flip(asking(slow.url, "HEAD", local, "200 millis"))
      assert.strictEqual(failure.reason, "timeout")
      const rude = yield* tcp((socket) => socket.destroy())
      assert.strictEqual((yield* Effect.flip(asking(rude))).reason, "failed")
      const secure = slow.url.replace("http:", "https:")
      assert.strictEqual((yield* Effect.flip(asking(secure, "HEAD", local, "2000 millis"))).reason, "failed")
    }))

  test("believes that a name has no host where other names have one", () =>
    Effect.gen(function* () {
      // No resolver has to be asked: no name has a part that is so long.
      const url = `http://${"a".repeat(64)}.example/`
      const knowing = { existingName: "localhost" }
      assert.strictEqual((yield* Effect.flip(asking(url, "HEAD", knowing))).reason, "unknown-host")
      const ignorant = { existingName: `${"b".repeat(64)}.example` }
      assert.strictEqual((yield* Effect.flip(asking(url, "HEAD", ignorant))).reason, "failed")
    }))
})

const tcp = (onConnection: (socket: import("node:net").Socket) => void) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(
        () =>
          new Promise<ReturnType<typeof createTcpServer>>((resolve) => {
            const sockets = new Set<import("node:net").Socket>()
            const server = createTcpServer((socket) => {
              sockets.add(socket)
              socket.on("error", () => {})
              onConnection(socket)
            })
            server.once("closing", () => {
              for (const socket of sockets) socket.destroy()
            })
            server.listen(0, "127.0.0.1", () => resolve(server))
          })
      ),
      (server) =>
        Effect.promise(
          () =>
            new Promise<void>((done) => {
              server.close(() => done())
              server.emit("closing")
            })
        )
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  )
