import { CurrentActor } from "@lectern/core/access/Actor"
import { Grants, type GrantTarget } from "@lectern/core/grant/Grants"
import { Collections } from "@lectern/core/collection/Collections"
import type { Event } from "@lectern/core/event/Event"
import { EventId } from "@lectern/core/event/EventKind"
import { Events } from "@lectern/core/event/Events"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { onEach } from "../Adapters.ts"
import { adapters, organization, type Services } from "../Instances.ts"

/** Events since the last question, without the fields that every event has. */
const news = Effect.gen(function* () {
  const events = yield* Events
  let after = (yield* events.read({ after: EventId.make("") })).after
  return Effect.gen(function* () {
    const found = yield* events.read({ after })
    after = found.after
    return found.events.map(({ id: _, createdAt: __, actor: ___, ...event }: Event): object => event)
  })
})

for (const [name, services] of onEach(adapters)) {
  describe(`Events of collections and grants (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("tell what became of a collection, and of all that went along", () =>
      Effect.gen(function* () {
        const collections = yield* Collections
        const here = yield* organization
        const { id: there } = yield* (yield* Organizations).create({ title: "Elsewhere" })
        const next = yield* news
        const about = (type: Event["type"], collection: string) => ({ type, organization: here, collection })

        const { id } = yield* collections.create(here, { title: "A" })
        const { id: inner } = yield* collections.create(here, { parent: id })
        assert.deepStrictEqual(yield* next, [about("collection_created", id), about("collection_created", inner)])

        yield* collections.update(id, { title: "B" })
        yield* collections.move(inner, { parent: null })
        yield* collections.move(inner, { parent: id })
        // Nothing is told where nothing changed.
        yield* collections.move(inner, { parent: id })
        assert.deepStrictEqual(yield* next, [
          about("collection_updated", id),
          about("collection_moved", inner),
          about("collection_moved", inner)
        ])

        const { id: space } = yield* (yield* Spaces).create(here, { parent: inner })
        yield* next
        yield* collections.transfer(id, there)
        const from = { organization: there, from: here }
        assert.deepStrictEqual(yield* next, [
          { type: "collection_transferred", collection: id, ...from },
          { type: "collection_transferred", collection: inner, ...from },
          { type: "space_transferred", space, ...from }
        ])

        yield* collections.remove(id)
        yield* collections.remove(id)
        assert.sameDeepMembers(yield* next, [
          { type: "space_deleted", organization: there, space },
          { ...about("collection_deleted", id), organization: there },
          { ...about("collection_deleted", inner), organization: there }
        ])
      }))

    test("tell who was given what on what, by whom", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const events = yield* Events
        const users = yield* Users
        const here = yield* organization
        const { id: ada } = yield* users.create({ email: "ada@example.com" })
        const { id: bob } = yield* users.create({ email: "bob@example.com" })
        for (const user of [ada, bob]) yield* (yield* Organizations).join(here, user, user === ada ? "admin" : "read")
        const { id: space } = yield* (yield* Spaces).create(here, {})
        const { id: collection } = yield* (yield* Collections).create(here, {})
        const next = yield* news
        const about = ({ kind, id }: GrantTarget) => ({
          organization: here,
          content: { kind, id },
          holderKind: "user",
          holder: bob
        })
        yield* Effect.gen(function* () {
          for (const target of [
            { kind: "space", id: space },
            { kind: "collection", id: collection }
          ] as const) {
            yield* grants.grant(target, { users: [bob, bob], role: "edit" })
            yield* grants.change(target, "user", bob, "review")
            yield* grants.remove(target, "user", bob)
            yield* grants.remove(target, "user", bob)
            assert.deepStrictEqual(yield* next, [
              { type: "grant_changed", ...about(target), role: "edit" },
              { type: "grant_changed", ...about(target), role: "review" },
              { type: "grant_removed", ...about(target) }
            ])
          }
        }).pipe(Effect.provideService(CurrentActor, { type: "user", user: ada }))
        const { events: all } = yield* events.read({ after: EventId.make(""), types: ["grant_changed"] })
        assert.deepStrictEqual([...new Set(all.map(({ actor }) => actor))], [ada])
      }))

    test("are undone with what they tell of", () =>
      Effect.gen(function* () {
        const storage = yield* Storage
        const here = yield* organization
        const next = yield* news
        const undone = Effect.andThen((yield* Collections).create(here, {}), Effect.fail("no" as const))
        yield* Effect.flip(storage.transaction(undone))
        assert.deepStrictEqual(yield* next, [])
      }))
  })
}
