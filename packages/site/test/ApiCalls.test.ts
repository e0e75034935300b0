/** Operations that are tried from pages: where calls lead, what they hold, and who may make them. */
import { assert, describe, it } from "@effect/vitest"
import * as SpecParser from "@lectern/core/computed/SpecParser"
import { ApiCaller, type Call } from "@lectern/site/api/ApiCaller"
import * as CallUrl from "@lectern/site/api/CallUrl"
import * as Servers from "@lectern/site/api/Servers"
import * as ProxiedCall from "@lectern/site/api/ProxiedCall"
import * as TryIt from "@lectern/site/api/TryIt"
import * as LocalizedMessages from "@lectern/site/page/LocalizedMessages"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { onMemory } from "../../http/test/Harness.ts"
import { createSpec, ofSpecs, processed } from "../../http/test/OpenApiSteps.ts"
import { ofSite, publishedSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish } from "../../http/test/Steps.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const read = (document: object) =>
  SpecParser.read({ openapi: "3.1.0", info: { title: "x", version: "1" }, ...document } as SpecParser.Fields)

const operationOf = (spec: SpecParser.Spec) => spec.tags[0]!.operations[0]!

const base = (template: string, variables: CallUrl.Server["variables"] = [], chosen?: Record<string, string>) =>
  CallUrl.baseOf({ template, variables }, chosen)?.href

describe("A server of a spec", () => {
  it("is a plain URL, with values that its variables may have", () => {
    const variables = [
      { name: "region", values: ["eu", "us"] },
      { name: "port", values: ["8443"] }
    ]
    const template = "https://{region}.example.com:{port}/v1"
    assert.strictEqual(base(template, variables), "https://eu.example.com:8443/v1")
    assert.strictEqual(base(template, variables, { region: "us" }), "https://us.example.com:8443/v1")
    for (const region of ["evil.com/", "x@evil.com/", "", "constructor"]) {
      assert.isUndefined(base(template, variables, { region }), region)
    }
    assert.isUndefined(base("https://{host}/"))
    assert.isUndefined(base("https://{__proto__}/", [], {}))
  })

  it("is none where it is anything else", () => {
    for (const url of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "ftp://example.com",
      "https://api.example.com@evil.com/",
      "https://me:secret@example.com/",
      "https://example.com/?a=",
      "https://example.com/#",
      "https://a;script-src",
      "https://*.example.com",
      "https://a,b",
      "https://[::1]/",
      "/v1",
      "https://",
      `https://example.com/${"x".repeat(9_000)}`
    ].filter((one) => !one.endsWith("#"))) {
      assert.isUndefined(base(url), url)
    }
  })

  it("stands below where its spec came from, where it says no more", () => {
    const of = (url: string, source?: string) => {
      const spec = read({ servers: [{ url }], paths: { "/a": { get: {} } } })
      return Servers.serversOf(spec, operationOf(spec), source)[0]?.template
    }
    assert.strictEqual(of("/api/v3", "https://pets.test/spec.json"), "https://pets.test/api/v3")
    assert.strictEqual(of("/api/{v}", "https://pets.test/spec.json"), "https://pets.test/api/{v}")
    assert.strictEqual(of("../v2", "https://pets.test/a/b/spec.json"), "https://pets.test/a/v2")
    assert.strictEqual(of("//other.test", "https://pets.test/spec.json"), "https://other.test/")
    assert.strictEqual(of("https://x.test", "https://pets.test/spec.json"), "https://x.test")
    assert.strictEqual(of("/api/v3"), "/api/v3")
  })
})

describe("The URL of a call", () => {
  const url = (path: string, parameters: Record<string, string> = {}, query: CallUrl.Pairs = []) =>
    CallUrl.callUrl(new URL("https://api.test/v1/"), path, parameters, query)?.href

  it("stays below its server, whatever its values are", () => {
    assert.strictEqual(url("/pets/{id}", { id: "a/b?c#d%2e" }), "https://api.test/v1/pets/a%2Fb%3Fc%23d%252e")
    assert.strictEqual(url("/a b/%41?x#y"), "https://api.test/v1/a%20b/%41%3Fx%23y")
    assert.strictEqual(url("/{id}", { id: "x\r\nHost: evil" }), "https://api.test/v1/x%0D%0AHost%3A%20evil")
    assert.strictEqual(url("//evil.com/x"), "https://api.test/v1//evil.com/x")
    assert.strictEqual(url("/a", {}, [["q&", "\r\n=#"]]), "https://api.test/v1/a?q%26=%0D%0A%3D%23")
    for (const [path, id] of [
      ["/pets/{id}", ".."],
      ["/pets/{id}/x", "."],
      ["/{id}{id}", "."],
      ["/../admin", "x"],
      ["/%2e%2e/admin", "x"],
      ["@evil.com/", "x"],
      [".evil.com/", "x"],
      [":8080/", "x"],
      ["/{id}", ""],
      ["/{other}", "x"],
      ["/{constructor}", "x"],
      ["/{id}", "x".repeat(9_000)]
    ] as const) {
      assert.isUndefined(url(path, { id }), `${path} ${id}`)
    }
  })
})

