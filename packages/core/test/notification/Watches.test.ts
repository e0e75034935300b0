/** Watched and muted content of users, and the effect of writing. */
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Comments } from "@lectern/core/comment/Comments"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import { maxWatches, WatchTable } from "@lectern/core/notification/Watch"
import { Watches } from "@lectern/core/notification/Watches"
import { Reviews } from "@lectern/core/review/Reviews"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, discussion, publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { settle } from "./Inboxes.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Watches (${name})`, () => {
    const rule = ruleOn(services)
    const watchesOf = (user: UserId) =>
      Effect.map(
        Effect.flatMap(Watches, ({ list }) => list({})),
        ({ items }) => items
      ).pipe(as(user))

    rule("begin with writing: creating, editing, reviewing and commenting", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const { id: cr } = yield* (yield* ChangeRequests).create(space, {}).pipe(as(people.edit))
        const scope = { space, changeRequest: cr }
        const write = [{ operation: "insert_page" as const, title: "New" }]
        yield* (yield* ChangeRequestContents).write(space, cr, write).pipe(as(people.review))
        yield* (yield* Reviews).submit(space, cr, { status: "approved" }).pipe(as(people.admin))
        const { id } = yield* (yield* Comments).post(scope, { body: { markdown: "Hm" } }).pipe(as(people.comment))
        yield* (yield* Comments).postReply(scope, id, { body: {} }).pipe(as(people.second))
        yield* settle
        for (const who of ["edit", "review", "admin", "comment", "second"] as const) {
          const [watch, ...rest] = yield* watchesOf(people[who])
          assert.deepInclude(watch, { state: "watching", automatic: true, changeRequest: cr }, who)
          assert.lengthOf(rest, 0)
        }
        assert.lengthOf(yield* watchesOf(people.read), 0)
      })
    )

    rule("begin with direct changes: of the changed pages, or of the space after more than ten", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const { write } = yield* LiveContents
        const insert = (count: number) =>
          Array.from({ length: count }, (_, i) => ({ operation: "insert_page" as const, title: `Page ${i}` }))
        yield* write(space, insert(2)).pipe(as(people.edit))
        yield* write(space, insert(11)).pipe(as(people.admin))
        yield* settle
        const edited = yield* watchesOf(people.edit)
        assert.deepStrictEqual(
          edited.map(({ page, automatic }) => [typeof page, automatic]),
          [
            ["string", true],
            ["string", true]
          ]
        )
        assert.deepStrictEqual(
          (yield* watchesOf(people.admin)).map(({ page, automatic }) => [page, automatic]),
          [[undefined, true]]
        )
      })
    )

    rule("change state, end, and begin again with the next writing", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const watches = yield* Watches
        const comment = (yield* Comments).post({ space }, { body: { markdown: "Hm" } }).pipe(as(people.comment))
        yield* comment
        yield* settle
        const content = { space }
        yield* watches.put(content, { state: "muted" }).pipe(as(people.comment))
        yield* comment
        yield* settle
        assert.deepInclude((yield* watchesOf(people.comment))[0], { state: "muted", automatic: false })
        yield* watches.remove(content).pipe(as(people.comment))
        assert.lengthOf(yield* watchesOf(people.comment), 0)
        yield* comment
        yield* settle
        assert.deepInclude((yield* watchesOf(people.comment))[0], { state: "watching", automatic: true })
      })
    )

    rule("are on visible content only, and can end when it is no longer visible", () =>
      Effect.gen(function* () {
        const { people, space, cr } = yield* discussion()
        const watches = yield* Watches
        const pages = yield* publish(space, [{ operation: "insert_page", ref: "a", title: "A" }])
        const contents = [{ space }, { space, page: pages.get("a")! }, { space, changeRequest: "1" }]
        for (const content of contents) yield* watches.put(content, { state: "watching" }).pipe(as(people.read))
        assert.sameMembers(
          (yield* watchesOf(people.read)).map(({ changeRequest }) => changeRequest),
          [undefined, undefined, cr]
        )
        const refused = (content: Parameters<typeof watches.put>[0]) =>
          Effect.map(Effect.flip(watches.put(content, { state: "watching" }).pipe(as(people.read))), ({ _tag }) => _tag)
        assert.strictEqual(yield* refused({ space, page: "none" }), "ContentPageNotFound")
        assert.strictEqual(yield* refused({ space, changeRequest: "99" }), "ChangeRequestNotFound")
        yield* (yield* Spaces).update(space, { defaultLevel: null })
        assert.lengthOf(yield* watchesOf(people.read), 0)
        assert.strictEqual(yield* refused({ space }), "SpaceNotFound")
        yield* watches.remove({ space }).pipe(as(people.read))
        yield* (yield* Spaces).update(space, { defaultLevel: "inherit" })
        assert.lengthOf(yield* watchesOf(people.read), 2)
        assert.strictEqual((yield* Effect.flip(watches.put({ space }, { state: "watching" })))._tag, "Forbidden")
      })
    )

    rule("are bounded for each user", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const storage = yield* Storage
        const rows = storage.repository(WatchTable)
        const row = { user: people.read, space, state: "watching", automatic: true, createdAt: "" as never } as const
        yield* storage.transaction(
          Effect.forEach(Array.from({ length: maxWatches }), (_, i) => rows.insert({ ...row, target: `page:${i}` }), {
            discard: true
          })
        )
        const put = (yield* Watches).put({ space }, { state: "watching" }).pipe(as(people.read))
        assert.strictEqual((yield* Effect.flip(put))._tag, "TooManyWatches")
        yield* rows.remove({ target: "page:0", user: people.read })
        yield* put
      })
    )
  })
}
