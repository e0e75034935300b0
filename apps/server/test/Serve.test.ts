import { once } from "node:events"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import Database from "better-sqlite3"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, lectern, lecternJson, serve, temporaryFolder } from "./LecternProcess.ts"

const chosen = "a-token-that-an-operator-chose-0123456789"

/** One clear sentence on standard error, and no stack. */
const assertRefused = async (finished: ReturnType<typeof lectern>, about: RegExp) => {
  const { code, stdout, stderr } = await finished
  assert.strictEqual(code, 1)
  assert.strictEqual(stdout, "")
  assert.match(stderr, about)
  assert.strictEqual(stderr.trim().split("\n").length, 1, stderr)
}

describe("lectern serve", () => {
  afterEach(cleanUp)

  it("a first start makes what is needed, and a second keeps it", async () => {
    const data = join(temporaryFolder(), "new", "data")
    const first = await serve(data)
    console.info(`The server of this test listened on ${first.url}`)
    assert.isTrue(first.ready.firstStart)
    const me = await first.call("GET", "/v1/user")
    assert.strictEqual(me.body.id, first.ready.user.id)
    const spaces = await first.call("GET", `/v1/orgs/${first.ready.organization.id}/spaces`)
    assert.deepStrictEqual(
      spaces.body.items.map(({ title }: { title: string }) => title),
      ["", ": Embed", ": Run", ": Reference"].map((section) => `Lectern documentation${section}`)
    )
    assert.strictEqual(spaces.body.items[0].id, first.ready.space.id)
    const pages = await first.call("GET", `/v1/spaces/${first.ready.space.id}/content/pages`)
    assert.strictEqual(pages.status, 200)
    const { manual } = first.ready
    assert.strictEqual(manual, `${first.url}/sites/lectern-manual/`)
    const front = await fetch(first.url)
    assert.strictEqual(front.status, 200)
    assert.include(await front.text(), '<div id="console"></div>')
    const page = await fetch(manual)
    assert.strictEqual(page.status, 200)
    const text = await page.text()
    assert.include(text, "<h1>Welcome to Lectern</h1>")
    assert.isTrue(page.headers.has("x-request-id"))
    // Tabs of the other sections, and the reference of the interface.
    for (const title of ["Embed", "Run", "Reference"]) assert.match(text, new RegExp(`</span>${title}</a></li>`))
    const reference = await fetch(new URL("/docs/spaces", first.url))
    assert.strictEqual(reference.status, 200)
    assert.include(await reference.text(), `<h1>Spaces</h1>`)
    // By the other name of this machine the reader stays there.
    const { port } = new URL(first.url)
    const [, css] = /rel="stylesheet" href="([^"]+)"/.exec(text)!
    const elsewhere = await fetch(`http://localhost:${port}/sites/lectern-manual/`)
    assert.strictEqual(elsewhere.status, 200)
    assert.strictEqual((await fetch(new URL(css!, elsewhere.url))).headers.get("content-encoding"), "gzip")
    assert.strictEqual((await first.signal("SIGTERM")).code, 0)

    const second = await serve(data, { token: first.ready.token })
    assert.deepStrictEqual(Object.keys(second.ready), ["url", "integrationsUrl", "data", "firstStart"])
    assert.isFalse(second.ready.firstStart)
    assert.strictEqual((await second.call("GET", `/v1/spaces/${first.ready.space.id}`)).status, 200)
    assert.strictEqual((await second.signal("SIGINT")).code, 0)
  })

  it("the first administrator gets the token that the operator chose", async () => {
    const data = temporaryFolder()
    const server = await serve(data, { env: { LECTERN_BOOTSTRAP_TOKEN: chosen } })
    assert.isUndefined(server.ready.token)
    assert.strictEqual((await server.call("GET", "/v1/user", undefined, chosen)).status, 200)
    await server.signal("SIGTERM")
    const again = await serve(data, { env: { LECTERN_BOOTSTRAP_TOKEN: chosen } })
    assert.isFalse(again.ready.firstStart)
    assert.strictEqual((await again.call("GET", "/v1/user", undefined, chosen)).status, 200)
  })

  it("a chosen token that is too short is refused before anything is written", async () => {
    const data = join(temporaryFolder(), "data")
    await assertRefused(
      lectern(["serve", "--port", "0", "--data", data], { LECTERN_BOOTSTRAP_TOKEN: "short" }),
      /32 to 256/
    )
    assert.isFalse(existsSync(data))
  })

  it("a port in use is said, and nothing is written", async () => {
    const server = await begunServer()
    const data = join(temporaryFolder(), "data")
    const port = new URL(server.url).port
    await assertRefused(lectern(["serve", "--port", port, "--data", data]), new RegExp(`Port ${port} .* in use`))
    assert.isFalse(existsSync(data))
  })

  it("another server on the same data is told of, and none once it was killed", async () => {
    const first = await begunServer()
    const data: string = first.ready.data
    const second = await serve(data)
    const { stderr } = await second.signal("SIGTERM")
    assert.include(stderr, `Another server uses the data in ${data}: process ${first.child.pid} on `)
    await first.signal("SIGKILL")
    const third = await serve(data)
    assert.notInclude((await third.signal("SIGTERM")).stderr, "Another server")
  })

  it("settings that can't be meant are said", async () => {
    const data = join(temporaryFolder(), "data")
    await assertRefused(lectern(["serve", "--data", data], { LECTERN_PORT: "70000" }), /LECTERN_PORT is "70000"/)
    assert.isFalse(existsSync(data))
  })

  it("a file in place of the data folder, or in its way, is said", async () => {
    const file = join(temporaryFolder(), "file")
    writeFileSync(file, "")
    await assertRefused(
      lectern(["serve", "--port", "0", "--data", file]),
      /data folder .* can't be used: a file has its name/
    )
    await assertRefused(
      lectern(["serve", "--port", "0", "--data", join(file, "data")]),
      /can't be used: .* parent folder/
    )
    // Node's own way to make it would never end.
    if (existsSync("/proc/self")) {
      await assertRefused(
        lectern(["serve", "--port", "0", "--data", "/proc/none"]),
        /\/proc\/none can't be used: it does not exist/
      )
    }
  })

  it("a database of a newer version, or one that is none, is said and left alone", async () => {
    const server = await begunServer()
    await server.signal("SIGTERM")
    const newer: string = server.ready.data
    const database = new Database(join(newer, "lectern.db"))
    database.pragma("user_version = 4711")
    database.close()
    await assertRefused(lectern(["serve", "--port", "0", "--data", newer]), /version 4711/)

    const none = temporaryFolder()
    writeFileSync(join(none, "lectern.db"), "This is no database. ".repeat(500))
    await assertRefused(lectern(["serve", "--port", "0", "--data", none]), /database/)
  })

  it("a database that can't be a file is said", async () => {
    const data = temporaryFolder()
    mkdirSync(join(data, "lectern.db"))
    await assertRefused(lectern(["serve", "--port", "0", "--data", data]), /database/)
  })

  it("a request that asks for no path is refused as any other", async () => {
    const server = await begunServer()
    const { hostname, port } = new URL(server.url)
    const ask = async (line: string) => {
      const socket = connect(Number(port), hostname)
      let answer = ""
      socket.on("data", (chunk: Buffer) => (answer += chunk))
      socket.write(`${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}`)
      await once(socket, "close")
      return answer
    }
    for (const line of ["OPTIONS *", "POST *", "GET http://[", "POST http://x:999999/v1/user"]) {
      const answer = await ask(line)
      assert.match(answer, /^HTTP\/1\.1 400 /, line)
      assert.match(answer, /x-request-id: /i, line)
      assert.include(answer, "The request has no path on this server", line)
    }
    // Proxies may ask for a whole URL.
    assert.match(await ask("GET http://x/healthz"), /^HTTP\/1\.1 200 /)
  })

  it("SIGTERM: takes no more connections, answers what runs, and ends with 0", async () => {
    const server = await begunServer()
    const body = JSON.stringify({ title: "While it stops" })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let answer = ""
    socket.on("data", (chunk: Buffer) => (answer += chunk))
    const closed = new Promise((done) => socket.on("close", done))
    socket.write(
      `PATCH /v1/spaces/${server.ready.space.id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`
    )
    // The server asks for the body, so it is at work on the request.
    while (!answer.includes("100 Continue")) await new Promise((done) => socket.once("data", done))
    server.child.kill("SIGTERM")
    // It takes no more connections once it has got the signal.
    while (
      await fetch(`${server.url}/healthz`).then(
        (response) => response.ok,
        () => false
      )
    );
    socket.write(body)
    await closed
    assert.match(answer, /HTTP\/1\.1 200/)
    assert.strictEqual((await server.finished).code, 0)
    const again = await serve(server.ready.data, { token: server.token })
    const space = await again.call("GET", `/v1/spaces/${server.ready.space.id}`)
    assert.strictEqual(space.body.title, "While it stops")
  })

  it("logs are lines of JSON on standard error, a line per request at debug; standard output has none", async () => {
    const server = await begunServer({ args: ["--log-level", "debug"] })
    await server.call("GET", "/v1/user")
    const { stdout, stderr } = await server.signal("SIGTERM")
    assert.deepInclude(server.ready, JSON.parse(stdout))
    const lines: ReadonlyArray<any> = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const request = lines.find(({ message }) => message === "request")
    assert.deepInclude(request.annotations, { method: "GET", path: "/v1/user", status: 200 })
  })

  it("goes on where nobody takes its log and its access log, and ends with 0", async () => {
    const server = await begunServer({ env: { LECTERN_LOG_LEVEL: "debug", LECTERN_ACCESS_LOG: "-" } })
    server.child.stdout!.destroy()
    server.child.stderr!.destroy()
    for (let i = 0; i < 20; i++) assert.strictEqual((await fetch(`${server.url}/healthz`)).status, 200)
    const { code } = await server.signal("SIGTERM")
    assert.strictEqual(code, 0)
  })

  it("a first start that was killed before its token was shown is taken up by the next", async () => {
    const server = await begunServer()
    await server.signal("SIGTERM")
    const { data } = server.ready
    const database = new Database(join(data, "lectern.db"))
    const changed = database
      .prepare(`UPDATE "t_first_start" SET doc = json_set(doc, '$.finished', json('false'))`)
      .run()
    database.close()
    assert.strictEqual(changed.changes, 1)
    const again = await serve(data)
    assert.isTrue(again.ready.firstStart)
    assert.strictEqual(again.ready.organization.id, server.ready.organization.id)
    assert.strictEqual((await again.call("GET", "/v1/user")).status, 200)
    assert.strictEqual((await again.call("GET", "/v1/orgs")).body.items.length, 1)
    await again.signal("SIGTERM")
    assert.isFalse((await serve(data)).ready.firstStart)
  })

  it("a first start leaves alone what an operator made before", async () => {
    const data = temporaryFolder()
    const made = await lecternJson([
      "organization",
      "create",
      "--title",
      "Mine",
      "--email",
      "me@example.com",
      "--data",
      data
    ])
    const server = await serve(data, { token: made.token })
    assert.isFalse(server.ready.firstStart)
    assert.strictEqual((await server.call("GET", "/v1/orgs")).body.items.length, 1)
  })
})
