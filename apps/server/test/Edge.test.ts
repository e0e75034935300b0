/** The edge of a running server: what it is told while it runs, whom it believes, and how it is reached. */
import { once } from "node:events"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { request as requestAt } from "node:http"
import { request } from "node:https"
import { type AddressInfo, createServer, type ListenOptions, type Server as NetServer } from "node:net"
import { join } from "node:path"
import type { TLSSocket } from "node:tls"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Certificates from "./Certificates.ts"
import { begunServer, cleanUp, lectern, type Server, temporaryFolder } from "./LecternProcess.ts"

/** Waits until the server has said this since it was asked to listen. */
const listenTo = (server: Server) => {
  let said = ""
  let tell = () => {}
  server.child.stderr!.on("data", (chunk: Buffer) => {
    said += chunk
    tell()
  })
  return async (about: RegExp): Promise<string> => {
    while (!about.test(said)) await new Promise<void>((told) => (tell = told))
    const all = said
    said = ""
    return all
  }
}

describe("lectern serve at its edge", () => {
  let server: Server
  let config: string
  let files: { readonly certificate: string; readonly key: string }
  let settings: string
  let log: string

  const put = (pair: Certificates.Pair) => Certificates.write(files, pair)

  beforeAll(async () => {
    const folder = temporaryFolder()
    config = join(folder, "settings.toml")
    files = Certificates.filesIn(folder)
    put(Certificates.one)
    log = join(folder, "access.log")
    settings = [
      `tls-certificate = "${files.certificate}"`,
      `tls-key = "${files.key}"`,
      'trusted-proxies = "127.0.0.1"',
      `access-log = "${log}"\n`
    ].join("\n")
    writeFileSync(config, `${settings}rate-limit = 1000\n`)
    server = await begunServer({ args: ["--config", config] })
  })
  afterAll(cleanUp)

  /** Over TLS, by a connection of its own. */
  const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const asked = request(server.url + path, {
      rejectUnauthorized: false,
      agent: false,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json", ...headers }
    })
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = await once(asked, "response")
    const { subject } = (response.socket as TLSSocket).getPeerCertificate()
    let text = ""
    for await (const chunk of response) text += chunk
    return { text, headers: response.headers as Record<string, string>, name: subject.CN }
  }

  it("the access log says where a request came from, whether its answer was kept or not", async () => {
    const path = `/v1/spaces/${server.ready.space.id}`
    const clients = [1, 2, 3, 4].map((n) => `2001:db8::${n}`)
    const ids: Array<string | undefined> = []
    for (const client of clients)
      ids.push((await ask(path, undefined, { "x-forwarded-for": client })).headers["x-request-id"])
    // It is written a moment later.
    const lines = async (): Promise<ReadonlyArray<{ readonly request: string; readonly address: string }>> => {
      for (;;) {
        const text = readFileSync(log, "utf8")
        if (text.includes(`"${ids.at(-1)}"`))
          return text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        await ask("/healthz")
      }
    }
    const told = (await lines()).filter(({ request }) => ids.includes(request))
    assert.deepStrictEqual(
      told.map(({ address }) => address),
      clients
    )
  })

  const limit = async () => (await ask("/v1/user")).headers["x-ratelimit-limit"]

  it("SIGHUP: reads again what may change, tells of it, and goes on with what it had where that can't be meant", async () => {
    const said = listenTo(server)
    const tell = (more: string) => {
      writeFileSync(config, `${settings}${more}`)
      server.child.kill("SIGHUP")
    }
    const fetched = async (slug: string) => {
      const source = { url: `${server.url}/openapi.json` }
      return (await ask(`/v1/orgs/${server.ready.organization.id}/openapi`, { slug, source })).text
    }
    assert.strictEqual(await limit(), "1000")
    assert.include(await fetched("one"), "private network")

    tell(`rate-limit = 2000\nlog-level = "debug"\nallowed-private-hosts = ["127.0.0.1"]\n`)
    const changes = await said(/setting rate-limit is/)
    assert.include(changes, `The setting rate-limit is \\"2000\\" and was \\"1000\\"`)
    assert.strictEqual(await limit(), "2000")
    await said(/"message":"request".*"status":200/s)
    assert.notInclude(await fetched("two"), "private network")

    tell("rate-limit = 3000\nlog-level = loud\n")
    assert.include(await said(/were not reloaded/), "is not valid TOML, line 6")
    tell("rate-limit = 3000\ncheck-links = true\nrate-limits = 1\n")
    assert.include(await said(/were not reloaded/), "did you mean rate-limit?")
    assert.strictEqual(await limit(), "2000")

    const collector = `otlp-url = "https://me:secret@otlp.example.com/in"\n`
    tell(`rate-limit = 3000\ncheck-links = true\n${collector}`)
    const later = await said(/setting otlp-url is/)
    assert.include(later, `The setting otlp-url is \\"https://…@otlp.example.com/in\\" and was nothing`)
    assert.match(later, /check-links is \\"on\\" and was \\"off\\": restart the server to apply it/)
    assert.strictEqual(await limit(), "3000")
    assert.include(await fetched("three"), "private network")

    tell(`rate-limit = 1000\ncheck-links = true\n${collector}`)
    const last = await said(/setting rate-limit is/)
    assert.include(last, `The setting rate-limit is \\"1000\\" and was \\"3000\\"`)
    assert.notInclude(last, "check-links")
    assert.strictEqual(await limit(), "1000")
  })

  it("a certificate is read again, and the former kept where the new one can't be used", async () => {
    const said = listenTo(server)
    assert.strictEqual((await ask("/healthz")).name, "one.example.com")
    put({ ...Certificates.two, key: Certificates.one.key })
    server.child.kill("SIGHUP")
    assert.include(await said(/The previous certificate stays in use/), "the key does not match the certificate")
    assert.strictEqual((await ask("/healthz")).name, "one.example.com")
    put(Certificates.two)
    server.child.kill("SIGHUP")
    // The interface, and integrations.
    await said(/certificate was reloaded.*certificate was reloaded/s)
    assert.strictEqual((await ask("/healthz")).name, "two.example.com")
  })

  it("callers behind a proxy are told apart by what it says of them", async () => {
    const left = async (address: string) => {
      const { headers } = await ask("/v1/user", undefined, { "x-forwarded-for": address, authorization: "" })
      return Number(headers["x-ratelimit-remaining"])
    }
    const first = await left("192.0.2.1")
    assert.deepStrictEqual(
      [await left("192.0.2.2"), await left("192.0.2.66, 192.0.2.1"), await left("192.0.2.67, 192.0.2.1")],
      [first, first - 1, first - 2]
    )
  })

  it("lectern health asks over TLS, and where nothing listens it says so", async () => {
    const port = new URL(server.url).port
    assert.strictEqual((await lectern(["health", "--config", config, "--port", port])).code, 0)
    const any = await lectern(["health", "--port", "0"])
    assert.strictEqual(any.code, 1)
    assert.match(any.stderr, /Port 0 stands for any free port: set --port to the port of the server/)
    const none = await lectern(["health", "--socket", join(temporaryFolder(), "none.sock")])
    assert.match(none.stderr, /The server at .*none\.sock can't be reached: .*ENOENT/)
  })

  /** Sockets that this process opens, and their descriptors. */
  const opened = async (places: ReadonlyArray<ListenOptions>) => {
    const sockets = places.map((place) => createServer().listen(place))
    await Promise.all(sockets.map((socket) => once(socket, "listening")))
    const descriptors = sockets.map((socket) => (socket as unknown as { _handle: { fd: number } })._handle.fd)
    return { sockets, descriptors }
  }

  it("sockets that somebody else opened are the interface's and that of integrations", async () => {
    const any = { port: 0, host: "127.0.0.1" }
    const { sockets, descriptors } = await opened([any, any])
    const port = (socket: NetServer) => (socket.address() as AddressInfo).port
    const [own, integrations] = sockets.map(port)
    const activated = await begunServer({ sockets: descriptors })
    for (const socket of sockets) socket.close()
    assert.strictEqual(activated.url, `http://127.0.0.1:${own}`)
    assert.strictEqual((await activated.call("GET", "/v1/user")).status, 200)
    const answer = await fetch(`http://127.0.0.1:${integrations}/v1/integrations/none`)
    assert.strictEqual(answer.status, 404)
    assert.strictEqual((await activated.signal("SIGTERM")).code, 0)
  })

  /** Ends listening here, and not for whom they were passed to: Node would remove their paths. */
  const leave = async (sockets: ReadonlyArray<NetServer>, paths: ReadonlyArray<string>) => {
    for (const path of paths) renameSync(path, `${path}-aside`)
    await Promise.all(sockets.map((socket) => once(socket.close(), "close")))
    for (const path of paths) renameSync(`${path}-aside`, path)
  }

  it("those of them that are paths are answered at, and need the URLs that people reach them by", async () => {
    const folder = temporaryFolder()
    const paths = ["own.sock", "of integrations.sock"].map((name) => join(folder, name))
    const [own, integrations] = paths
    const { sockets, descriptors } = await opened(paths.map((path) => ({ path })))
    const urls = {
      LECTERN_PUBLIC_URL: "https://docs.example.com",
      LECTERN_INTEGRATIONS_URL: "https://integrations.example.com"
    }
    const { ready } = await begunServer({ sockets: descriptors })
    assert.strictEqual(
      ready.error?.message,
      "A Unix socket has no URL: set LECTERN_PUBLIC_URL and LECTERN_INTEGRATIONS_URL"
    )
    const activated = await begunServer({ sockets: descriptors, env: urls })
    await leave(sockets, paths)
    const statusAt = async (socketPath: string, path: string) => {
      const [response] = await once(requestAt({ socketPath, path, agent: false }).end(), "response")
      return response.resume().statusCode
    }
    assert.strictEqual(activated.url, `unix:${own}`)
    assert.strictEqual(await statusAt(own!, "/readyz"), 200)
    assert.strictEqual(await statusAt(integrations!, "/v1/integrations/none"), 404)
    assert.strictEqual((await activated.signal("SIGTERM")).code, 0)
  })
})
