import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Contents } from "@lectern/core/content/Contents"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../../Actors.ts"
import { onEach } from "../../Adapters.ts"
import { as } from "../../comment/Discussion.ts"
import { adapters } from "../../Instances.ts"

const insert = (title: string, markdown?: string): ContentChange => ({
  operation: "insert_page",
  title,
  ref: title,
  ...(markdown !== undefined && { document: { markdown } })
})

/** A space with the page Guide, and a draft. */
const drafted = Effect.gen(function* () {
  const { org, people } = yield* members
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const changeRequests = yield* ChangeRequests
  const contents = yield* ChangeRequestContents
  const { id: first } = yield* changeRequests.create(space, {})
  const [written] = (yield* contents.write(space, first, [insert("Guide", "One.")])).changes
  yield* contents.merge(space, first)
  const { id } = yield* changeRequests.create(space, {}).pipe(as(people.edit))
  const page = written?.object === "created_page" ? written.page.id : ""
  return { org, people, space, id, page, contents, changeRequests }
})

const titles = Effect.fnUntraced(function* (space: SpaceId, changeRequest?: string) {
  const contents = yield* Contents
  const at = yield* contents.locate({ space, ...(changeRequest !== undefined && { changeRequest }) })
  return (yield* contents.pages(at, {})).pages.map(({ title }) => title)
})