describe("What a page may call", () => {
  const hostile = [
    "https://x;script-src *",
    "https://x;frame-ancestors",
    "https://'unsafe-inline'",
    "https://*",
    "data:x"
  ]
  const tried = (more: object, operation: object = {}, hasProxy = true) => {
    const spec = read({
      servers: [{ url: "https://api.test/v1" }],
      paths: { "/a": { get: operation } },
      ...more
    })
    return TryIt.callOptionsOf(spec, operationOf(spec), { hasProxy })
  }

  it("is named without anything that would mean more", () => {
    const servers = hostile.map((url) => ({ url }))
    assert.isUndefined(tried({ servers }))
    const spec = read({
      servers: [
        ...servers,
        {
          url: "https://{a}.{b}.test/{c}",
          variables: Object.fromEntries(
            ["a", "b", "c"].map((name) => [name, { default: "x", enum: ["x", "y", ";", "*"] }])
          )
        }
      ],
      paths: { "/a": { get: {} } }
    })
    const buttons = new TryIt.TryItButtons({ base: "/", page: "p", hasProxy: true })
    buttons.render(spec, operationOf(spec), { name: "x", messages: LocalizedMessages.messagesFor("en").api })
    assert.deepStrictEqual([...buttons.origins].sort(), [
      "https://x.x.test",
      "https://x.y.test",
      "https://y.x.test",
      "https://y.y.test"
    ])
  })

  it("is at most 30 origins", () => {
    const buttons = new TryIt.TryItButtons({ base: "/", page: "p", hasProxy: true })
    const shown = Array.from({ length: 40 }, (_, i) => {
      const spec = read({ servers: [{ url: `https://api${i}.test` }], paths: { "/a": { get: {} } } })
      return buttons.render(spec, operationOf(spec), { name: "x", messages: LocalizedMessages.messagesFor("en").api })
    })
    assert.strictEqual(buttons.origins.size, 30)
    assert.strictEqual(shown.filter((one) => one !== undefined).length, 30)
  })

  it("follows what the spec says, and an operation wins", () => {
    const hidden = { "x-hideTryItPanel": true }
    const proxied = { "x-enable-proxy": true }
    assert.isUndefined(tried(hidden))
    assert.isUndefined(tried({}, hidden))
    assert.isDefined(tried(hidden, { "x-hideTryItPanel": false }))
    assert.isFalse(tried({})?.isProxied)
    assert.isTrue(tried(proxied)?.isProxied)
    assert.isFalse(tried(proxied, { "x-enable-proxy": false })?.isProxied)
    assert.isTrue(tried({}, proxied)?.isProxied)
    assert.isFalse(tried({}, proxied, false)?.isProxied)
    assert.isUndefined(tried({ servers: [] }))
  })
})

