import { type Actor, CurrentActor } from "@lectern/core/access/Actor"
import type { AuditEventFilter } from "@lectern/core/audit/AuditEvent"
import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { AuditDays } from "@lectern/core/audit/AuditRetention"
import { AuditOrigin, makeAuditTrail } from "@lectern/core/audit/AuditTrail"
import { Grants } from "@lectern/core/grant/Grants"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"

/** An organization whose log starts after its members have joined. */
const log = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  yield* TestClock.adjust("1 hour")
  const audit = yield* AuditEvents
  const since = "1970-01-01T01:00:00Z"
  const newest = Effect.map(audit.list(org, { from: since }), ({ items }) => items)
  return { org, elsewhere, people, audit, since, newest }
})

for (const [name, services] of onEach(adapters)) {
  describe(`AuditEvents (${name})`, () => {
    const rule = ruleOn(services)

    rule("are visible to administrators only", () =>
      Effect.gen(function* () {
        const { org, people, audit } = yield* log
        const [first] = (yield* audit.list(org, {})).items
        for (const read of [audit.list(org, {}), audit.get(org, first!.id), audit.actions(org), audit.read(org, {})]) {
          assert.deepStrictEqual(yield* outcomes(people, read), {
            ok: "host admin",
            Forbidden: "create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
      })
    )

    rule("state who changed what, with the values before and after", () =>
      Effect.gen(function* () {
        const { org, people, newest } = yield* log
        yield* (yield* Members).changeRole(org, people.read, "edit").pipe(as(people.admin))
        const [event] = yield* newest
        assert.deepInclude(event, {
          action: "member_updated",
          actor: { type: "user", id: people.admin, label: "admin" },
          source: "api",
          target: { type: "user", id: people.read, label: "read" },
          payload: { changes: { role: { from: "read", to: "edit" } } }
        })
      })
    )

    rule("contain changes of permissions, not of names and texts", () =>
      Effect.gen(function* () {
        const { org, people, newest } = yield* log
        const spaces = yield* Spaces
        const { id: space } = yield* spaces.create(org, { title: "Docs" })
        yield* TestClock.adjust(1)
        yield* spaces.update(space, { title: "Renamed" })
        yield* spaces.update(space, { defaultLevel: null })
        const target = { kind: "space", id: space } as const
        yield* (yield* Grants).grant(target, { users: [people.guest], role: "read" })
        const events = yield* newest
        assert.deepStrictEqual(
          events.map(({ action }) => action),
          ["grant_changed", "space_updated", "space_created"]
        )
        assert.deepInclude(events[0], {
          target: { type: "space", id: space },
          payload: {
            holderKind: "user",
            holder: people.guest,
            role: "read",
            changes: { role: { from: null, to: "read" } }
          }
        })
        assert.deepStrictEqual(events[1]?.payload, { changes: { defaultLevel: { from: "inherit", to: null } } })
      })
    )

    rule("name their source: users, integrations, the host, the command line and background work", () =>
      Effect.gen(function* () {
        const { org, people, newest } = yield* log
        const trail = yield* makeAuditTrail
        const storage = yield* Storage
        const record = storage.transaction(
          trail.record({ organization: org, action: "tested", target: { type: "team", id: "t" } })
        )
        const actors: ReadonlyArray<Actor> = [
          { type: "user", user: people.read, token: "token-1" },
          { type: "integration", integration: "sync" },
          { type: "installation", integration: "sync", installation: "i-1", organization: org },
          { type: "host" }
        ]
        for (const actor of actors) yield* Effect.provideService(record, CurrentActor, actor)
        yield* Effect.provideService(record, AuditOrigin, { isCommandLine: true })
        yield* storage.transaction(
          trail.record({ organization: org, action: "tested", target: { type: "team", id: "t" }, isAutomatic: true })
        )
        assert.deepStrictEqual(
          (yield* newest).toReversed().map(({ source, actor }) => [source, actor]),
          [
            ["api", { type: "user", id: people.read, token: "token-1", label: "read" }],
            ["integration", { type: "integration", id: "sync" }],
            ["integration", { type: "installation", id: "i-1", label: "sync" }],
            ["script", { type: "system", id: "host" }],
            ["script", { type: "system", id: "command-line" }],
            ["workflow", { type: "system", id: "lectern" }]
          ]
        )
      })
    )

    rule("share the id of their request", () =>
      Effect.gen(function* () {
        const { org, people, newest } = yield* log
        const members = yield* Members
        const change = Effect.andThen(
          members.changeRole(org, people.read, "edit"),
          members.changeRole(org, people.edit, "read")
        )
        yield* Effect.provideService(change, AuditOrigin, { request: "request-1" })
        assert.deepStrictEqual(
          (yield* newest).map(({ correlationId }) => correlationId),
          ["request-1", "request-1"]
        )
      })
    )

    rule("exist exactly if their change does", () =>
      Effect.gen(function* () {
        const { org, people, newest } = yield* log
        const change = (yield* Members).changeRole(org, people.read, "edit")
        yield* Effect.flip((yield* Storage).transaction(Effect.andThen(change, Effect.fail("undone" as const))))
        assert.deepStrictEqual(yield* newest, [])
      })
    )

    rule("are filtered by time, action, actor and target", () =>
      Effect.gen(function* () {
        const { org, people, audit, since } = yield* log
        const members = yield* Members
        yield* members.changeRole(org, people.read, "edit").pipe(as(people.admin))
        yield* TestClock.adjust("1 minute")
        yield* members.changeRole(org, people.comment, "edit")
        yield* members.remove(org, people.read).pipe(as(people.read))
        const actions = (filter: AuditEventFilter) =>
          Effect.map(audit.list(org, { from: since, ...filter }), ({ items }) => items.map(({ action }) => action))
        assert.deepStrictEqual(yield* actions({}), ["member_removed", "member_updated", "member_updated"])
        assert.deepStrictEqual(yield* actions({ target: people.read }), ["member_removed", "member_updated"])
        assert.deepStrictEqual(yield* actions({ actor: people.admin }), ["member_updated"])
        assert.deepStrictEqual(yield* actions({ actor: "host" }), ["member_updated"])
        assert.deepStrictEqual(yield* actions({ action: "member_removed" }), ["member_removed"])
        assert.deepStrictEqual(yield* actions({ from: "1970-01-01T01:01:00Z" }), ["member_removed", "member_updated"])
        assert.deepStrictEqual(yield* actions({ to: "1970-01-01T01:00:59Z" }), ["member_updated"])
      })
    )

    rule("are paged and exported completely, newest first", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, audit } = yield* log
        const members = yield* Members
        for (let i = 0; i < 10; i++) yield* members.changeRole(org, people.read, i % 2 === 0 ? "edit" : "read")
        const all = yield* audit.read(org, {})
        const first = yield* audit.list(org, { limit: 7 })
        const next = yield* audit.list(org, { page: first.next!.page })
        assert.deepStrictEqual([...first.items, ...next.items], all)
        assert.strictEqual(first.count, all.length)
        assert.deepStrictEqual(yield* audit.read(org, {}, all[6]), all.slice(7))
        assert.deepStrictEqual(yield* audit.read(org, {}, all.at(-1)), [])
        const other = { page: first.next!.page, actor: "host" }
        assert.strictEqual(yield* outcome(audit.list(org, other)), "InvalidCursor")
        assert.strictEqual(yield* outcome(audit.get(elsewhere, all[0]!.id)), "AuditEventNotFound")
        assert.deepStrictEqual(yield* audit.get(org, all[0]!.id), all[0])
      })
    )

    rule("have actions with labels, which include all recorded ones", () =>
      Effect.gen(function* () {
        const { org, audit } = yield* log
        const known = new Set((yield* audit.actions(org)).items.map(({ id }) => id))
        for (const { action } of (yield* audit.list(org, {})).items) assert.isTrue(known.has(action))
      })
    )

    rule("reject invalid filters", () =>
      Effect.gen(function* () {
        const { org, audit } = yield* log
        assert.deepStrictEqual(
          yield* invalidPathsOf<AuditEventFilter, CurrentActor>(
            [{ from: "yesterday" }, { to: "soon" }, { action: "" }, { target: "a".repeat(101) }],
            (filter) => audit.list(org, filter)
          ),
          ["from", "to", "action", "target"]
        )
      })
    )

    const afterTwoYears = (count: number) => () =>
      Effect.gen(function* () {
        const { org, audit } = yield* log
        yield* (yield* JobWorker).runDue
        yield* TestClock.adjust("730 days")
        yield* (yield* Organizations).update(org, { defaultRole: "edit" })
        yield* (yield* JobWorker).runDue
        assert.strictEqual((yield* audit.list(org, {})).count, count)
      })
    rule("are removed after 365 days", afterTwoYears(1))
    ruleOn(Layer.provide(services, Layer.succeed(AuditDays, 0)))("are retained forever if configured", afterTwoYears(9))
  })
}
