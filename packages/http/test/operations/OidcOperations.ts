/** OpenID Connect providers: each operation with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, type Person, refused } from "../Harness.ts"
import { listOf } from "../Shapes.ts"
import { OidcProvider, SsoLogins } from "../SignOnShapes.ts"
import { createTeam } from "../Steps.ts"

const oidc = Effect.map(Harness, ({ organization }) => `/v1/orgs/${organization}/oidc`)

const complete = { issuer: "https://idp.example.com", clientID: "lectern" }

const create = Effect.fnUntraced(function* (input: object) {
  const { call } = yield* Harness
  return yield* call("admin", "POST", yield* oidc, input).pipe(answers(201, OidcProvider))
})

const logins = Effect.fnUntraced(function* (by: Person) {
  const { call, organization } = yield* Harness
  return (yield* call(by, "GET", `/v1/orgs/${organization}/sso`).pipe(answers(200, SsoLogins))).items
})

export const oidcOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("makes a provider of OpenID Connect step by step, offers it once it is complete, and deletes it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const made = yield* create({ label: "Company" })
      assert.deepInclude(made, {
        label: "Company",
        status: "pending",
        hasClientSecret: false,
        scopes: ["openid", "email", "profile"],
        emailVerifiedClaim: "email_verified"
      })
      const base = `http://127.0.0.1:4000/oidc/${made.id}`
      assert.deepStrictEqual(made.service, {
        redirectURL: `${base}/callback`,
        startURL: `${base}/start`,
        backchannelLogoutURL: `${base}/backchannel-logout`,
        frontchannelLogoutURL: `${base}/frontchannel-logout`,
        postLogoutRedirectURL: `${base}/signed-out`
      })
      const path = `${yield* oidc}/${made.id}`
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, OidcProvider)), made)
      const patch = (input: object) => call("admin", "PATCH", path, input).pipe(answers(200, OidcProvider))
      assert.strictEqual((yield* patch({ issuer: complete.issuer })).status, "pending")
      assert.isFalse((yield* logins("guest")).some(({ id }) => id === made.id))
      const team = yield* createTeam
      const groups = [{ group: "staff", role: "edit" as const, teams: [team] }, { group: "all" }]
      const active = yield* patch({
        clientID: complete.clientID,
        clientSecret: "a secret",
        groupsClaim: "groups",
        groups,
        emailDomains: ["example.com"],
        scopes: ["openid", "email", "groups"],
        defaultTeam: team,
        defaultRole: null
      })
      assert.deepInclude(active, { ...complete, status: "active", defaultRole: null, hasClientSecret: true })
      assert.deepStrictEqual(active.groups, groups)
      assert.deepInclude(active.defaultTeam, { object: "team", id: team })
      const login = (yield* logins("guest")).find(({ id }) => id === made.id)
      assert.deepStrictEqual(login, {
        object: "sso-provider",
        id: made.id,
        label: "Company",
        startURL: made.service.startURL
      })
      const listed = yield* call("admin", "GET", `${yield* oidc}?limit=1000`)
      assert.notInclude(listed.text, "a secret")
      assert.deepStrictEqual(
        (JSON.parse(listed.text) as { items: ReadonlyArray<{ id: string }> }).items.find(({ id }) => id === made.id),
        JSON.parse(JSON.stringify(active))
      )
      assert.deepStrictEqual(yield* patch({}), active)
      assert.deepStrictEqual(yield* patch({ clientSecret: "a secret" }), active)
      // The secret is for the issuer that it was entered for.
      assert.isTrue((yield* patch({ clientID: "other" })).hasClientSecret)
      assert.isFalse((yield* patch({ issuer: "https://other.example.com" })).hasClientSecret)
      assert.isTrue((yield* patch({ ...complete, clientSecret: "x" })).hasClientSecret)
      for (const field of ["issuer", "clientID"] as const) {
        const removed = yield* patch({ [field]: null })
        assert.notProperty(removed, field)
        assert.strictEqual(removed.status, "pending")
        yield* patch({ [field]: complete[field] })
      }
      const cleared = yield* patch({ scopes: null, groups: null, groupsClaim: null, emailDomains: null })
      assert.deepInclude(cleared, { groups: [], emailDomains: [], scopes: ["openid", "email", "profile"] })
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      assert.isFalse((yield* logins("read")).some(({ id }) => id === made.id))
    })
  )

  it.effect("holds every limit of a provider of OpenID Connect", () =>
    Effect.gen(function* () {
      const { call, elsewhere } = yield* Harness
      const path = yield* oidc
      const theirs = yield* call("outsider", "PUT", `/v1/orgs/${elsewhere}/teams`, { title: "T" }).pipe(
        Effect.map(({ text }) => JSON.parse(text).id as string)
      )
      const groups = (count: number) => Array.from({ length: count }, (_, i) => ({ group: `${i}` }))
      const bad: ReadonlyArray<readonly [path: string, input: object]> = [
        ["label", { label: "" }],
        ["label", { label: "x".repeat(31) }],
        ["issuer", { issuer: "idp.example.com" }],
        ["issuer", { issuer: "javascript:alert(1)" }],
        ["issuer", { issuer: "https://user:secret@idp.example.com" }],
        ["issuer", { issuer: "https://idp.example.com/?x" }],
        ["issuer", { issuer: `https://idp.example.com/${"x".repeat(1024)}` }],
        ["clientID", { clientID: "" }],
        ["clientID", { clientID: "ä" }],
        ["clientSecret", { clientSecret: "x".repeat(1025) }],
        ["clientSecret", { clientSecret: "a\nb" }],
        ["scopes", { scopes: ["email"] }],
        ["scopes[1]", { scopes: ["openid", "a b"] }],
        ["emailDomains[0]", { emailDomains: ["@example.com"] }],
        ["emailDomains", { emailDomains: Array.from({ length: 21 }, (_, i) => `d${i}.example.com`) }],
        ["emailVerifiedClaim", { emailVerifiedClaim: "" }],
        ["groupsClaim", { groupsClaim: "x".repeat(101) }],
        ["groups", { groups: groups(101) }],
        ["groups", { groups: [{ group: "a" }, { group: "a" }] }],
        ["groups[0].role", { groups: [{ group: "a", role: "owner" }] }],
        ["groups[0].teams[0]", { groups: [{ group: "a", teams: ["unknown"] }] }],
        ["groups[0].teams[0]", { groups: [{ group: "a", teams: [theirs] }] }],
        ["defaultRole", { defaultRole: "owner" }],
        ["defaultTeam", { defaultTeam: theirs }]
      ]
      const { id } = yield* create({ label: "L", ...complete, groups: groups(100) })
      const before = yield* call("admin", "GET", path).pipe(answers(200, listOf(OidcProvider)))
      for (const [field, input] of bad) {
        const { issues } = yield* call("admin", "POST", path, { label: "L", ...complete, ...input }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, `body.${field}`)
        yield* call("admin", "PATCH", `${path}/${id}`, input).pipe(refused(400))
      }
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, listOf(OidcProvider))), before)
    })
  )

  it.effect("keeps providers of OpenID Connect of others apart", () =>
    Effect.gen(function* () {
      const { call, elsewhere, organization } = yield* Harness
      const { id } = yield* call("outsider", "POST", `/v1/orgs/${elsewhere}/oidc`, { label: "Theirs" }).pipe(
        answers(201, OidcProvider)
      )
      const path = `/v1/orgs/${organization}/oidc/${id}`
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* call("admin", "PATCH", path, { label: "Mine" }).pipe(refused(404))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("outsider", "GET", `/v1/orgs/${elsewhere}/oidc/${id}`).pipe(has(200))
    })
  )
}