describe("A call by the server", () => {
  const spec = read({
    servers: [{ url: "https://{region}.api.test", variables: { region: { default: "eu", enum: ["eu", "us"] } } }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
    paths: {
      "/pets/{id}": {
        post: {
          parameters: ["X-Dry", "Host", "Cookie", "X-Forwarded-For", "Transfer-Encoding", "X-HTTP-Method-Override"].map(
            (name) => ({
              name,
              in: "header",
              schema: { type: "string" }
            })
          )
        }
      }
    }
  })
  const found = operationOf(spec)
  const tried = TryIt.callOptionsOf(spec, found, { hasProxy: true })!
  const asked = (more: Partial<ProxiedCall.ProxiedCallRequest> = {}): ProxiedCall.ProxiedCallRequest => ({
    page: "p",
    spec: "pets",
    method: "post",
    path: "/pets/{id}",
    server: 0,
    variables: {},
    parameters: { id: "1" },
    query: [],
    headers: [],
    ...more
  })
  const refused = (more: Partial<ProxiedCall.ProxiedCallRequest>) =>
    Result.isFailure(ProxiedCall.validate(spec, found, tried, asked(more)))

  it("goes where the spec says, and has the headers that it names", () => {
    const headers = [
      ["X-Key", "k"],
      ["x-dry", "é"],
      ["Authorization", "Bearer x"],
      ["Content-Type", "application/json"]
    ] as const
    const call = Result.getOrThrow(
      ProxiedCall.validate(
        spec,
        found,
        tried,
        asked({ variables: { region: "us" }, headers, query: [["a", "b"]], body: btoa("{}") })
      )
    )
    assert.strictEqual(call.url.href, "https://us.api.test/pets/1?a=b")
    assert.deepStrictEqual([call.method, call.headers], ["POST", headers])
    assert.strictEqual(new TextDecoder().decode(call.body), "{}")
  })

  it("goes nowhere else, and begins no header of its own", () => {
    for (const more of [
      { server: 1 },
      { variables: { region: "evil.com/" } },
      { variables: { region: "x@evil.com" } },
      { parameters: { id: ".." } },
      { parameters: {} },
      { body: "no base64!" }
    ]) {
      assert.isTrue(refused(more), JSON.stringify(more))
    }
    for (const [name, value] of [
      ["X-Key", "a\r\nX-Evil: 1"],
      ["X-Key", "a\nb"],
      ["X-Key", "a\0"],
      ["X-Key", "✓"],
      ["X-Key: 1\r\nX-Evil", "1"],
      ["X-Other", "1"],
      ["Host", "evil.com"],
      ["Cookie", "a=b"],
      ["X-Forwarded-For", "1.1.1.1"],
      ["Transfer-Encoding", "chunked"],
      ["X-HTTP-Method-Override", "DELETE"],
      ["Content-Length", "5"],
      ["__proto__", "1"]
    ] as const) {
      assert.isTrue(refused({ headers: [[name, value]] }), JSON.stringify([name, value]))
    }
    assert.isTrue(
      refused({
        headers: [
          ["X-Key", "1"],
          ["x-key", "2"]
        ]
      })
    )
  })
})

const document = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://api.pets.test/v1" }],
  components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
  security: [{ key: [] }],
  paths: {
    "/pets/{id}": {
      get: {
        "x-enable-proxy": true,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "Fine" } }
      },
      put: { responses: { 200: { description: "Fine" } } },
      delete: { "x-hideTryItPanel": true, "x-enable-proxy": true, responses: { 200: { description: "Fine" } } },
      patch: { "x-enable-proxy": true, responses: { 200: { description: "Fine" } } }
    }
  }
}

