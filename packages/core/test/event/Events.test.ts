import { assert, describe, it } from "@effect/vitest"
import { CurrentActor } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { EventTable } from "@lectern/core/event/Event"
import { EventId } from "@lectern/core/event/EventKind"
import { Events } from "@lectern/core/event/Events"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adapters, organization, type Services } from "../Instances.ts"

const start = EventId.make("")

for (const [name, services] of onEach(adapters)) {
  describe(`Events (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("tell what happened, in order, and who did it", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const spaces = yield* Spaces
        const organizations = yield* Organizations
        const contents = yield* ChangeRequestContents
        const requests = yield* ChangeRequests
        const here = yield* organization
        const { id: user } = yield* (yield* Users).create({ email: "ada@example.com" })
        yield* organizations.join(here, user, "admin")
        yield* Effect.gen(function* () {
          const { id } = yield* spaces.create(here, {})
          yield* spaces.update(id, { title: "New" })
          const request = yield* requests.create(id, {})
          yield* requests.update(id, request.id, { subject: "Why" })
          yield* contents.write(id, request.id, [{ operation: "insert_page", title: "One" }])
          const { revision } = yield* contents.merge(id, request.id)
          yield* spaces.duplicate(id)
          yield* spaces.remove(id)
          yield* spaces.remove(id)
          yield* spaces.restore(id)
          const { events: found, hasMore } = yield* events.read({ after: start })
          assert.isFalse(hasMore)
          assert.deepStrictEqual(
            found.map(({ type }) => type),
            [
              "organization_created",
              "member_joined",
              "space_created",
              "space_updated",
              "change_request_created",
              "change_request_updated",
              "change_request_content_updated",
              "change_request_merged",
              "space_content_updated",
              "space_duplicated",
              "space_deleted",
              "space_restored"
            ]
          )
          assert.isTrue(found.every((event) => event.organization === here))
          assert.deepStrictEqual([...new Set(found.slice(2).map((event) => event.actor))], [user])
          assert.isNull(found[0]?.actor)
          const updated = found.find((event) => event.type === "space_content_updated")
          assert.deepInclude(updated, { space: id, revision })
          const some = yield* events.read({ after: start, types: ["space_deleted", "space_created"] })
          assert.deepStrictEqual(
            some.events.map(({ type }) => type),
            ["space_created", "space_deleted"]
          )
          assert.strictEqual(some.after, found.at(-1)?.id)
        }).pipe(Effect.provideService(CurrentActor, { type: "user", user }))
      }))

    test("are there exactly if what they tell of is", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const storage = yield* Storage
        const here = yield* organization
        const before = yield* events.read({ after: start })
        const undone = storage.transaction(Effect.andThen((yield* Spaces).create(here, {}), Effect.fail("no" as const)))
        yield* Effect.flip(undone)
        assert.deepStrictEqual(yield* events.read({ after: start }), before)
      }))

    test("come behind what was read, whatever the clock does", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const storage = yield* Storage
        const here = yield* organization
        const other = yield* Effect.provide(Events, Layer.fresh(Events.layer))
        const emit = (by: typeof events) =>
          storage.transaction(by.emit({ type: "organization_updated", organization: here }))
        let { after } = yield* events.read({ after: start })
        for (let i = 0; i < 60; i++) {
          if (i === 20) yield* TestClock.setTime(1_000_000)
          if (i === 40) yield* TestClock.setTime(1_000)
          // Two processes on the same store take turns, in no particular order.
          yield* emit(i % 3 === 0 ? other : events)
          if (i % 7 === 0) {
            const undone = storage.transaction(
              Effect.andThen(
                events.emit({ type: "organization_updated", organization: here }),
                Effect.fail("undone" as const)
              )
            )
            yield* Effect.flip(undone)
          }
          const next = yield* events.read({ after })
          assert.strictEqual(next.events.length, 1)
          after = next.after
        }
        assert.match(after, /^[1-9A-HJ-NP-Za-km-z]{22}$/)
      }))

    test("are read in slices, by readers that remember how far they came", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const storage = yield* Storage
        const here = yield* organization
        const late = yield* events.cursor("late")
        for (let i = 0; i < 450; i++) {
          yield* storage.transaction(events.emit({ type: "organization_updated", organization: here }))
        }
        assert.strictEqual(yield* events.cursor("late"), late)
        const seen = new Set<string>()
        for (;;) {
          const { events: found, after, hasMore } = yield* events.read({ after: yield* events.cursor("late") })
          for (const { id } of found) seen.add(id)
          yield* events.advance("late", after)
          if (!hasMore) break
        }
        assert.strictEqual(seen.size, 450)
        assert.isEmpty((yield* events.read({ after: yield* events.cursor("late") })).events)
        assert.isEmpty((yield* events.read({ after: yield* events.cursor("new") })).events)
      }))

    test("wake who waits for them", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const here = yield* organization
        const one = events.signal.next
        assert.isFalse(one.isOpen())
        const emit = (yield* Storage).transaction(events.emit({ type: "organization_updated", organization: here }))
        yield* emit
        assert.isTrue(one.isOpen())
        const other = events.signal.next
        assert.deepStrictEqual([one.isOpen(), other.isOpen()], [true, false])
        yield* emit
        assert.isTrue(other.isOpen())
      }))

    test("go after 30 days, all but the last", () =>
      Effect.gen(function* () {
        const worker = yield* JobWorker
        const spaces = yield* Spaces
        const table = (yield* Storage).repository(EventTable)
        const here = yield* organization
        yield* worker.runDue
        yield* TestClock.adjust("20 days")
        const { id } = yield* spaces.create(here, {})
        yield* TestClock.adjust("10 days")
        yield* TestClock.adjust("1 second")
        yield* worker.runDue
        assert.deepStrictEqual(
          (yield* table.list({ where: {} })).map(({ type }) => type),
          ["space_created"]
        )
        yield* TestClock.adjust("20 days")
        yield* worker.runDue
        const [last, ...others] = yield* table.list({ where: {} })
        assert.isEmpty(others)
        yield* spaces.update(id, { title: "Still here" })
        const [, next] = yield* table.list({ where: {} })
        assert.isAbove(last!.id < next!.id ? 1 : -1, 0)
      }))
  })
}
