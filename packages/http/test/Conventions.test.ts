/** Conventions of every operation: routes and methods, tokens, unknown fields and nulls, deletes, HEAD. */
import { Tokens } from "@lectern/core/token/Tokens"
import { assert } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { addSection, createSite, pathOfSite, siteSpacesOf } from "./SiteSteps.ts"
import { createSpace, getSpace, merge, openChangeRequest, spaceWith } from "./Steps.ts"

onEachAdapter("Conventions", (it) => {
  const unknownPaths = [
    "/",
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v2/user",
    "/V1/user",
    "/v1/user/",
    "/v1//user",
    "//v1/user",
    "/v1/spaces",
    "/v1/spaces/a/b/c/d/e/f/g",
    "/v1/orgs/x/spaces/y",
    "/openapi.yaml",
    "/v1/spaces/%00/%ff"
  ]
  it.effect.each(unknownPaths)("answers 404 at %s, with any method and with or without a token", (path) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
        yield* call("admin", method, path).pipe(has(404))
        yield* call("nobody", method, path).pipe(has(404))
      }
    })
  )

  const methods = [
    ["/v1/user", "POST", ["GET", "HEAD", "PATCH"]],
    ["/v1/orgs", "DELETE", ["GET", "HEAD", "POST"]],
    ["/v1/spaces/x", "PUT", ["DELETE", "GET", "HEAD", "PATCH"]],
    ["/v1/spaces/x/restore", "GET", ["POST"]],
    ["/v1/spaces/x/restore", "HEAD", ["POST"]],
    ["/v1/spaces/x/change-requests/1", "DELETE", ["GET", "HEAD", "PATCH"]],
    ["/v1/spaces/x/change-requests/1/content", "PATCH", ["GET", "HEAD", "POST"]],
    ["/v1/spaces/x/content/pages", "OPTIONS", ["GET", "HEAD"]],
    ["/v1/orgs/x/sites/y", "PUT", ["DELETE", "GET", "HEAD", "PATCH"]],
    ["/v1/orgs/x/sites/y/structure/sort", "POST", ["PATCH"]],
    ["/v1/orgs/x/sites/y/adaptive-schema", "PATCH", ["GET", "HEAD", "PUT"]],
    ["/v1/orgs/x/sites/y/sections/z", "GET", ["DELETE", "PATCH"]],
    ["/v1/urls/published", "PUT", ["GET", "HEAD", "POST"]],
    ["/v1/orgs/x/saml/y", "PUT", ["DELETE", "GET", "HEAD", "PATCH"]],
    ["/saml/x/acs", "GET", ["POST"]],
    ["/v1/orgs/x/oidc/y", "PUT", ["DELETE", "GET", "HEAD", "PATCH"]],
    ["/oidc/x/callback", "POST", ["GET", "HEAD"]],
    ["/oidc/x/sign-out", "GET", ["POST"]],
    ["/v1/custom-hostnames/docs.example.com", "PUT", ["DELETE", "GET", "HEAD", "PATCH"]],
    ["/healthz", "POST", ["GET", "HEAD"]]
  ] as const
  it.effect.each(methods)("answers 405 at %s for %s", ([path, method, allowed]) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const answer = yield* call("admin", method, path).pipe(has(405))
      assert.deepStrictEqual(answer.headers.get("allow")?.split(", ").sort(), [...allowed])
    })
  )

  const strangePaths = [
    "/v1/spaces/%E0%A4%A",
    "/v1/spaces/%00",
    "/v1/spaces/a%00b/content",
    "/v1/spaces/%ED%A0%80",
    "/v1/spaces/%2F..%2F..",
    `/v1/spaces/${"x".repeat(5000)}`,
    "/v1/spaces/%F0%9F%8E%89/change-requests/%F0%9F%8E%89",
    "/v1/orgs/%00/spaces",
    "/v1/orgs/%00/sites/%00/structure",
    "/v1/custom-hostnames/%F0%9F%8E%89.example.com",
    `/v1/custom-hostnames/${"x".repeat(5000)}`,
    "/v1/custom-hostnames/%00",
    "/v1/orgs/%00/saml/%00",
    "/saml/%00/metadata",
    "/saml/%F0%9F%8E%89/start",
    "/saml/__proto__/finish",
    "/oidc/%00/start",
    "/oidc/__proto__/callback",
    "/oidc/%F0%9F%8E%89/frontchannel-logout",
    `/saml/${"x".repeat(5000)}/start`,
    "/v1/custom-hostnames/__proto__",
    "/v1/orgs/%0D%0Aset-cookie:x/change-requests"
  ]
  it.effect.each(strangePaths)("knows nothing at %s, and breaks at nothing", (path) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const answer = yield* call("admin", "GET", path)
      assert.include([400, 404], answer.status)
      assert.isNull(answer.headers.get("set-cookie"))
    })
  )

  it.effect("knows nothing by strange names within a space", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, revision } = yield* spaceWith({ Page: "" })
      yield* openChangeRequest(space)
      const names = ["%00", "%F0%9F%8E%89", "x".repeat(2000), "__proto__", "constructor", "%22%5C", "..%2f"]
      for (const name of names) {
        for (const path of [
          `change-requests/${name}`,
          `change-requests/${name}/content`,
          `change-requests/1/content/page/${name}`,
          `content/page/${name}`,
          `content/files/${name}`,
          `revisions/${name}`,
          `revisions/${revision}/page/${name}`
        ]) {
          yield* call("admin", "GET", `/v1/spaces/${space}/${path}`).pipe(has(404))
        }
        yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/2/conflicts/${name}`, { keep: "main" }).pipe(
          has(404)
        )
      }
      for (const contributor of names) {
        const path = `/v1/spaces/${space}/change-requests?contributor=${contributor}`
        const list = yield* call("admin", "GET", path).pipe(answers(200, Shapes.listOf(Shapes.ChangeRequest)))
        assert.strictEqual(list.count, 0)
      }
    })
  )

  it.effect("knows nothing by strange names within a site", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSite([(yield* createSpace()).id])
      const path = yield* pathOfSite(id)
      for (const name of ["%00", "%F0%9F%8E%89", "x".repeat(200), "__proto__", "constructor", "%22%5C", "..%2f"]) {
        yield* call("admin", "GET", yield* pathOfSite(name)).pipe(has(404))
        yield* call("admin", "GET", `${path}/site-spaces/${name}/customization`).pipe(has(404))
        for (const within of ["sections", "section-groups", "site-spaces", "share-links", "redirects"]) {
          yield* call("admin", "PATCH", `${path}/${within}/${name}`, {}).pipe(has(404))
          yield* call("admin", "DELETE", `${path}/${within}/${name}`).pipe(has(204))
        }
        for (const within of ["sections", "section-groups", "site-spaces"]) {
          yield* call("admin", "POST", `${path}/${within}/${name}/move`, {}).pipe(has(404))
        }
        yield* call("admin", "DELETE", `${path}/site-spaces/${name}/customization`).pipe(has(204))
      }
      assert.strictEqual((yield* siteSpacesOf(id)).length, 1)
    })
  )

  it.effect("gives every answer an id of its own", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const ids = new Set<string | null>()
      for (const path of ["/v1/user", "/v1/user", "/v1/nothing", "/healthz", "/v1/spaces/x"]) {
        const answer = yield* call("admin", "GET", path, undefined, { "x-request-id": "mine" })
        ids.add(answer.headers.get("x-request-id"))
      }
      assert.strictEqual(ids.size, 5)
      assert.isFalse(ids.has("mine"))
    })
  )

  it.effect("takes a valid token alone, until it expires or is revoked", () =>
    Effect.gen(function* () {
      const { call, send, users } = yield* Harness
      const tokens = yield* Tokens
      const { token, info } = yield* tokens.create(users.read, { expires: { hours: 1 } })
      const secret = Redacted.value(token)
      const withHeader = (authorization: string) => send("/v1/user", { method: "GET", headers: { authorization } })
      yield* withHeader(`Bearer ${secret}`).pipe(has(200))
      yield* withHeader(`bearer ${secret}`).pipe(has(200))
      for (const wrong of [`Basic ${secret}`, secret, "Bearer", "Bearer ", `Bearer ${secret}x`, `Bearer ${secret} x`]) {
        yield* withHeader(wrong).pipe(refused(401))
      }
      const without = yield* send("/v1/user", { method: "GET" })
      assert.strictEqual(without.headers.get("www-authenticate"), "Bearer")
      const { message } = yield* refused(401)(Effect.succeed(without))
      assert.strictEqual((yield* call({ token: "unknown" }, "GET", "/v1/user").pipe(refused(401))).message, message)

      yield* TestClock.adjust(Duration.millis(Duration.toMillis(Duration.hours(1)) - 1))
      yield* call({ token: secret }, "GET", "/v1/user").pipe(has(200))
      yield* TestClock.adjust(Duration.millis(1))
      assert.strictEqual((yield* call({ token: secret }, "GET", "/v1/user").pipe(refused(401))).message, message)

      const second = yield* tokens.create(users.read)
      const other = { token: Redacted.value(second.token) }
      yield* call(other, "GET", "/v1/user").pipe(has(200))
      yield* tokens.revoke(second.info.id)
      yield* call(other, "GET", "/v1/user").pipe(refused(401))
      assert.notStrictEqual(second.info.id, info.id)
    })
  )

  it.effect("asks for a token before it looks at anything else", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      yield* call("nobody", "GET", "/v1/orgs?limit=0").pipe(refused(401))
      yield* call("nobody", "POST", "/v1/orgs", { title: 1 }).pipe(refused(401))
      yield* call("nobody", "DELETE", "/v1/spaces/unknown").pipe(refused(401))
      yield* call({ token: "wrong" }, "GET", "/v1/spaces/unknown").pipe(refused(401))
    })
  )

  it.effect("ignores what it does not know in a body or a query", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const body = `{"title":"Known","unknown":{"deep":[1,2]},"id":"mine","__proto__":{"emoji":"x"},"constructor":1}`
      const path = `/v1/orgs/${organization}/spaces?unknown=1&unknown=2`
      const space = yield* call("admin", "POST", path, body).pipe(answers(201, Shapes.Space))
      assert.deepInclude(space, { title: "Known", emoji: "📄" })
      assert.notStrictEqual(space.id, "mine")
    })
  )

  it.effect("refuses null where there is nothing to remove", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const space = yield* createSpace()
      const { number } = yield* openChangeRequest(space.id)
      const path = `/v1/spaces/${space.id}`
      const { id: site } = yield* createSite([])
      const section = yield* addSection(site, space.id, "Section")
      const sitePath = yield* pathOfSite(site)
      const cases = [
        ["PATCH", path, ["title", "emoji", "language", "editMode", "visibility"]],
        ["POST", `/v1/orgs/${organization}/spaces`, ["title", "emoji", "language", "editMode"]],
        ["POST", `${path}/change-requests`, ["subject", "agentTaskId"]],
        ["PATCH", `${path}/change-requests/${number}`, ["subject", "description", "status"]],
        ["PATCH", `/v1/orgs/${organization}`, ["title", "hostname", "emailDomains", "sso", "ai", "inviteLinks"]],
        ["POST", "/v1/orgs", ["title"]],
        ["POST", `${path}/change-requests/${number}/content`, ["changes"]],
        ["POST", `/v1/orgs/${organization}/sites`, ["type", "title", "visibility", "spaces"]],
        [
          "PATCH",
          sitePath,
          ["title", "visibility", "basename", "adaptiveContent", "agentsContext", "defaultSiteSpace"]
        ],
        ["PATCH", `${sitePath}/sections/${section.id}`, ["title", "path", "defaultSiteSpace"]],
        ["PATCH", `${sitePath}/site-spaces/${section.siteSpaces[0]!.id}`, ["path", "spaceId"]],
        ["POST", `${sitePath}/section-groups`, ["title"]],
        ["PATCH", `${sitePath}/publishing/auth`, ["backend"]],
        ["PUT", `${sitePath}/adaptive-schema`, ["jsonSchema"]],
        ["POST", `${sitePath}/redirects`, ["source"]],
        ["POST", "/v1/urls/published", ["url"]]
      ] as const
      for (const [method, at, fields] of cases) {
        for (const field of fields) {
          const { issues } = yield* call("admin", method, at, { [field]: null }).pipe(refused(400))
          assert.strictEqual(issues?.[0]?.path, `body.${field}`)
        }
      }
      assert.deepInclude(yield* getSpace(space.id), {
        title: space.title,
        changeRequests: 1,
        updatedAt: space.updatedAt
      })
    })
  )

  it.effect("answers 204 to a delete of what is gone, never was or can't be seen, and 403 of what is seen", () =>
    Effect.gen(function* () {
      const { call, elsewhere } = yield* Harness
      const space = yield* createSpace()
      const path = `/v1/spaces/${space.id}`
      yield* call("outsider", "DELETE", path).pipe(has(204))
      yield* call("guest", "DELETE", path).pipe(has(204))
      yield* call("create", "DELETE", path).pipe(refused(403))
      assert.isUndefined((yield* getSpace(space.id)).deletedAt)
      yield* call("admin", "DELETE", path).pipe(has(204))
      const { deletedAt } = yield* getSpace(space.id)
      assert.isString(deletedAt)
      yield* TestClock.adjust("1 hour")
      yield* call("admin", "DELETE", path).pipe(has(204))
      assert.strictEqual((yield* getSpace(space.id)).deletedAt, deletedAt)
      yield* call("read", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", "/v1/spaces/unknown").pipe(has(204))
      const theirs = yield* call("outsider", "POST", `/v1/orgs/${elsewhere}/spaces`).pipe(answers(201, Shapes.Space))
      yield* call("admin", "DELETE", `/v1/spaces/${theirs.id}`).pipe(has(204))
      yield* call("outsider", "GET", `/v1/spaces/${theirs.id}`).pipe(answers(200, Shapes.Space))
    })
  )

  it.effect("knows a change request by its number within its space alone", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [one, two] = [yield* createSpace(), yield* createSpace()]
      const first = yield* openChangeRequest(one.id)
      yield* openChangeRequest(one.id)
      const other = yield* openChangeRequest(two.id)
      const at = (space: string, name: string) => call("admin", "GET", `/v1/spaces/${space}/change-requests/${name}`)
      assert.strictEqual((yield* at(one.id, "1").pipe(answers(200, Shapes.ChangeRequest))).id, first.id)
      assert.strictEqual((yield* at(two.id, "1").pipe(answers(200, Shapes.ChangeRequest))).id, other.id)
      for (const name of ["0", "3", "-1", "1.0", "1e0", "99999999999999999999", other.id, " 1"]) {
        yield* at(one.id, encodeURIComponent(name)).pipe(refused(404))
      }
      yield* at(two.id, "2").pipe(refused(404))
      yield* merge(one.id, 2)
    })
  )

  it.effect("answers HEAD like GET, without the body", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: "Text" })
      const paths = [
        "/v1/user",
        `/v1/orgs/${organization}`,
        `/v1/spaces/${space}`,
        `/v1/spaces/${space}/content`,
        `/v1/spaces/${space}/content/page/${idOf("Page")}`,
        `/v1/orgs/${organization}/sites`,
        yield* pathOfSite((yield* createSite([space])).id),
        "/v1/spaces/unknown",
        "/healthz",
        "/openapi.json"
      ]
      for (const path of paths) {
        const full = yield* call("admin", "GET", path)
        const head = yield* call("admin", "HEAD", path).pipe(has(full.status))
        assert.strictEqual(head.headers.get("content-type"), full.headers.get("content-type"))
        assert.strictEqual(head.headers.get("etag"), full.headers.get("etag"))
      }
      yield* call("nobody", "HEAD", "/v1/user").pipe(has(401))
    })
  )

  it.effect("lives, is ready and describes itself without a token", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      yield* call("nobody", "GET", "/healthz").pipe(has(200))
      yield* call("nobody", "GET", "/readyz").pipe(has(200))
      const description = yield* call("nobody", "GET", "/openapi.json").pipe(has(200))
      assert.include(description.text, `"/v1/spaces/{spaceId}/change-requests/{changeRequestId}/merge"`)
    })
  )
})