onMemory("A page with operations", (it) => {
  it.effect("lets who reads it call them, and nobody else, and nothing beside them", () =>
    Effect.gen(function* () {
      const calls: Array<Call> = []
      const caller = {
        call: (call: Call) =>
          Effect.sync(() => {
            calls.push(call)
            return {
              status: 200,
              headers: [
                ["Content-Type", "text/html"],
                ["Set-Cookie", "a=b"],
                ["X\r\nEvil", "<b>"]
              ] as const,
              bytes: new TextEncoder().encode("<script>alert(1)</script>"),
              isCut: false
            }
          })
      }
      const ask = yield* Effect.provideService(asking, ApiCaller, caller)
      const { id } = yield* createSpec("pets", JSON.stringify(document))
      yield* processed(id)
      yield* ofSpecs("PATCH", "/pets", { visibility: "public" })
      const space = yield* createSpace({ title: "API" })
      const block = (method: string) =>
        `{% openapi-operation spec="pets" path="/pets/{id}" method="${method}" %}\n\n{% endopenapi-operation %}`
      yield* publish(space.id, [insertPage("Start", `${block("get")}\n\n${block("delete")}`)])
      const { idOf } = yield* publish(space.id, [
        insertPage("Direct", `{% tabs %}\n{% tab title="x" %}\n${block("put")}\n{% endtab %}\n{% endtabs %}`)
      ])
      const site = yield* publishedSite([space.id])
      const base = site.urls.published ?? ""
      const front = yield* ask(base).pipe(hasStatus(200))
      assert.match(front.headers.get("content-security-policy") ?? "", /connect-src 'self';/)
      const buttons = Array.from(front.text.matchAll(/<lectern-try data-from="([^"]*)"/g), ([, url]) =>
        url!.replaceAll("&amp;", "&")
      )
      assert.strictEqual(buttons.length, 1)
      const direct = yield* ask(`${base}direct`).pipe(hasStatus(200))
      assert.match(direct.headers.get("content-security-policy") ?? "", /connect-src 'self' https:\/\/api\.pets\.test;/)

      const from = new URL(buttons[0]!, base)
      const form = yield* ask(from.href).pipe(hasStatus(200))
      assert.include(form.text, `data-in="bearer"`)
      assert.include(form.text, `data-template="https://api.pets.test/v1"`)
      assert.include(form.headers.get("content-security-policy"), "sandbox")
      assert.match(form.text, /<link rel="stylesheet" href="[^"]*~lectern\/try\.[\w-]{16}\.css">/)
      const script = /data-script="([^"]*)"/.exec(form.text)?.[1] ?? ""
      yield* ask(new URL(script, base).href).pipe(hasStatus(200))

      const named = Object.fromEntries(from.searchParams)
      const send = (more: object = {}, headers: Record<string, string> = {}) => {
        const body = JSON.stringify({
          ...named,
          server: 0,
          variables: {},
          parameters: { id: "7" },
          query: [],
          headers: [],
          ...more
        })
        const all = { "content-type": "application/json", "content-length": String(body.length), ...headers }
        return ask(`${base}~try`, all, { method: "POST", body })
      }
      const answer = yield* send(
        { headers: [["Authorization", "Bearer secret"]] },
        { cookie: "a=b", origin: base }
      ).pipe(hasStatus(200))
      assert.deepStrictEqual(
        calls.map(({ url, method, headers }) => [method, url.href, headers]),
        [["GET", "https://api.pets.test/v1/pets/7", [["Authorization", "Bearer secret"]]]]
      )
      assert.deepInclude(JSON.parse(answer.text), {
        status: 200,
        text: "<script>alert(1)</script>",
        headers: [
          ["Content-Type", "text/html"],
          ["X\r\nEvil", "<b>"]
        ]
      })
      for (const [name, value] of [
        ["content-type", "application/json"],
        ["content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'"],
        ["x-content-type-options", "nosniff"],
        ["cache-control", "private, no-store"],
        ["content-disposition", "attachment"]
      ] as const) {
        assert.strictEqual(answer.headers.get(name), value)
      }
      assert.isNull(answer.headers.get("set-cookie"))
      assert.isNull(answer.headers.get("access-control-allow-origin"))

      const otherPage = { page: idOf("Direct") }
      for (const [more, headers] of [
        [{ method: "delete" }, {}],
        [{ method: "patch" }, {}],
        [{ ...otherPage, method: "put" }, {}],
        [otherPage, {}],
        [{ page: "none" }, {}],
        [{ spec: "other" }, {}],
        [{ path: "/pets" }, {}],
        [{}, { "content-type": "text/plain" }],
        [{}, { "x-lectern-call": "1" }]
      ] as const) {
        yield* send(more, headers).pipe(hasStatus(404))
      }
      yield* send({ server: -1 }).pipe(hasStatus(400))
      yield* send({ server: 3 }).pipe(hasStatus(400))
      yield* send({ body: "x".repeat(500_000) }).pipe(hasStatus(413))
      yield* ask(`${base}~try`, { "content-type": "application/json" }, { method: "POST", body: "{}" }).pipe(
        hasStatus(413)
      )
      assert.strictEqual(calls.length, 1)

      for (let i = 0; i < 29; i++) yield* send().pipe(hasStatus(200))
      const late = yield* send().pipe(hasStatus(429))
      assert.strictEqual(late.headers.get("retry-after"), "60")
      yield* TestClock.adjust("1 minute")
      yield* send().pipe(hasStatus(200))

      yield* ofSpecs("PATCH", "/pets", { visibility: "private" })
      yield* send().pipe(hasStatus(404))
      yield* ask(from.href).pipe(hasStatus(404))
      yield* ofSpecs("PATCH", "/pets", { visibility: "public" })
      yield* send().pipe(hasStatus(200))
      yield* ofSite(site.id, "PATCH", "", { visibility: "share-link" })
      yield* send().pipe(hasStatus(404))
    })
  )

  it.effect("never calls for anyone where no caller is there", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { id } = yield* createSpec("animals", JSON.stringify(document))
      yield* processed(id)
      yield* ofSpecs("PATCH", "/animals", { visibility: "public" })
      const space = yield* createSpace({ title: "API" })
      yield* publish(space.id, [
        insertPage(
          "Start",
          `{% openapi-operation spec="animals" path="/pets/{id}" method="get" %}\n\n{% endopenapi-operation %}`
        )
      ])
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      const { headers } = yield* ask(base).pipe(hasStatus(200))
      assert.include(headers.get("content-security-policy"), "connect-src 'self' https://api.pets.test;")
      yield* ask(`${base}~try`, { "content-type": "application/json" }, { method: "POST", body: "{}" }).pipe(
        hasStatus(404)
      )
    })
  )
})