for (const [name, services] of onEach(adapters)) {
  describe(`ChangeRequestContents (${name})`, () => {
    const rule = ruleOn(services)

    rule("write a batch as one revision, without a change to main", () =>
      Effect.gen(function* () {
        const { space, id, contents } = yield* drafted
        const before = yield* (yield* Spaces).get(space)
        const { changeRequest, changes } = yield* contents.write(space, id, [insert("A"), insert("B")])
        assert.notStrictEqual(changeRequest.revision, changeRequest.revisionInitial)
        assert.strictEqual(changes.length, 2)
        assert.deepStrictEqual(yield* titles(space, id), ["Guide", "A", "B"])
        assert.deepStrictEqual(yield* titles(space), ["Guide"])
        assert.strictEqual((yield* (yield* Spaces).get(space)).revision, before.revision)
      })
    )

    rule("write all of a batch or nothing", () =>
      Effect.gen(function* () {
        const { space, id, contents, changeRequests } = yield* drafted
        const { revision } = yield* changeRequests.get(space, id)
        const missing = { operation: "delete_page", page: "missing" } as const
        assert.notStrictEqual(yield* outcome(contents.write(space, id, [insert("A"), missing])), "ok")
        assert.strictEqual(yield* outcome(contents.write(space, id, [])), "InvalidInput")
        const tooMany = Array.from({ length: 51 }, (_, i) => insert(`Page ${i}`))
        assert.strictEqual(yield* outcome(contents.write(space, id, tooMany)), "InvalidInput")
        assert.strictEqual((yield* changeRequests.get(space, id)).revision, revision)
      })
    )

    rule("create no revision and no event for a batch that changes nothing", () =>
      Effect.gen(function* () {
        const { space, id, page, contents, changeRequests } = yield* drafted
        const rename = contents.write(space, id, [{ operation: "update_page", page, title: "Manual" }])
        assert.deepStrictEqual(yield* emitted(rename), ["change_request_content_updated"])
        const { revision } = yield* changeRequests.get(space, id)
        assert.deepStrictEqual(yield* emitted(rename), [])
        assert.strictEqual((yield* changeRequests.get(space, id)).revision, revision)
      })
    )

    rule("are written by the creator, and by others from the level review on", () =>
      Effect.gen(function* () {
        const { space, people, id, contents, changeRequests } = yield* drafted
        const { id: ofHost } = yield* changeRequests.create(space, {})
        const writes = (request: string) =>
          outcomes(people, (actor) => contents.write(space, request, [insert(`By ${actor}`)]))
        assert.deepStrictEqual(yield* writes(id), {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
        assert.deepStrictEqual(yield* writes(ofHost), {
          ok: "host admin create review",
          Forbidden: "edit comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("are merged from the level review on, even by the creator", () =>
      Effect.gen(function* () {
        const { space, people, contents, changeRequests } = yield* drafted
        const merges = yield* outcomes(people, (actor) =>
          Effect.flatMap(changeRequests.create(space, {}).pipe(as(actor === "edit" ? people.edit : "host")), ({ id }) =>
            contents.merge(space, id)
          )
        )
        assert.deepStrictEqual(merges, {
          ok: "host admin create review",
          Forbidden: "edit comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("become main by a merge, which happens once", () =>
      Effect.gen(function* () {
        const { space, id, people, contents, changeRequests } = yield* drafted
        yield* contents.write(space, id, [insert("New")])
        const merge = contents.merge(space, id).pipe(as(people.review))
        assert.deepStrictEqual(yield* emitted(merge), ["change_request_merged", "space_content_updated"])
        assert.deepStrictEqual(yield* titles(space), ["Guide", "New"])
        const merged = yield* changeRequests.get(space, id)
        assert.deepStrictEqual([merged.status, merged.mergedBy?.id], ["merged", people.review])
        assert.strictEqual(merged.revisionMerged, (yield* (yield* Spaces).get(space)).revision)
        for (const late of [
          contents.merge(space, id),
          contents.update(space, id),
          contents.write(space, id, [insert("X")])
        ]) {
          assert.strictEqual(yield* outcome(late), "ChangeRequestConflict")
        }
      })
    )

    rule("are closed while the change request is archived", () =>
      Effect.gen(function* () {
        const { space, id, contents, changeRequests } = yield* drafted
        yield* changeRequests.update(space, id, { status: "archived" })
        for (const closed of [
          contents.merge(space, id),
          contents.update(space, id),
          contents.write(space, id, [insert("X")])
        ]) {
          assert.strictEqual(yield* outcome(closed), "ChangeRequestConflict")
        }
        yield* changeRequests.update(space, id, { status: "draft" })
        assert.strictEqual((yield* contents.merge(space, id)).result, "merge")
      })
    )

    rule("reject a stale revision of a precondition before any write", () =>
      Effect.gen(function* () {
        const { space, id, contents, changeRequests } = yield* drafted
        const { revision } = yield* changeRequests.get(space, id)
        const at = { revisions: [revision] }
        yield* contents.write(space, id, [insert("A")], at)
        for (const stale of [
          contents.write(space, id, [insert("B")], at),
          contents.update(space, id, at),
          contents.merge(space, id, at),
          contents.resolve(space, id, "any", "ours" as never, at)
        ]) {
          assert.strictEqual(yield* outcome(stale), "ChangeRequestStale")
        }
        assert.deepStrictEqual(yield* titles(space, id), ["Guide", "A"])
      })
    )

    rule("update to changes of main, and report whether the change request is outdated", () =>
      Effect.gen(function* () {
        const { space, id, contents, changeRequests } = yield* drafted
        yield* contents.write(space, id, [insert("Ours")])
        const { id: other } = yield* changeRequests.create(space, {})
        yield* contents.write(space, other, [insert("Theirs")])
        yield* contents.merge(space, other)
        assert.isTrue((yield* changeRequests.get(space, id)).outdated)
        assert.strictEqual((yield* contents.update(space, id)).result, "update")
        const { revision, outdated } = yield* changeRequests.get(space, id)
        assert.isFalse(outdated)
        assert.sameMembers(yield* titles(space, id), ["Guide", "Ours", "Theirs"])
        assert.deepStrictEqual(yield* emitted(contents.update(space, id)), [])
        assert.strictEqual((yield* changeRequests.get(space, id)).revision, revision)
      })
    )

    rule("can't be merged with a conflict, until it is resolved once", () =>
      Effect.gen(function* () {
        const { space, id, page, contents, changeRequests } = yield* drafted
        const rename = (title: string): ContentChange => ({ operation: "update_page", page, title })
        yield* contents.write(space, id, [rename("Ours")])
        const { id: other } = yield* changeRequests.create(space, {})
        yield* contents.write(space, other, [rename("Theirs")])
        yield* contents.merge(space, other)
        const types = yield* emitted(contents.merge(space, id))
        assert.deepStrictEqual(types, ["change_request_content_updated", "change_request_conflicts_found"])
        assert.deepStrictEqual(yield* emitted(contents.merge(space, id)), [])
        assert.strictEqual((yield* contents.merge(space, id)).result, "conflicts")
        assert.strictEqual((yield* changeRequests.get(space, id)).status, "draft")
        const { conflicts } = yield* contents.changes(space, id)
        assert.strictEqual(conflicts.length, 1)
        const { id: conflict, keep } = conflicts[0]!
        const resolve = contents.resolve(space, id, conflict, keep[0]!)
        yield* resolve
        assert.strictEqual(yield* outcome(resolve), "ConflictNotFound")
        assert.strictEqual((yield* contents.merge(space, id)).result, "merge")
      })
    )

    rule("list changed pages up to a limit, to everyone who reads the space", () =>
      Effect.gen(function* () {
        const { space, people, id, contents } = yield* drafted
        assert.strictEqual((yield* contents.changes(space, id)).changes.length, 0)
        yield* contents.write(space, id, [insert("A"), insert("B"), insert("C")])
        assert.strictEqual((yield* contents.changes(space, id)).changes.length, 3)
        assert.strictEqual((yield* contents.changes(space, id, 2)).changes.length, 2)
        assert.deepStrictEqual(yield* outcomes(people, contents.changes(space, id)), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
      })
    )

    rule("keep every one of several concurrent writes and merges", () =>
      Effect.gen(function* () {
        const { space, id, contents, changeRequests } = yield* drafted
        const names = ["A", "B", "C", "D"]
        yield* Effect.forEach(names, (title) => contents.write(space, id, [insert(title)]), {
          concurrency: "unbounded"
        })
        assert.sameMembers(yield* titles(space, id), ["Guide", ...names])
        const others = yield* Effect.forEach(["E", "F"], (title) =>
          Effect.tap(changeRequests.create(space, {}), (made) => contents.write(space, made.id, [insert(title)]))
        )
        yield* Effect.forEach([id, ...others.map((made) => made.id)], (each) => contents.merge(space, each), {
          concurrency: "unbounded"
        })
        assert.sameMembers(yield* titles(space), ["Guide", ...names, "E", "F"])
      })
    )
  })
}
