/** SAML providers: each operation with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, type Person, refused } from "../Harness.ts"
import { listOf } from "../Shapes.ts"
import { SamlProvider, SsoLogins } from "../SignOnShapes.ts"
import { createTeam } from "../Steps.ts"

const saml = Effect.map(Harness, ({ organization }) => `/v1/orgs/${organization}/saml`)

const complete = { ssoURL: "https://idp.example.com/sso", entityID: "https://idp.example.com", certificate: "MIIB" }

const create = Effect.fnUntraced(function* (input: object) {
  const { call } = yield* Harness
  return yield* call("admin", "POST", yield* saml, input).pipe(answers(201, SamlProvider))
})

const logins = Effect.fnUntraced(function* (by: Person) {
  const { call, organization } = yield* Harness
  return (yield* call(by, "GET", `/v1/orgs/${organization}/sso`).pipe(answers(200, SsoLogins))).items
})

export const samlOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("makes a provider step by step, offers it once it is complete, and deletes it", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const made = yield* create({ label: "Company" })
      assert.deepInclude(made, { label: "Company", status: "pending" })
      const base = `http://127.0.0.1:4000/saml/${made.id}`
      assert.deepStrictEqual(made.service, {
        acsURL: `${base}/acs`,
        startURL: `${base}/start`,
        entityID: `${base}/metadata`
      })
      const path = `${yield* saml}/${made.id}`
      assert.isTrue(made.urls.location.endsWith(path))
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, SamlProvider)), made)
      const patch = (input: object) => call("admin", "PATCH", path, input).pipe(answers(200, SamlProvider))
      assert.strictEqual((yield* patch({ ssoURL: complete.ssoURL })).status, "pending")
      assert.strictEqual((yield* patch({ entityID: complete.entityID })).status, "pending")
      assert.isFalse((yield* logins("guest")).some(({ id }) => id === made.id))
      const team = yield* createTeam
      const active = yield* patch({ certificate: complete.certificate, defaultTeam: team, defaultRole: null })
      assert.deepInclude(active, { ...complete, status: "active", defaultRole: null })
      assert.deepInclude(active.defaultTeam, { object: "team", id: team })
      const login = (yield* logins("guest")).find(({ id }) => id === made.id)
      assert.deepStrictEqual(login, {
        object: "sso-provider",
        id: made.id,
        label: "Company",
        startURL: made.service.startURL
      })
      const listed = yield* call("admin", "GET", `${yield* saml}?limit=1000`).pipe(answers(200, listOf(SamlProvider)))
      assert.deepStrictEqual(
        listed.items.find(({ id }) => id === made.id),
        active
      )
      assert.deepStrictEqual(yield* patch({}), active)
      yield* call("admin", "DELETE", `/v1/orgs/${organization}/teams/${team}`).pipe(has(204))
      assert.notProperty(yield* patch({ label: "X" }), "defaultTeam")
      for (const field of ["ssoURL", "entityID", "certificate"] as const) {
        const removed = yield* patch({ [field]: null })
        assert.notProperty(removed, field)
        assert.strictEqual(removed.status, "pending")
        assert.strictEqual((yield* patch({ [field]: complete[field] })).status, "active")
      }
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      assert.isFalse((yield* logins("read")).some(({ id }) => id === made.id))
    })
  )

  it.effect("gives who comes for the first time what the organization gives, unless it is told", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const role = (defaultRole: string | null) =>
        call("admin", "PATCH", `/v1/orgs/${organization}`, { defaultRole }).pipe(has(200))
      yield* role("comment")
      assert.strictEqual((yield* create({ label: "A" })).defaultRole, "comment")
      assert.isNull((yield* create({ label: "A", defaultRole: null })).defaultRole)
      assert.strictEqual((yield* create({ label: "A", defaultRole: "admin" })).defaultRole, "admin")
      yield* role("read")
    })
  )

  it.effect("holds every limit, and writes nothing that is beyond one", () =>
    Effect.gen(function* () {
      const { call, elsewhere } = yield* Harness
      const path = yield* saml
      const count = Effect.map(
        call("admin", "GET", path).pipe(answers(200, listOf(SamlProvider))),
        (list) => list.count
      )
      const before = yield* count
      const theirs = yield* call("outsider", "PUT", `/v1/orgs/${elsewhere}/teams`, { title: "T" }).pipe(
        Effect.map(({ text }) => JSON.parse(text).id as string)
      )
      const url = (length: number) => `https://idp.example.com/${"x".repeat(length - 24)}`
      const bad: ReadonlyArray<readonly [string, unknown]> = [
        ["label", ""],
        ["label", "x".repeat(31)],
        ["label", undefined],
        ["entityID", "x".repeat(1025)],
        ["certificate", "x".repeat(10_001)],
        ["certificate", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"],
        ["ssoURL", url(2049)],
        ["ssoURL", "idp.example.com"],
        ["ssoURL", "javascript:alert(1)"],
        ["ssoURL", "ftp://idp.example.com"],
        ["ssoURL", "https://user:secret@idp.example.com"],
        ["defaultRole", "owner"],
        ["defaultTeam", "unknown"],
        ["defaultTeam", theirs]
      ]
      for (const [field, value] of bad) {
        const { issues } = yield* call("admin", "POST", path, { label: "L", ...complete, [field]: value }).pipe(
          refused(400)
        )
        assert.strictEqual(issues?.[0]?.path, `body.${field}`)
      }
      assert.strictEqual(yield* count, before)
      const { id } = yield* create({
        label: "🎉".repeat(30),
        entityID: "x".repeat(1024),
        certificate: "x".repeat(10_000),
        ssoURL: url(2048)
      })
      for (const [field, value] of bad) {
        if (value !== undefined) yield* call("admin", "PATCH", `${path}/${id}`, { [field]: value }).pipe(refused(400))
      }
      const kept = yield* call("admin", "GET", `${path}/${id}`).pipe(answers(200, SamlProvider))
      assert.deepInclude(kept, { label: "🎉".repeat(30), entityID: "x".repeat(1024), status: "active" })
    })
  )

  it.effect("keeps at most 100 in an organization, and keeps those of others apart", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id } = yield* call("outsider", "POST", "/v1/orgs", { title: "Full" }).pipe(
        Effect.map(({ text }) => JSON.parse(text) as { readonly id: string })
      )
      const path = `/v1/orgs/${id}/saml`
      for (let i = 0; i < 100; i++) yield* call("outsider", "POST", path, { label: `${i}` }).pipe(has(201))
      yield* call("outsider", "POST", path, { label: "x" }).pipe(refused(409))
      const first = yield* call("outsider", "GET", `${path}?limit=60`).pipe(answers(200, listOf(SamlProvider)))
      const second = yield* call("outsider", "GET", `${path}?limit=60&page=${first.next?.page}`).pipe(
        answers(200, listOf(SamlProvider))
      )
      assert.deepStrictEqual(
        // Made at the same moment, they stand in no order of their own.
        [...first.items, ...second.items].map(({ label }) => Number(label)).toSorted((a, b) => a - b),
        Array.from({ length: 100 }, (_, i) => i)
      )
      const theirs = first.items[0]!.id
      yield* call("admin", "GET", `/v1/orgs/${organization}/saml/${theirs}`).pipe(refused(404))
      yield* call("admin", "PATCH", `/v1/orgs/${organization}/saml/${theirs}`, { label: "Mine" }).pipe(refused(404))
      yield* call("admin", "DELETE", `/v1/orgs/${organization}/saml/${theirs}`).pipe(has(204))
      yield* call("outsider", "GET", `${path}/${theirs}`).pipe(has(200))
    })
  )
}
