/** The audit log over HTTP: what it tells, whom, and what it never does. */
import { removeOldAuditEvents } from "@lectern/core/audit/AuditRetention"
import { AuditEventTable } from "@lectern/core/audit/AuditEvent"
import { EventTable } from "@lectern/core/event/Event"
import { OrganizationId } from "@lectern/core/organization/Organization"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, type Vitest } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createMember, createSpace } from "../Steps.ts"
import { addSection, createShareLink, createSite } from "../SiteSteps.ts"

const Events = Shapes.listOf(Shapes.AuditEvent)

const list = Effect.fnUntraced(function* (query = "", organization?: string) {
  const { call, organization: acme } = yield* Harness
  return yield* call("admin", "GET", `/v1/orgs/${organization ?? acme}/audit-events${query}`).pipe(answers(200, Events))
})

const Lines = Schema.Array(Shapes.AuditEvent)

const linesOf = (text: string): unknown =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown)

export const auditOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("tells who did what to whom, with what, and from what to what", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const user = yield* createMember
      const { id, token } = yield* call("admin", "POST", "/v1/user/tokens", { name: "Console" }).pipe(
        answers(201, Shapes.MadeToken)
      )
      const changed = yield* call({ token }, "PATCH", `/v1/orgs/${organization}/members/${user}`, { role: "review" })
      const { items } = yield* list(`?target=${user}&limit=1`)
      const [event] = items
      assert.deepInclude(event, {
        action: "member_updated",
        actor: { type: "user", id: users.admin, label: "admin", token: id },
        source: "api",
        correlationId: changed.headers.get("x-request-id")!,
        payload: { changes: { role: { from: "read", to: "review" } } }
      })
      assert.deepInclude(event!.target, { type: "user", id: user })
      const one = yield* call("admin", "GET", new URL(event!.urls.location).pathname).pipe(
        answers(200, Shapes.AuditEvent)
      )
      assert.deepStrictEqual(one, event)
      yield* call("admin", "DELETE", `/v1/user/tokens/${id}`).pipe(has(204))
      const [revoked, made] = (yield* list(`?target=${id}`)).items
      assert.deepInclude(revoked, { action: "token_revoked", target: { type: "token", id, label: "Console" } })
      assert.strictEqual(made?.action, "token_created")
    })
  )

  it.effect("tells of what else changes who may see or do something", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id } = yield* call("admin", "POST", "/v1/orgs", { title: "Told of" }).pipe(
        answers(201, Shapes.Organization)
      )
      const org = `/v1/orgs/${id}`
      yield* call("admin", "PATCH", org, { defaultRole: "edit", hostname: "told-of" }).pipe(has(200))
      const { invites } = yield* call("admin", "POST", `${org}/invites`, {
        emails: ["read@example.com"],
        role: "read"
      }).pipe(answers(200, Shapes.InviteResult))
      yield* call("read", "POST", `${org}/invites/${invites[0]!.id}`).pipe(has(200))
      const link = yield* call("admin", "POST", `${org}/link-invites`, { role: "read" }).pipe(
        answers(201, Shapes.InviteLink)
      )
      const at = `${org}/link-invites/${link.id}`
      yield* call("admin", "GET", `${org}/link-invites`).pipe(has(200))
      yield* call("admin", "GET", at).pipe(has(200))
      yield* call("admin", "PATCH", at, { role: "comment" }).pipe(has(200))
      yield* call("admin", "DELETE", at).pipe(has(204))
      const team = yield* call("admin", "PUT", `${org}/teams`, { title: "Team" }).pipe(answers(201, Shapes.Identified))
      yield* call("admin", "PUT", `${org}/teams/${team.id}/members`, { add: [users.read] }).pipe(has(204))
      const collection = yield* call("admin", "POST", `${org}/collections`, {}).pipe(answers(201, Shapes.Identified))
      yield* call("admin", "PATCH", `/v1/collections/${collection.id}`, { defaultLevel: null }).pipe(has(200))
      const space = yield* call("admin", "POST", `${org}/spaces`, {}).pipe(answers(201, Shapes.Identified))
      const path = `/v1/spaces/${space.id}`
      yield* call("admin", "PATCH", path, { title: "Only a name" }).pipe(has(200))
      yield* call("admin", "PATCH", path, { visibility: "public", defaultLevel: "comment" }).pipe(has(200))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "POST", `${path}/restore`).pipe(has(200))
      const site = yield* call("admin", "POST", `${org}/sites`, { spaces: [space.id] }).pipe(
        answers(201, Shapes.Identified)
      )
      yield* call("admin", "POST", `${org}/sites/${site.id}/publish`).pipe(has(200))
      const { items } = yield* list("", id)
      assert.deepStrictEqual(items.map(({ action }) => action).toReversed(), [
        "organization_created",
        "member_joined",
        "organization_updated",
        "invitation_sent",
        "member_joined",
        "invite_link_created",
        "invite_link_updated",
        "invite_link_removed",
        "team_created",
        "team_members_updated",
        "collection_created",
        "collection_updated",
        "space_created",
        "space_visibility_updated",
        "space_updated",
        "space_deleted",
        "space_restored",
        "site_created",
        "site_published"
      ])
      const payloadOf = (action: string) => items.findLast((event) => event.action === action)?.payload
      assert.deepInclude(payloadOf("organization_updated")?.["changes"], {
        defaultRole: { from: "read", to: "edit" }
      })
      assert.deepStrictEqual(payloadOf("team_members_updated"), {
        changes: { members: { from: { [users.read]: null }, to: { [users.read]: "member" } } }
      })
      assert.deepStrictEqual(payloadOf("space_updated"), {
        changes: { defaultLevel: { from: "inherit", to: "comment" } }
      })
      assert.deepStrictEqual(payloadOf("space_visibility_updated"), {
        previousVisibility: "private",
        visibility: "public"
      })
    })
  )

  it.effect("tells of spaces that leave sites and come back with the trash, and of what is gone by its name", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const other = yield* call("admin", "POST", "/v1/orgs", { title: "Other" }).pipe(answers(201, Shapes.Organization))
      const collections = `/v1/orgs/${organization}/collections`
      const makeCollection = (title: string) =>
        call("admin", "POST", collections, { title }).pipe(answers(201, Shapes.Identified))
      const { id: space } = yield* createSpace({ title: "Guide" })
      const { id: site } = yield* createSite([space], { title: "Docs" })
      yield* call("admin", "DELETE", `/v1/spaces/${space}`).pipe(has(204))
      yield* call("admin", "POST", `/v1/spaces/${space}/restore`).pipe(has(200))
      yield* call("admin", "POST", `/v1/spaces/${space}/transfer`, { organization: other.id }).pipe(has(200))
      const told = (yield* list(`?target=${site}&action=site_structure_updated`)).items
      const on = { from: [], to: [space] }
      const off = { from: [space], to: [] }
      assert.deepStrictEqual(
        told.map(({ payload }) => payload),
        [{ changes: { spaces: off } }, { changes: { spaces: on } }, { changes: { spaces: off } }]
      )
      assert.deepStrictEqual(told[0]?.target, { type: "site", id: site, label: "Docs" })
      const { id: removed } = yield* makeCollection("Removed")
      yield* call("admin", "DELETE", `/v1/collections/${removed}`).pipe(has(204))
      const { id: moved } = yield* makeCollection("Moved")
      yield* call("admin", "POST", `/v1/collections/${moved}/transfer`, { organization: other.id }).pipe(has(200))
      for (const [id, action, label] of [
        [space, "space_transferred", "Guide"],
        [removed, "collection_deleted", "Removed"],
        [moved, "collection_transferred", "Moved"]
      ] as const) {
        const [event] = (yield* list(`?target=${id}&action=${action}`)).items
        assert.strictEqual(event?.target.label, label, action)
      }
    })
  )

  it.effect("tells of another role for who was invited before, and of what a team that goes was granted", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const invite = (role: string) =>
        call("admin", "POST", `/v1/orgs/${organization}/invites`, { emails: ["new@example.org"], role }).pipe(
          answers(200, Shapes.InviteResult)
        )
      const { invites } = yield* invite("read")
      yield* invite("admin")
      yield* invite("admin")
      const id = invites[0]!.id
      const told = (yield* list(`?target=${id}`)).items
      assert.deepStrictEqual(
        told.map(({ action, payload }) => [action, payload]),
        [
          ["invitation_updated", { changes: { role: { from: "read", to: "admin" } } }],
          ["invitation_sent", { role: "read" }]
        ]
      )
      assert.strictEqual(told[0]?.target.label, "new@example.org")
      const { id: space } = yield* createSpace()
      const teams = `/v1/orgs/${organization}/teams`
      const team = yield* call("admin", "PUT", teams, { title: "Team" }).pipe(answers(201, Shapes.Identified))
      yield* call("admin", "POST", `/v1/spaces/${space}/permissions`, { teams: [team.id], role: "edit" }).pipe(has(204))
      yield* call("admin", "DELETE", `${teams}/${team.id}`).pipe(has(204))
      const [taken] = (yield* list(`?target=${space}&action=grant_removed`)).items
      assert.deepInclude(taken?.payload, { holder: team.id, changes: { role: { from: "edit", to: null } } })
    })
  )

  it.effect("tells of nothing that did not happen, and of nothing that is a secret", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const before = (yield* list("?limit=1")).items[0]!
      const member = `/v1/orgs/${organization}/members/${users.read}`
      yield* call("read", "PATCH", member, { role: "admin" }).pipe(refused(403))
      yield* call("admin", "PATCH", member, { role: "none" }).pipe(refused(400))
      yield* call("admin", "PATCH", `/v1/orgs/${organization}/members/${users.admin}`, { role: null }).pipe(
        refused(409)
      )
      yield* call("admin", "PATCH", member, { role: "read" }).pipe(has(200))
      const { id: space } = yield* createSpace()
      const { id: site } = yield* createSite([space], { visibility: "share-link" })
      const { token } = yield* call("admin", "POST", "/v1/user/tokens", {}).pipe(answers(201, Shapes.MadeToken))
      const link = yield* createShareLink(site)
      const auth = `/v1/orgs/${organization}/sites/${site}/publishing/auth`
      yield* call("admin", "POST", `${auth}/regenerate`).pipe(has(200))
      const { privateKey } = yield* call("admin", "GET", auth).pipe(
        answers(200, Schema.Struct({ privateKey: Schema.String }))
      )
      for (const same of [{}, { backend: "custom" }]) yield* call("admin", "PATCH", auth, same).pipe(has(200))
      for (const same of [{}, { active: true }]) {
        yield* call("admin", "PATCH", `/v1/orgs/${organization}/sites/${site}/share-links/${link.id}`, same).pipe(
          has(200)
        )
      }
      const { text } = yield* call("admin", "GET", `/v1/orgs/${organization}/audit-events?format=ndjson`).pipe(has(200))
      for (const secret of [token.slice(8), privateKey, link.key]) {
        assert.isAbove(secret.length, 20)
        assert.notInclude(text, secret)
      }
      const since = Schema.decodeUnknownSync(Lines)(linesOf(text))
      assert.deepStrictEqual(
        since
          .slice(
            0,
            since.findIndex(({ id }) => id === before.id)
          )
          .map(({ action }) => action),
        ["visitor_key_regenerated", "share_link_created", "token_created", "site_created", "space_created"]
      )
    })
  )

  it.effect("tells nobody of a change to what is there already", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const told = (yield* Storage).repository(EventTable).count({})
      const org = `/v1/orgs/${organization}`
      const spaces = [(yield* createSpace()).id, (yield* createSpace()).id]
      const { id } = yield* createSite(spaces.slice(0, 1))
      const section = yield* addSection(id, spaces[1]!, "More")
      const [siteSpace] = section.siteSpaces
      const site = `${org}/sites/${id}`
      const group = yield* call("admin", "POST", `${site}/section-groups`, { title: "All" }).pipe(
        answers(201, Shapes.Identified)
      )
      const { title, hostname, emailDomains } = yield* call("admin", "GET", org).pipe(answers(200, Shapes.Organization))
      const team = yield* call("admin", "PUT", `${org}/teams`, { title: "Team", members: [users.read] }).pipe(
        answers(201, Shapes.Identified)
      )
      const saml = yield* call("admin", "POST", `${org}/saml`, { label: "Office" }).pipe(
        answers(201, Shapes.Identified)
      )
      const oidc = yield* call("admin", "POST", `${org}/oidc`, { label: "Office", clientSecret: "secret" }).pipe(
        answers(201, Shapes.Identified)
      )
      const before = yield* told
      for (const [method, path, same] of [
        ["PATCH", org, {}],
        ["PATCH", org, { title, hostname, emailDomains, defaultContent: null }],
        ["PATCH", `${org}/members/${users.read}`, { role: "read" }],
        ["PATCH", `${org}/saml/${saml.id}`, { label: "Office", entityID: null }],
        ["PATCH", `${org}/oidc/${oidc.id}`, { label: "Office", clientSecret: "secret", issuer: null }],
        ["PATCH", `${org}/teams/${team.id}`, { title: "Team" }],
        ["PUT", `${org}/teams/${team.id}/members`, { add: [users.read] }],
        ["DELETE", `${org}/teams/${team.id}/members/${users.edit}`, undefined],
        ["PATCH", `${site}/sections/${section.id}`, { title: "More", path: section.path, icon: null }],
        ["PATCH", `${site}/section-groups/${group.id}`, { title: "All" }],
        ["PATCH", `${site}/site-spaces/${siteSpace!.id}`, { path: siteSpace!.path, condition: null }]
      ] as const) {
        const { status } = yield* call("admin", method, path, same)
        assert.include([200, 204], status, path)
        assert.strictEqual(yield* told, before, `${method} ${path}`)
      }
      yield* call("admin", "PATCH", `${site}/sections/${section.id}`, { title: "Most" }).pipe(has(200))
      assert.strictEqual(yield* told, before + 1)
    })
  )

  it.effect("is listed in pages, narrowed, and exported as lines, to administrators alone", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const path = `/v1/orgs/${organization}/audit-events`
      yield* TestClock.adjust("1 hour")
      const from = new Date(yield* Clock.currentTimeMillis).toISOString()
      for (let i = 0; i < 3; i++) {
        yield* createSpace()
        yield* TestClock.adjust("1 minute")
      }
      yield* call("create", "POST", `/v1/orgs/${organization}/spaces`).pipe(has(201))
      const since = (yield* list(`?from=${from}`)).items
      assert.deepStrictEqual(
        since.map(({ actor }) => actor.id),
        [users.create, users.admin, users.admin, users.admin]
      )
      assert.strictEqual((yield* list(`?from=${from}&to=${from}`)).count, 1)
      assert.strictEqual((yield* list(`?from=${from}&actor=${users.create}`)).count, 1)
      assert.strictEqual((yield* list(`?from=${from}&action=space_created`)).count, 4)
      assert.strictEqual((yield* list(`?from=${from}&action=space_deleted`)).count, 0)
      assert.strictEqual((yield* list(`?target=${since[0]!.target.id}`)).count, 1)
      const first = yield* list(`?from=${from}&limit=3`)
      const second = yield* list(`?from=${from}&limit=3&page=${encodeURIComponent(first.next!.page)}`)
      assert.deepStrictEqual([...first.items, ...second.items], since)
      yield* call("admin", "GET", `${path}?page=${encodeURIComponent(first.next!.page)}`).pipe(refused(400))
      for (const wrong of ["from=yesterday", "to=2026-13-01", "format=xml", "actor=", "limit=0"]) {
        yield* call("admin", "GET", `${path}?${wrong}`).pipe(refused(400))
      }
      const lines = yield* call("admin", "GET", `${path}?from=${from}`, undefined, {
        accept: "application/x-ndjson"
      }).pipe(has(200))
      assert.strictEqual(lines.headers.get("content-type"), "application/x-ndjson")
      assert.match(lines.headers.get("vary") ?? "", /^Accept, /)
      assert.deepStrictEqual(Schema.decodeUnknownSync(Lines)(linesOf(lines.text)), since)
      const accept = "application/x-ndjson;q=0, application/json"
      const none = yield* call("admin", "GET", path, undefined, { accept }).pipe(has(200))
      assert.strictEqual(none.headers.get("content-type"), "application/json")
      assert.match(none.headers.get("vary") ?? "", /^Accept, /)
      const { items } = yield* call("admin", "GET", `/v1/orgs/${organization}/audit-event-actions`).pipe(
        answers(200, Schema.Struct({ items: Schema.Array(Schema.Struct({ id: Schema.String, label: Schema.String })) }))
      )
      assert.deepInclude(items, { id: "saml_provider_created", label: "SAML provider created" })
      assert.deepInclude(items, { id: "oidc_provider_created", label: "OpenID Connect provider created" })
      for (const person of ["create", "guest"] as const) {
        yield* call(person, "GET", path).pipe(refused(403))
        yield* call(person, "GET", `${path}?format=ndjson`).pipe(refused(403))
      }
      yield* call("outsider", "GET", `${path}?format=ndjson`).pipe(refused(404))
      yield* call("admin", "GET", `${path}/none`).pipe(refused(404))
    })
  )

  it.effect("tells both sides of a transfer, and forgets what is older than it is to keep", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id } = yield* createSpace()
      const other = yield* call("admin", "POST", "/v1/orgs", { title: "Other" }).pipe(answers(201, Shapes.Organization))
      yield* call("admin", "POST", `/v1/spaces/${id}/transfer`, { organization: other.id }).pipe(has(200))
      const here = (yield* list(`?target=${id}`)).items[0]!
      const there = (yield* list(`?target=${id}`, other.id)).items[0]!
      for (const { action } of [here, there]) assert.strictEqual(action, "space_transferred")
      assert.deepInclude(here.payload, { from: organization, to: other.id })
      const log = (yield* Storage).repository(AuditEventTable)
      const row = yield* log.get({ organization: OrganizationId.make(other.id), id: there.id })
      const now = yield* Clock.currentTimeMillis
      for (const [id, days] of [
        ["older", 366],
        ["newer", 364]
      ] as const) {
        yield* log.insert({ ...row!, id, occurredAt: Timestamps.at(now - days * 86_400_000) })
      }
      const { run } = yield* removeOldAuditEvents
      yield* run({ payload: {} } as never)
      const left = (yield* list("", other.id)).items.map((event) => event.id)
      assert.include(left, "newer")
      assert.include(left, there.id)
      assert.notInclude(left, "older")
    })
  )
}
