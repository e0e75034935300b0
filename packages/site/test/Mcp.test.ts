/** The documentation of sites as tools, asked by a real client over HTTP. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { onMemory } from "../../http/test/Harness.ts"
import { createShareLink, createSite, patchSite, publishedSite, publishSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish, spaceWith } from "../../http/test/Steps.ts"
import * as McpResponseFormat from "../src/machine-readable/McpResponseFormat.ts"
import { clientOf } from "./McpClient.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

onMemory("Tools of a site", (it) => {
  it.effect("only read, and find, list and read what is on it", () =>
    Effect.gen(function* () {
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [
        insertPage("Start", "Hello"),
        insertPage("Install", "With a spanner", { description: "How to begin" }),
        insertPage("Hidden", "Spanner", { noIndex: true })
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      const { client, call } = yield* clientOf(base)
      const { tools } = yield* Effect.promise(() => client.listTools())
      assert.includeMembers(
        tools.map(({ name }) => name),
        ["searchDocumentation", "getPage", "listPages", "getOperation"]
      )
      for (const { annotations, description } of tools) {
        assert.deepInclude(annotations, { readOnlyHint: true, destructiveHint: false, openWorldHint: false })
        assert.isString(description)
      }
      const { found: search } = yield* call("searchDocumentation", { query: "spanner" })
      assert.deepInclude(search.results![0], { title: "Install", url: `${base}install`, description: "How to begin" })
      const { found: list } = yield* call("listPages", {})
      assert.deepStrictEqual(
        list.pages!.map(({ url }) => url),
        [base, `${base}install`]
      )
      for (const url of [`${base}install`, `${base}install.md`, "install", "/install"]) {
        const { found } = yield* call("getPage", { url })
        assert.include(found.markdown!, "# Install\n\nHow to begin\n\nWith a spanner")
        assert.strictEqual(found.url, `${base}install`)
      }
      assert.include((yield* call("getPage", { url: base })).found.markdown!, "Hello")
      for (const url of ["nowhere", "https://elsewhere.example/install", "../other/install", "javascript:1"]) {
        const { isError, text } = yield* call("getPage", { url })
        assert.isTrue(isError, `${url}: ${text}`)
        assert.include(text, "There is no such page here")
      }
      const refused = yield* Effect.promise(() =>
        client.callTool({ name: "getPage", arguments: { url: 1 } }).then(
          ({ isError }) => isError,
          () => true
        )
      )
      assert.isTrue(refused)
    })
  )

  it.effect("answer in the form that a client accepts", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "Hello" })
      const base = (yield* publishedSite([space])).urls.published ?? ""
      const clientInfo = { name: "test", version: "1.0.0" }
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
      const begin = (accept: string | undefined) =>
        ask(
          `${base}~lectern/mcp`,
          { "content-type": "application/json", ...(accept !== undefined && { accept }) },
          { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }) }
        )
      for (const accept of [undefined, "*/*", "application/json", "application/*;q=0.5", "text/html, */*;q=0.1"]) {
        const { status, headers, text } = yield* begin(accept)
        assert.strictEqual(status, 200, accept)
        assert.include(headers.get("content-type"), "application/json")
        assert.strictEqual(JSON.parse(text).result.protocolVersion, "2025-06-18")
        assert.isNotEmpty(headers.get("mcp-session-id"))
      }
      const streamed = yield* begin("text/event-stream").pipe(hasStatus(200))
      assert.include(streamed.headers.get("content-type"), "text/event-stream")
      assert.match(streamed.text, /^data: \{.*"protocolVersion":"2025-06-18".*\}\n\n$/)
      for (const accept of ["text/html", "application/json;q=0", "application/json;q=0, text/*;q=0, */*;q=0"]) {
        yield* begin(accept).pipe(hasStatus(406))
      }
      const called = yield* ask(
        `${base}~lectern/mcp`,
        {
          "content-type": "application/json",
          accept: "application/json",
          "mcp-session-id": (yield* begin("application/json")).headers.get("mcp-session-id") ?? "",
          "mcp-protocol-version": "2025-06-18"
        },
        {
          method: "POST",
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 2,
            method: "tools/call",
            params: { name: "searchDocumentation", arguments: { query: "hello" }, _meta: { progressToken: 1 } }
          })
        }
      ).pipe(hasStatus(200))
      assert.include(called.headers.get("content-type"), "application/json")
      assert.strictEqual(JSON.parse(called.text).id, 2)
    })
  )

  it("hold responses alone as JSON, whatever comes before them", async () => {
    const events = [
      { jsonrpc: "2.0", method: "notifications/progress" },
      { jsonrpc: "2.0", id: 1, result: {} }
    ]
    const streamed = HttpServerResponse.text(events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""), {
      contentType: "text/event-stream"
    })
    const { body } = await Effect.runPromise(McpResponseFormat.convertResponse(streamed, { json: true, events: false }))
    assert.isTrue(body._tag === "Uint8Array")
    if (body._tag !== "Uint8Array") return
    assert.strictEqual(body.contentType, "application/json")
    assert.deepStrictEqual(JSON.parse(new TextDecoder().decode(body.body)), events[1])
  })

  it.effect("are called some times in a request, and no more", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "Hello" })
      const base = (yield* publishedSite([space])).urls.published ?? ""
      const post = (message: unknown, headers: Record<string, string> = {}) =>
        ask(
          `${base}~lectern/mcp`,
          { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
          { method: "POST", body: JSON.stringify(message) }
        )
      const protocolVersion = "2025-03-26"
      const clientInfo = { name: "test", version: "1.0.0" }
      const params = { protocolVersion, capabilities: {}, clientInfo }
      const begun = yield* post({ jsonrpc: "2.0", id: 1, method: "initialize", params })
      const session = {
        "mcp-session-id": begun.headers.get("mcp-session-id") ?? "",
        "mcp-protocol-version": protocolVersion
      }
      yield* post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)
      const calls = (count: number) =>
        Array.from({ length: count }, (_, id) => ({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "listPages", arguments: {} }
        }))
      const { text } = yield* post(calls(20), session).pipe(hasStatus(200))
      assert.lengthOf(JSON.parse(text), 20)
      const { text: refusal } = yield* post(calls(21), session).pipe(hasStatus(400))
      assert.include(refusal, "A request holds at most 20 calls")
    })
  )

  it.effect("show each reader its own, however calls of several mix", () =>
    Effect.gen(function* () {
      const one = yield* spaceWith({ Start: "Of one" })
      const two = yield* spaceWith({ Start: "Of two" })
      const open = yield* publishedSite([one.space])
      const closed = yield* createSite([two.space])
      yield* patchSite(closed.id, { visibility: "share-link" })
      yield* publishSite(closed.id)
      const { url, key } = yield* createShareLink(closed.id)
      const first = yield* clientOf(open.urls.published ?? "")
      const second = yield* clientOf(url)
      const [a, b] = yield* Effect.all(
        [first.call("getPage", { url: "start" }), second.call("getPage", { url: "start" })],
        { concurrency: 2 }
      )
      assert.include(a.found.markdown!, "Of one")
      assert.include(b.found.markdown!, "Of two")
      const stolen = yield* first.call("getPage", { url: `${url}start` })
      assert.isTrue(stolen.isError)
      const ask = yield* asking
      yield* ask(`${url.slice(0, -key.length - 1)}~lectern/mcp`, {}, { method: "POST", body: "{}" }).pipe(
        hasStatus(404)
      )
    })
  )

  it.effect("speak each version of the protocol, to pages of the site alone, and take nothing that is too long", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({ Start: "Hello" })
      const base = (yield* publishedSite([space])).urls.published ?? ""
      const ask = yield* asking
      const post = (body: unknown, headers: Record<string, string> = {}) =>
        ask(
          `${base}~lectern/mcp`,
          { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
          { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }
        )
      const initialize = (protocolVersion: string) => ({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } }
      })
      for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
        const answer = yield* post(initialize(version)).pipe(hasStatus(200))
        assert.include(answer.text, `"protocolVersion":"${version}"`)
        assert.isString(answer.headers.get("mcp-session-id"))
      }
      const stateless = yield* post(
        {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/list",
          params: {
            _meta: {
              "io.modelcontextprotocol/protocolVersion": "2026-07-28",
              "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
              "io.modelcontextprotocol/clientCapabilities": {}
            }
          }
        },
        { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" }
      )
      assert.include(stateless.text, "searchDocumentation")
      assert.isNull(stateless.headers.get("mcp-session-id"))
      yield* post(initialize("2025-11-25"), { origin: "https://elsewhere.example" }).pipe(hasStatus(403))
      yield* post(initialize("2025-11-25"), { origin: new URL(base).origin }).pipe(hasStatus(200))
      for (const body of ["", "{", "[]", "null", "x".repeat(100_000), `{"jsonrpc":"2.0","id":1,"method":"nothing"}`]) {
        const { status } = yield* post(body)
        assert.isTrue(status < 500, `${body.slice(0, 50)} was answered ${status}`)
      }
      const long = { ...initialize("2025-11-25"), padding: "x".repeat(100_000) }
      assert.isNull((yield* post(long)).headers.get("mcp-session-id"))
    })
  )

  it.effect("end the session that was used least of late for one more", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({ Start: "Hello" })
      const base = (yield* publishedSite([space])).urls.published ?? ""
      const ask = yield* asking
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
      })
      const begin = Effect.map(
        ask(`${base}~lectern/mcp`, headers, { method: "POST", body }),
        (answer) => answer.headers.get("mcp-session-id") ?? ""
      )
      const list = (session: string) =>
        ask(
          `${base}~lectern/mcp`,
          { ...headers, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" },
          { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list", params: {} }) }
        )
      const first = yield* begin
      const second = yield* begin
      for (let i = 0; i < 498; i++) yield* begin
      yield* list(first).pipe(hasStatus(200))
      yield* begin
      yield* list(first).pipe(hasStatus(200))
      yield* list(second).pipe(hasStatus(404))
    })
  )
})
