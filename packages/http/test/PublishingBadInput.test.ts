/**
 * Bad input where a site is published: schemas of claims, links, keys, redirects, and the tokens of visitors.
 * The site stays as it was.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { has, onEachAdapter } from "./Harness.ts"
import { areRefused, everything, makeSite, type Refusal, says } from "./SiteRefusals.ts"
import { ask, createShareLink, isNowhere, keyOf, nowInSeconds, ofSite, patchSite, resolve, token } from "./SiteSteps.ts"

onEachAdapter("Bad input where sites are published", (it) => {
  const object = (properties: unknown, more: Record<string, unknown> = {}) => ({
    type: "object",
    properties,
    additionalProperties: false,
    ...more
  })
  const deep = (n: number): unknown => (n === 0 ? { type: "boolean" } : object({ a: deep(n - 1) }))

  const badSchemas: ReadonlyArray<readonly [string, unknown]> = [
    ["another draft", object({}, { $schema: "https://json-schema.org/draft/2020-12/schema" })],
    ["a draft of elsewhere", object({}, { $schema: "http://example.com/draft-07/schema#" })],
    ["a remote reference", object({ a: { $ref: "https://example.com/schema.json" } })],
    ["a remote reference at the top", object({}, { $ref: "http://127.0.0.1:4000/openapi.json" })],
    ["a reference to a file", object({ a: { $ref: "file:///etc/passwd" } })],
    ["a reference without a base", object({ a: { type: "string", $ref: "other.json#/a" } })],
    ["a remote id", object({}, { $id: "https://example.com/schema.json" })],
    ["a keyword of a later draft", object({ a: { type: "string", unevaluatedProperties: false } })],
    ["a pattern", object({ a: { type: "string", pattern: "(a+)+$" } })],
    ["no object", { type: "string" }],
    ["other properties", { type: "object", properties: {} }],
    ["any properties", { type: "object", properties: {}, additionalProperties: true }],
    ["no properties", { type: "object", additionalProperties: false }],
    ["a list of types", object({ a: { type: ["string", "null"] } })],
    ["no type", object({ a: {} })],
    ["true for a schema", object({ a: true })],
    ["unsigned that is no object", object({ unsigned: { type: "string" } })],
    ["much too deep", deep(60)],
    [
      "too many claims",
      object(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`c${i}`, { type: "boolean" }])))
    ],
    ["too much text", object({ a: { type: "string", description: "x".repeat(33_000) } })],
    [
      "a prototype",
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}')
    ],
    ["true", true],
    ["null", null],
    ["text", "{}"],
    ["a list", []]
  ]

  it.effect("schemas of claims that are no draft-07, refer elsewhere, or say too much", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      yield* ofSite(site.id, "PUT", "/adaptive-schema", { jsonSchema: object({ plan: { type: "string" } }) }).pipe(
        has(200)
      )
      const before = yield* everything(site.id)
      for (const [what, jsonSchema] of badSchemas) {
        const answer = yield* ofSite(site.id, "PUT", "/adaptive-schema", { jsonSchema })
        says(answer, 400, what)
        assert.isTrue(
          JSON.parse(answer.text).error.issues.some(({ path }: { path: string }) => path.startsWith("body.jsonSchema")),
          `${what}: ${answer.text}`
        )
      }
      for (const body of [{}, { schema: object({}) }, object({}), []]) {
        says(yield* ofSite(site.id, "PUT", "/adaptive-schema", body), 400, "body")
      }
      assert.deepStrictEqual(yield* everything(site.id), before)
    })
  )

  it.effect("what is kept with a site: links, keys, redirects", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      const link = yield* createShareLink(site.id)
      const destination = { kind: "site-section", siteSectionId: site.first.id }
      const urls = [
        "",
        "x",
        "ftp://example.com",
        "javascript:alert(1)",
        "//example.com",
        "/login",
        `https://example.com/${"x".repeat(2048)}`,
        1,
        {}
      ]
      yield* areRefused(site.id, [
        ...urls.map((fallbackURL): Refusal => [
          "URL",
          400,
          "PATCH",
          "/publishing/auth",
          { fallbackURL },
          "body.fallbackURL"
        ]),
        ["backend", 400, "PATCH", "/publishing/auth", { backend: "other" }, "body.backend"],
        ["name", 400, "POST", "/share-links", { name: "x".repeat(51) }, "body.name"],
        ["name", 400, "POST", "/share-links", {}, "body.name"],
        ["active", 400, "PATCH", `/share-links/${link.id}`, { name: "New", active: "yes" }, "body.active"],
        ["no link", 404, "PATCH", "/share-links/absent", { name: "New" }],
        [
          "a destination that is not there",
          400,
          "POST",
          "/redirects",
          { source: "/a", destination: { ...destination, siteSectionId: "absent" } },
          "body.destination.siteSectionId"
        ],
        [
          "a destination without a kind",
          400,
          "POST",
          "/redirects",
          { source: "/a", destination: { siteSectionId: site.first.id } }
        ],
        [
          "a destination elsewhere",
          400,
          "POST",
          "/redirects",
          { source: "/a", destination: { kind: "url", url: "https://example.com" } }
        ],
        ["no redirect", 404, "PATCH", "/redirects/absent", { source: "/a" }]
      ])
    })
  )

  it.effect("tokens that are none let nobody in, and harm nothing", () =>
    Effect.gen(function* () {
      const site = yield* makeSite
      yield* patchSite(site.id, { visibility: "visitor-auth" })
      const key = yield* keyOf(site.id)
      const exp = (yield* nowInSeconds) + 3600
      const before = yield* everything(site.id)
      const good = token(key, { exp })
      const [header, payload, signature] = good.split(".") as [string, string, string]
      const critical = Buffer.from(JSON.stringify({ alg: "HS256", crit: ["x"], x: 1 })).toString("base64url")
      for (const jwtToken of [
        "",
        ".",
        "..",
        "...",
        `${good}.`,
        ` ${good}`,
        `Bearer ${good}`,
        good.slice(0, -1),
        `${header}.${payload}.`,
        `${header}.${payload}`,
        `${header}..${signature}`,
        `.${payload}.${signature}`,
        `${payload}.${payload}.${signature}`,
        `${critical}.${payload}.${signature}`,
        "\u0000.\u0000.\u0000",
        "é.é.é",
        "x".repeat(100_000),
        `${"x".repeat(4000)}.${"x".repeat(4000)}.x`,
        token(key, { exp }, "none"),
        token(key, { exp }, "HS512"),
        token(key, { exp }, "RS256"),
        token(key, {}),
        token(key, { exp: null }),
        token(key, { exp: {} }),
        token(key, { exp, nbf: "now" }),
        token(key, { exp, iat: "now" }),
        token(key, "[]"),
        token(key, "1"),
        token(key, '"x"'),
        token("", { exp })
      ]) {
        yield* isNowhere(site.base, { jwtToken })
      }
      for (const jwtToken of [1, null, {}, [good]]) {
        const { status } = yield* ask(site.base, { jwtToken } as never)
        assert.strictEqual(status, 400)
      }
      yield* resolve(site.base, { jwtToken: good })
      assert.deepStrictEqual(yield* everything(site.id), before)
    })
  )
})
