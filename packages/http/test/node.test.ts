/** Handlers of `Request` and `Response` in servers of `node:http`. */
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type RequestOptions, type ServerResponse } from "node:http"
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2"
import { type AddressInfo, connect } from "node:net"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { toNodeHandler } from "@lectern/http/node"

type Fetch = Parameters<typeof toNodeHandler>[0]["fetch"]

const servers: Array<{ readonly close: () => void }> = []

afterEach(() => {
  for (const { close } of servers.splice(0)) close()
})

const listen = async (listener: (message: IncomingMessage, response: ServerResponse) => unknown) => {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  servers.push({
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  })
  return { port: (server.address() as AddressInfo).port, host: "127.0.0.1" }
}

const serve = (fetch: Fetch) => listen(toNodeHandler({ fetch }))

/** Sends a request, and returns the whole response. */
const ask = async (options: RequestOptions, body?: string) => {
  const outgoing = request(options).end(body)
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage]
  let text = ""
  for await (const chunk of incoming) text += String(chunk)
  return { status: incoming.statusCode, headers: incoming.headersDistinct, text }
}

describe("toNodeHandler", () => {
  it("passes on the request as the client sent it", async () => {
    const at = await serve(async (request) =>
      Response.json({
        url: request.url,
        method: request.method,
        cookie: request.headers.get("cookie"),
        body: await request.text()
      })
    )
    const headers = { host: "acme.com", cookie: ["a=1", "b=2"] }
    const { text } = await ask({ ...at, path: "/help/x?a=%20", method: "PATCH", headers }, "words")
    assert.deepStrictEqual(JSON.parse(text), {
      url: "http://acme.com/help/x?a=%20",
      method: "PATCH",
      cookie: "a=1; b=2",
      body: "words"
    })
    const { text: whole } = await ask({ ...at, path: "http://elsewhere.example/x", headers: { host: "acme.com" } })
    assert.strictEqual(JSON.parse(whole).url, "http://acme.com/x")
    const { text: slashes } = await ask({ ...at, path: "//elsewhere.example/x", headers: { host: "acme.com" } })
    assert.strictEqual(JSON.parse(slashes).url, "http://acme.com//elsewhere.example/x")
  })

  it("works with HTTP/2", async () => {
    const handle = toNodeHandler({
      fetch: async ({ url, headers }) => Response.json({ url, cookie: headers.get("cookie") })
    })
    const server = createHttp2Server((message, response) => void handle(message, response))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    servers.push({ close: () => [client, server].forEach((end) => end.close()) })
    const stream = client.request({ ":path": "/help?a=1", ":authority": "acme.com", cookie: ["a=1", "b=2"] })
    let text = ""
    for await (const chunk of stream) text += String(chunk)
    assert.deepStrictEqual(JSON.parse(text), { url: "http://acme.com/help?a=1", cookie: "a=1; b=2" })
  })

  it("sends status, headers and body, and no body for HEAD", async () => {
    const at = await serve(async () => {
      const headers = new Headers({ "x-own": "yes" })
      headers.append("set-cookie", "a=1")
      headers.append("set-cookie", "b=2")
      return new Response("words", { status: 201, headers })
    })
    const answer = await ask(at)
    assert.deepInclude(answer, { status: 201, text: "words" })
    assert.deepStrictEqual(answer.headers["set-cookie"], ["a=1", "b=2"])
    assert.deepStrictEqual(answer.headers["x-own"], ["yes"])
    assert.deepInclude(await ask({ ...at, method: "HEAD" }), { status: 201, text: "" })
  })

  it("streams in both directions", async () => {
    const at = await serve(async ({ body }) => new Response(body))
    const outgoing = request({ ...at, method: "POST" })
    outgoing.write("one")
    const [incoming] = (await once(outgoing, "response")) as [IncomingMessage]
    for (const word of ["one", "two"]) {
      const [chunk] = (await once(incoming, "data")) as [Buffer]
      assert.strictEqual(chunk.toString(), word)
      if (word === "one") outgoing.write("two")
    }
    outgoing.end()
    incoming.resume()
    await once(incoming, "end")
  })

  it("sends large bodies no faster than they are read", async () => {
    const size = 8 * 1024 * 1024
    const at = await serve(async (request) => new Response(await request.arrayBuffer()))
    const { text } = await ask({ ...at, method: "POST" }, "x".repeat(size))
    assert.strictEqual(text.length, size)
  })

  it("aborts the request of a client that disconnects, and cancels its response", async () => {
    const started = Promise.withResolvers<AbortSignal>()
    const waiting = await serve(({ signal }) => {
      started.resolve(signal)
      return new Promise(() => {})
    })
    const outgoing = request(waiting)
      .on("error", () => {})
      .end()
    const signal = await started.promise
    assert.isFalse(signal.aborted)
    outgoing.destroy()
    await once(signal, "abort")

    const cancelled = Promise.withResolvers<void>()
    const sending = await serve(
      async () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
            cancel: () => cancelled.resolve()
          })
        )
    )
    const reading = request(sending)
      .on("error", () => {})
      .end()
    await once(reading, "response")
    reading.destroy()
    await cancelled.promise
  })

  it("cancels a response that starts after its client has disconnected", async () => {
    const started = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<void>()
    const at = await serve(async ({ signal }) => {
      started.resolve()
      await once(signal, "abort")
      return new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1)),
          cancel: () => cancelled.resolve()
        })
      )
    })
    const outgoing = request(at)
      .on("error", () => {})
      .end()
    await started.promise
    outgoing.destroy()
    await cancelled.promise
  })

  it("leaves requests without a response, and errors, to the next handler", async () => {
    const handle = toNodeHandler({
      fetch: async ({ url }) => {
        if (url.endsWith("/broken")) throw new Error("out of order")
        return undefined
      }
    })
    const at = await listen((message, response) =>
      handle(message, response, (error) => response.end(error?.message ?? "the application's own page"))
    )
    assert.strictEqual((await ask({ ...at, path: "/" })).text, "the application's own page")
    assert.strictEqual((await ask({ ...at, path: "/broken" })).text, "out of order")
    const last = await listen(handle)
    assert.strictEqual((await ask({ ...last, path: "/" })).status, 404)
    assert.strictEqual((await ask({ ...last, path: "/broken" })).status, 500)
  })

  it("leaves the body to the next handler, if the first one has no response", async () => {
    const first = toNodeHandler({ fetch: async () => undefined })
    const second = toNodeHandler({ fetch: async (request) => new Response(await request.text()) })
    const at = await listen((message, response) =>
      // The body arrives before the second handler, as after middleware that waits.
      first(message, response, () => setImmediate(() => void second(message, response)))
    )
    for (const body of ["words", "many words ".repeat(100_000), ""])
      assert.strictEqual((await ask({ ...at, method: "POST" }, body)).text, body)
  })

  it("refuses hosts that would change the path", async () => {
    const at = await serve(async ({ url }) => new Response(url))
    for (const host of ["acme.com/other", "a@b", "a b", "["])
      assert.strictEqual((await ask({ ...at, headers: { host } })).status, 400, host)
    const socket = connect(at).end("GET /acme.com/other HTTP/1.1\r\nHost: \r\n\r\n")
    const [chunk] = (await once(socket, "data")) as [Buffer]
    assert.include(chunk.toString(), "HTTP/1.1 400")
  })

  it("goes by what routers and parsers of the host have left", async () => {
    const handle = toNodeHandler({ fetch: async (request) => new Response(request.url + (await request.text())) })
    const withFields = (fields: object) =>
      listen(async (message, response) => {
        for await (const _ of message);
        await handle(Object.assign(message, fields), response)
      })
    const headers = { host: "acme.com", "content-type": "application/json" }
    const post = { method: "POST", headers, path: "/x" }
    const parsed = await withFields({ originalUrl: "/help/x", protocol: "https", body: { a: 1 } })
    assert.strictEqual((await ask({ ...parsed, ...post }, '{ "a": 1 }')).text, 'https://acme.com/help/x{"a":1}')
    const raw = await withFields({ body: Buffer.from("words") })
    assert.strictEqual((await ask({ ...raw, ...post }, "words")).text, "http://acme.com/xwords")
    const form = await withFields({ body: { a: "1" } })
    const urlEncoded = { host: "acme.com", "content-type": "application/x-www-form-urlencoded" }
    assert.strictEqual((await ask({ ...form, ...post, headers: urlEncoded }, "a=1")).status, 500)
  })
})
