import type { CurrentActor } from "@lectern/core/access/Actor"
import { CollectionId, type CollectionPatch, maxDepth } from "@lectern/core/collection/Collection"
import { Collections } from "@lectern/core/collection/Collections"
import { Grants } from "@lectern/core/grant/Grants"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPaths, invalidPathsOf } from "../Issues.ts"

/** A collection in a collection, with a space in the inner one. */
const nested = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const collections = yield* Collections
  const { id: outer } = yield* collections.create(org, { title: "Outer" })
  const { id: inner } = yield* collections.create(org, { title: "Inner", parent: outer })
  const { id: space } = yield* (yield* Spaces).create(org, { parent: inner })
  const titles = (params: Parameters<typeof collections.list>[1] = {}) =>
    Effect.map(collections.list(org, params), ({ items }) => items.map(({ title }) => title))
  return { org, elsewhere, people, collections, outer, inner, space, titles }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Collections (${name})`, () => {
    const rule = ruleOn(services)

    rule("are created at the end of the top level or of a collection, untitled by default", () =>
      Effect.gen(function* () {
        const { org, collections, outer, titles } = yield* nested
        const create = collections.create(org, {})
        assert.deepStrictEqual(yield* emitted(create), ["collection_created"])
        assert.deepInclude(yield* collections.create(org, { title: "", parent: outer }), {
          title: "Untitled",
          parent: outer,
          organization: org,
          access: "inherit"
        })
        assert.deepStrictEqual(yield* titles(), ["Outer", "Inner", "Untitled", "Untitled"])
        assert.deepStrictEqual(yield* titles({ nested: false }), ["Outer", "Untitled"])
      })
    )

    rule("take the role create at their place to be created and moved, and admin to be changed and deleted", () =>
      Effect.gen(function* () {
        const { org, people, collections, outer, inner } = yield* nested
        assert.deepStrictEqual(yield* outcomes(people, collections.create(org, {})), {
          ok: "host admin create",
          Forbidden: "review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, collections.create(org, { parent: outer })), {
          ok: "host admin create",
          Forbidden: "review edit comment read",
          InvalidPosition: "guest",
          OrganizationNotFound: "outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, collections.move(inner, { parent: null })), {
          ok: "host admin create",
          Forbidden: "review edit comment read",
          CollectionNotFound: "guest outsider"
        })
        for (const use of [collections.update(inner, { title: "New" }), collections.transfer(inner, org)]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host admin",
            Forbidden: "create review edit comment read",
            CollectionNotFound: "guest outsider"
          })
        }
        for (const user of ["create", "review", "edit", "comment", "read"] as const) {
          assert.strictEqual(yield* outcome(collections.remove(inner)).pipe(as(people[user])), "Forbidden")
        }
        for (const user of ["guest", "outsider"] as const) {
          assert.deepStrictEqual(yield* emitted(collections.remove(inner).pipe(as(people[user]))), [])
        }
        assert.strictEqual(yield* outcome(collections.remove(inner)).pipe(as(people.admin)), "ok")
      })
    )

    rule("are visible by their level, and hidden ones do not exist", () =>
      Effect.gen(function* () {
        const { people, collections, outer, inner, titles } = yield* nested
        yield* collections.update(outer, { defaultLevel: null })
        yield* (yield* Grants).grant({ kind: "collection", id: inner }, { users: [people.guest], role: "read" })
        assert.deepStrictEqual(yield* outcomes(people, collections.get(outer)), {
          ok: "host admin",
          CollectionNotFound: "create review edit comment read guest outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, collections.get(inner)), {
          ok: "host admin guest",
          CollectionNotFound: "create review edit comment read outsider"
        })
        assert.deepStrictEqual(yield* titles().pipe(as(people.guest)), ["Inner"])
        assert.deepStrictEqual(yield* titles().pipe(as(people.edit)), [])
      })
    )

    rule("state the permissions of the actor", () =>
      Effect.gen(function* () {
        const { people, collections, inner } = yield* nested
        const permissions = (user: keyof typeof people) =>
          Effect.map(collections.get(inner).pipe(as(people[user])), (collection) => collection.permissions)
        const all = { view: true, admin: true, viewInviteLinks: true, create: true }
        assert.deepStrictEqual(yield* permissions("admin"), all)
        assert.deepStrictEqual(yield* permissions("create"), { ...all, admin: false, viewInviteLinks: false })
        assert.deepInclude(yield* permissions("read"), { view: true, create: false })
      })
    )

    rule("keep fields that a patch omits, and write nothing if nothing changes", () =>
      Effect.gen(function* () {
        const { collections, inner } = yield* nested
        const { generation } = yield* Storage
        const patch: CollectionPatch = { description: "About", defaultLevel: "edit" }
        assert.deepStrictEqual(yield* emitted(collections.update(inner, patch)), ["collection_updated"])
        const before = yield* generation
        assert.deepInclude(yield* collections.update(inner, patch), { ...patch, title: "Inner" } as object)
        assert.strictEqual(yield* generation, before)
        assert.strictEqual((yield* collections.update(inner, { title: "" })).title, "Untitled")
      })
    )

    rule("do not lose their actor's response if the change hides them", () =>
      Effect.gen(function* () {
        const { people, collections, inner } = yield* nested
        yield* collections.update(inner, { defaultLevel: "admin" })
        const hidden = yield* collections.update(inner, { defaultLevel: null }).pipe(as(people.edit))
        assert.isFalse(hidden.permissions.view)
        assert.strictEqual(yield* outcome(collections.get(inner)).pipe(as(people.edit)), "CollectionNotFound")
      })
    )

    rule("move with their content, but not into themselves", () =>
      Effect.gen(function* () {
        const { collections, outer, inner, space, titles } = yield* nested
        for (const parent of [outer, inner]) {
          assert.strictEqual(yield* outcome(collections.move(outer, { parent })), "CollectionCycle")
        }
        assert.deepStrictEqual(yield* emitted(collections.move(inner, { parent: null })), ["collection_moved"])
        assert.deepStrictEqual(yield* emitted(collections.move(inner, { parent: null })), [])
        assert.deepStrictEqual(yield* emitted(collections.move(outer, { parent: inner })), ["collection_moved"])
        assert.deepStrictEqual(yield* titles(), ["Inner", "Outer"])
        assert.strictEqual((yield* (yield* Spaces).get(space)).parent, inner)
      })
    )

    rule("take one of two concurrent moves that would make a cycle", () =>
      Effect.gen(function* () {
        const { org, collections } = yield* nested
        const { id: first } = yield* collections.create(org, {})
        const { id: second } = yield* collections.create(org, {})
        const moves = [collections.move(first, { parent: second }), collections.move(second, { parent: first })]
        const results = yield* Effect.all(moves.map(outcome), { concurrency: "unbounded" })
        assert.sameMembers(results, ["ok", "CollectionCycle"])
      })
    )

    rule("nest at most ten deep", () =>
      Effect.gen(function* () {
        const { org, collections, outer, inner } = yield* nested
        let parent = inner
        for (let depth = 2; depth < maxDepth; depth++) parent = (yield* collections.create(org, { parent })).id
        assert.strictEqual(yield* outcome(collections.create(org, { parent })), "CollectionCycle")
        const { id: other } = yield* collections.create(org, {})
        assert.strictEqual(yield* outcome(collections.move(outer, { parent: other })), "CollectionCycle")
      })
    )

    rule("never show their content to more people by a move, unless an administrator opens it", () =>
      Effect.gen(function* () {
        const { people, collections, outer, inner, space } = yield* nested
        const get = outcome((yield* Spaces).get(space)).pipe(as(people.read))
        yield* collections.update(outer, { defaultLevel: null })
        assert.strictEqual(yield* get, "SpaceNotFound")
        assert.strictEqual((yield* collections.move(inner, { parent: null })).access, "kept")
        assert.strictEqual(yield* get, "SpaceNotFound")
        assert.strictEqual((yield* collections.update(inner, { access: "inherit" })).access, "inherit")
        assert.strictEqual(yield* get, "ok")
      })
    )

    rule("are deleted with everything in them, and their spaces are in the trash", () =>
      Effect.gen(function* () {
        const { collections, outer, space, titles } = yield* nested
        const spaces = yield* Spaces
        assert.sameMembers(yield* emitted(collections.remove(outer)), [
          "space_deleted",
          "collection_deleted",
          "collection_deleted"
        ])
        assert.deepStrictEqual(yield* emitted(collections.remove(outer)), [])
        assert.deepStrictEqual(yield* titles(), [])
        assert.isDefined((yield* spaces.get(space)).deletedAt)
        const restored = yield* spaces.restore(space)
        assert.notProperty(restored, "parent")
        assert.strictEqual(restored.visibility, "private")
      })
    )

    rule("are transferred by administrators of both organizations, without grants to strangers", () =>
      Effect.gen(function* () {
        const { elsewhere, people, collections, outer, inner, space } = yield* nested
        const target = { kind: "collection", id: inner } as const
        yield* (yield* Grants).grant(target, { users: [people.read], role: "admin" })
        for (const [user, expected] of [
          [people.create, "Forbidden"],
          [people.admin, "OrganizationNotFound"],
          [people.outsider, "CollectionNotFound"]
        ] as const) {
          assert.strictEqual(yield* outcome(collections.transfer(outer, elsewhere)).pipe(as(user)), expected)
        }
        assert.deepStrictEqual(yield* emitted(collections.transfer(inner, elsewhere)), [
          "collection_transferred",
          "space_transferred"
        ])
        const transferred = yield* collections.get(inner)
        assert.strictEqual(transferred.organization, elsewhere)
        assert.notProperty(transferred, "parent")
        assert.strictEqual((yield* (yield* Spaces).get(space)).organization, elsewhere)
        assert.strictEqual((yield* (yield* Grants).listUsers(target, {})).count, 0)
        assert.strictEqual(yield* outcome(collections.get(inner)).pipe(as(people.admin)), "CollectionNotFound")
      })
    )

    rule("reject invalid fields and parents", () =>
      Effect.gen(function* () {
        const { org, elsewhere, collections, inner } = yield* nested
        const { id: foreign } = yield* collections.create(elsewhere, {})
        const unknown = CollectionId.make("unknown")
        assert.deepStrictEqual(
          yield* invalidPathsOf<CollectionPatch, CurrentActor>(
            [
              { title: "a".repeat(51) },
              { title: "a\nb" },
              { description: "a".repeat(101) },
              { defaultLevel: "owner" as "admin" },
              { access: "open" as "inherit" }
            ],
            (patch) => collections.update(inner, patch)
          ),
          ["title", "title", "description", "defaultLevel", "access"]
        )
        for (const parent of [foreign, unknown]) {
          assert.strictEqual(yield* invalidPaths(collections.create(org, { parent })), "body.parent")
          assert.strictEqual(yield* invalidPaths(collections.move(inner, { parent })), "body.parent")
        }
        const before = { type: "collection", collection: foreign } as const
        assert.strictEqual(
          yield* invalidPaths(collections.move(inner, { position: { before } })),
          "body.position.before"
        )
      })
    )
  })
}
