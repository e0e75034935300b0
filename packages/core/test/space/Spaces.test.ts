import type { CurrentActor } from "@lectern/core/access/Actor"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Collections } from "@lectern/core/collection/Collections"
import { Contents } from "@lectern/core/content/Contents"
import { Grants } from "@lectern/core/grant/Grants"
import { type SpaceCreate, SpaceId, type SpacePatch } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPaths, invalidPathsOf } from "../Issues.ts"

/** A space in a collection. */
const inCollection = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const spaces = yield* Spaces
  const collections = yield* Collections
  const { id: collection } = yield* collections.create(org, {})
  const { id: space } = yield* spaces.create(org, { title: "Docs", parent: collection })
  const titles = Effect.map(spaces.list(org, {}), ({ items }) => items.map(({ title }) => title))
  return { org, elsewhere, people, spaces, collections, collection, space, titles }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Spaces (${name})`, () => {
    const rule = ruleOn(services)

    rule("are created with defaults, as the last item of their parent", () =>
      Effect.gen(function* () {
        const { org, spaces, collection, titles } = yield* inCollection
        assert.deepStrictEqual(yield* emitted(spaces.create(org, { title: "Top" })), ["space_created"])
        assert.deepInclude(yield* spaces.create(org, { title: "", parent: collection }), {
          title: "Untitled",
          emoji: "📄",
          visibility: "in-collection",
          editMode: "live",
          parent: collection,
          organization: org,
          defaultLevel: "read",
          access: "inherit",
          comments: 0,
          changeRequests: 0
        })
        assert.strictEqual((yield* spaces.create(org, {})).visibility, "private")
        assert.deepStrictEqual(yield* titles, ["Docs", "Untitled", "Top", "Untitled"])
      })
    )

    rule("take the role create at their place to be created and moved", () =>
      Effect.gen(function* () {
        const { org, people, spaces, collection, space } = yield* inCollection
        assert.deepStrictEqual(yield* outcomes(people, spaces.create(org, {})), {
          ok: "host admin create",
          Forbidden: "review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, spaces.create(org, { parent: collection })), {
          ok: "host admin create",
          Forbidden: "review edit comment read",
          InvalidPosition: "guest",
          OrganizationNotFound: "outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, spaces.move(space, { parent: null })), {
          ok: "host admin create",
          Forbidden: "review edit comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("are visible to their readers, and changed, deleted and restored by their administrators", () =>
      Effect.gen(function* () {
        const { people, spaces, space } = yield* inCollection
        assert.deepStrictEqual(yield* outcomes(people, spaces.get(space)), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, spaces.update(space, { title: "New" })), {
          ok: "host admin",
          Forbidden: "create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
        assert.strictEqual(yield* outcome(spaces.restore(space)).pipe(as(people.create)), "Forbidden")
        const { admin, ...others } = people
        assert.deepStrictEqual(
          yield* outcomes(others, (actor) => (actor === "host" ? Effect.void : spaces.remove(space))),
          {
            ok: "host guest outsider",
            Forbidden: "create review edit comment read"
          }
        )
        yield* spaces.remove(space).pipe(as(admin))
        for (const use of [spaces.get(space), spaces.restore(space)]) {
          assert.deepStrictEqual(yield* outcomes(others, (actor) => (actor === "host" ? Effect.void : use)), {
            ok: "host",
            SpaceNotFound: "create review edit comment read guest outsider"
          })
        }
      })
    )

    rule("are listed in the trash for those who may restore them, for 7 days, with the user who deleted each", () =>
      Effect.gen(function* () {
        const { org, people, spaces, space } = yield* inCollection
        const { id: other } = yield* spaces.create(org, { title: "Other" })
        const { id: byHost } = yield* spaces.create(org, { title: "By the host" })
        yield* (yield* Grants).grant({ kind: "space", id: other }, { users: [people.guest], role: "admin" })
        yield* (yield* Grants).grant({ kind: "space", id: byHost }, { users: [people.guest], role: "create" })
        yield* spaces.remove(space).pipe(as(people.admin))
        yield* TestClock.adjust("1 day")
        yield* spaces.remove(other).pipe(as(people.guest))
        yield* TestClock.adjust("1 hour")
        yield* spaces.remove(byHost)
        // A second deletion changes nothing.
        yield* spaces.remove(space).pipe(as(people.admin))
        const trash = Effect.map(spaces.listDeleted(org, {}), ({ items }) =>
          items.map((one) => [one.space.title, one.deletedBy.id, one.restorableUntil])
        )
        const until = (deletedAt: string | undefined) =>
          new Date(Date.parse(deletedAt!) + 7 * 24 * 60 * 60 * 1000).toISOString()
        const docs = yield* spaces.get(space)
        const entries = [
          ["By the host", "host", until((yield* spaces.get(byHost)).deletedAt)],
          ["Other", people.guest, until((yield* spaces.get(other)).deletedAt)],
          ["Docs", people.admin, until(docs.deletedAt)]
        ]
        assert.deepStrictEqual(yield* trash, entries)
        assert.deepStrictEqual(yield* trash.pipe(as(people.admin)), entries)
        assert.deepStrictEqual(yield* trash.pipe(as(people.guest)), [entries[1]])
        for (const user of ["create", "review", "edit", "comment", "read"] as const) {
          assert.deepStrictEqual(yield* trash.pipe(as(people[user])), [])
        }
        assert.strictEqual(yield* outcome(trash).pipe(as(people.outsider)), "OrganizationNotFound")
        const first = yield* spaces.listDeleted(org, { limit: 2 })
        const next = yield* spaces.listDeleted(org, { limit: 2, page: first.next!.page })
        assert.deepStrictEqual([first.count, next.items.map((one) => one.space.title)], [3, ["Docs"]])
        yield* TestClock.adjust("6 days")
        assert.deepStrictEqual(yield* trash, entries.slice(0, 2))
        yield* spaces.restore(other)
        assert.deepStrictEqual(yield* trash, entries.slice(0, 1))
      })
    )

    rule("state the permissions of the actor", () =>
      Effect.gen(function* () {
        const { people, spaces, space } = yield* inCollection
        const permissions = (user: keyof typeof people) =>
          Effect.map(spaces.get(space).pipe(as(people[user])), ({ permissions }) =>
            (["view", "comment", "edit", "review", "merge", "admin"] as const)
              .filter((permission) => permissions[permission])
              .join(" ")
          )
        assert.strictEqual(yield* permissions("admin"), "view comment edit review merge admin")
        assert.strictEqual(yield* permissions("review"), "view comment edit review merge")
        assert.strictEqual(yield* permissions("edit"), "view comment edit")
        assert.strictEqual(yield* permissions("comment"), "view comment")
        assert.strictEqual(yield* permissions("read"), "view")
        yield* spaces.update(space, { editMode: "locked" })
        assert.strictEqual(yield* permissions("edit"), "view comment")
      })
    )

    rule("are listed in tree order, as far as the actor sees them", () =>
      Effect.gen(function* () {
        const { org, people, spaces, collection, space, titles } = yield* inCollection
        const { id: top } = yield* spaces.create(org, { title: "Top" })
        yield* spaces.create(org, { title: "Last" })
        yield* spaces.update(top, { defaultLevel: null })
        yield* (yield* Grants).grant({ kind: "space", id: top }, { users: [people.guest], role: "edit" })
        assert.deepStrictEqual(yield* titles, ["Docs", "Top", "Last"])
        assert.deepStrictEqual(yield* titles.pipe(as(people.read)), ["Docs", "Last"])
        assert.deepStrictEqual(yield* titles.pipe(as(people.guest)), ["Top"])
        const first = yield* spaces.list(org, { limit: 2 })
        const next = yield* spaces.list(org, { page: first.next!.page })
        assert.deepStrictEqual([first.count, next.items.map(({ title }) => title)], [3, ["Last"]])
        assert.deepStrictEqual(
          (yield* spaces.listInCollection(collection, {})).items.map(({ id }) => id),
          [space]
        )
        assert.strictEqual(
          yield* outcome(spaces.listInCollection(collection, {})).pipe(as(people.guest)),
          "CollectionNotFound"
        )
      })
    )

    rule("of a member are listed with the member's level, for the member and for administrators", () =>
      Effect.gen(function* () {
        const { org, people, spaces, space } = yield* inCollection
        yield* (yield* Grants).grant({ kind: "space", id: space }, { users: [people.read], role: "review" })
        const list = spaces.listOfMember(org, people.read, {})
        assert.deepStrictEqual(yield* outcomes(people, list), {
          ok: "host admin read",
          Forbidden: "create review edit comment guest",
          OrganizationNotFound: "outsider"
        })
        const { items } = yield* list
        assert.deepStrictEqual(
          items.map((item) => [item.space.id, item.permission]),
          [[space, "review"]]
        )
        assert.strictEqual(yield* outcome(spaces.listOfMember(org, people.outsider, {})), "MemberNotFound")
      })
    )

    rule("keep fields that a patch omits, and write nothing if nothing changes", () =>
      Effect.gen(function* () {
        const { spaces, space } = yield* inCollection
        const { generation } = yield* Storage
        const patch: SpacePatch = { emoji: "🚀", language: "de", editMode: "locked", visibility: "public" }
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* emitted(spaces.update(space, patch)), [
          "space_visibility_updated",
          "space_updated"
        ])
        const before = yield* generation
        yield* TestClock.adjust("1 second")
        assert.deepInclude(yield* spaces.update(space, patch), {
          ...patch,
          title: "Docs",
          updatedAt: "1970-01-01T00:00:01.000Z"
        } as object)
        assert.strictEqual(yield* generation, before)
        assert.deepInclude(yield* spaces.update(space, { title: "", emoji: "" }), { title: "Untitled", emoji: "📄" })
      })
    )

    rule("in the trash are seen by administrators only, and can be restored for 7 days", () =>
      Effect.gen(function* () {
        const { people, spaces, space, collection, titles } = yield* inCollection
        assert.deepStrictEqual(yield* emitted(spaces.remove(space)), ["space_deleted"])
        assert.deepStrictEqual(yield* emitted(spaces.remove(space)), [])
        assert.deepStrictEqual(yield* titles, [])
        assert.strictEqual((yield* spaces.get(space).pipe(as(people.admin))).deletedAt, "1970-01-01T00:00:00.000Z")
        assert.strictEqual(yield* outcome(spaces.update(space, { title: "New" })), "SpaceNotFound")
        const restored = yield* spaces.restore(space).pipe(as(people.admin))
        assert.strictEqual(restored.parent, collection)
        assert.notProperty(restored, "deletedAt")
        assert.deepStrictEqual(yield* emitted(spaces.restore(space)), [])
        yield* spaces.remove(space)
        yield* TestClock.adjust("7 days")
        assert.strictEqual(yield* outcome(spaces.restore(space)), "SpaceNotFound")
      })
    )

    rule("are duplicated with their content, for the actor only", () =>
      Effect.gen(function* () {
        const { people, spaces, space, collection } = yield* inCollection
        yield* publish(space, [{ operation: "insert_page", title: "Page" }])
        yield* (yield* ChangeRequests).create(space, {})
        const copy = yield* spaces.duplicate(space).pipe(as(people.create))
        assert.deepInclude(copy, { title: "Docs (copy)", parent: collection, access: "kept", changeRequests: 0 })
        const contents = yield* Contents
        const { pages } = yield* contents.pages(yield* contents.locate({ space: copy.id }))
        assert.deepStrictEqual(
          pages.map(({ title }) => title),
          ["Page"]
        )
        assert.deepStrictEqual(yield* outcomes(people, spaces.update(copy.id, { title: "Mine" })), {
          ok: "host admin create",
          SpaceNotFound: "review edit comment read guest outsider"
        })
        const open = spaces.duplicate(space, { access: "inherit" })
        assert.strictEqual(yield* outcome(open).pipe(as(people.create)), "Forbidden")
        assert.strictEqual((yield* open.pipe(as(people.admin))).access, "inherit")
      })
    )

    rule("never become visible to more people by a move, unless an administrator opens them", () =>
      Effect.gen(function* () {
        const { people, spaces, collections, collection, space } = yield* inCollection
        const get = outcome(spaces.get(space)).pipe(as(people.read))
        yield* collections.update(collection, { defaultLevel: null })
        yield* (yield* Grants).grant({ kind: "collection", id: collection }, { users: [people.create], role: "create" })
        const moved = yield* spaces.move(space, { parent: null }).pipe(as(people.create))
        assert.deepInclude(moved, { access: "kept", visibility: "private" })
        assert.strictEqual(yield* get, "SpaceNotFound")
        const open = outcome(spaces.move(space, { access: "inherit" }))
        assert.notStrictEqual(yield* open.pipe(as(people.create)), "ok")
        assert.strictEqual(yield* open, "ok")
        assert.strictEqual(yield* get, "ok")
      })
    )

    rule("move next to a sibling, and nowhere else", () =>
      Effect.gen(function* () {
        const { org, spaces, space, titles } = yield* inCollection
        const [a, b, c] = yield* Effect.forEach(["A", "B", "C"], (title) => spaces.create(org, { title }))
        const at = (id: SpaceId) => ({ type: "space", space: id }) as const
        assert.deepStrictEqual(
          yield* emitted(spaces.move(c!.id, { position: { after: at(a!.id), before: at(b!.id) } })),
          ["space_updated"]
        )
        assert.deepStrictEqual(yield* titles, ["Docs", "A", "C", "B"])
        assert.deepStrictEqual(yield* emitted(spaces.move(c!.id, { position: { after: at(a!.id) } })), [])
        for (const position of [{ before: at(space) }, { after: at(SpaceId.make("unknown")) }]) {
          const path = `body.position.${Object.keys(position)[0]}`
          assert.strictEqual(yield* invalidPaths(spaces.move(c!.id, { position })), path)
        }
        const apart = { position: { after: at(b!.id), before: at(a!.id) } }
        assert.strictEqual(yield* invalidPaths(spaces.move(c!.id, apart)), "body.position")
      })
    )

    rule("are transferred by administrators of both organizations, without grants to strangers and teams", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, spaces, space } = yield* inCollection
        const grants = yield* Grants
        const target = { kind: "space", id: space } as const
        const { id: team } = yield* (yield* Teams).create(org, { title: "Team" })
        yield* grants.grant(target, { users: [people.read], role: "admin" })
        yield* grants.grant(target, { teams: [team], role: "admin" })
        for (const [user, expected] of [
          [people.create, "Forbidden"],
          [people.admin, "OrganizationNotFound"],
          [people.outsider, "SpaceNotFound"]
        ] as const) {
          assert.strictEqual(yield* outcome(spaces.transfer(space, elsewhere)).pipe(as(user)), expected)
        }
        assert.deepStrictEqual(yield* emitted(spaces.transfer(space, elsewhere)), [
          "space_visibility_updated",
          "space_transferred"
        ])
        assert.deepStrictEqual(yield* emitted(spaces.transfer(space, elsewhere)), [])
        const transferred = yield* spaces.get(space)
        assert.deepInclude(transferred, { organization: elsewhere, visibility: "private" })
        assert.notProperty(transferred, "parent")
        assert.deepStrictEqual(
          [(yield* grants.listUsers(target, {})).count, (yield* grants.listTeams(target, {})).count],
          [0, 0]
        )
        assert.strictEqual(yield* outcome(spaces.get(space)).pipe(as(people.admin)), "SpaceNotFound")
      })
    )

    rule("are undone with their transaction", () =>
      Effect.gen(function* () {
        const { org, spaces, space, titles } = yield* inCollection
        const storage = yield* Storage
        const changes: ReadonlyArray<Effect.Effect<unknown, unknown, CurrentActor>> = [
          spaces.create(org, {}),
          spaces.remove(space),
          spaces.duplicate(space)
        ]
        for (const change of changes) {
          const undone = Effect.flip(storage.transaction(Effect.andThen(change, Effect.fail("undone" as const))))
          assert.deepStrictEqual(yield* emitted(undone), [])
        }
        assert.deepStrictEqual(yield* titles, ["Docs"])
      })
    )

    rule("reject invalid fields, parents and visibilities", () =>
      Effect.gen(function* () {
        const { org, elsewhere, spaces, collections } = yield* inCollection
        const { id: foreign } = yield* collections.create(elsewhere, {})
        const { id: top } = yield* spaces.create(org, {})
        assert.deepStrictEqual(
          yield* invalidPathsOf<SpaceCreate, CurrentActor>(
            [
              { title: "a".repeat(51) },
              { title: "a\nb" },
              { emoji: "a".repeat(51) },
              { language: "klingon" as "de" },
              { editMode: "open" as "live" },
              { parent: foreign },
              { empty: true, template: { id: "handbook" } }
            ],
            (input) => spaces.create(org, input)
          ),
          ["title", "title", "emoji", "language", "editMode", "body.parent", "body.empty"]
        )
        assert.strictEqual(yield* outcome(spaces.create(org, { template: { id: "unknown" } })), "TemplateNotFound")
        assert.strictEqual(yield* outcome(spaces.update(top, { visibility: "in-collection" })), "InvalidVisibility")
        assert.strictEqual(yield* invalidPaths(spaces.update(top, { visibility: "secret" as "public" })), "visibility")
      })
    )
  })
}
