import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Comments } from "@lectern/core/comment/Comments"
import { CommenterTable, CommentReplyTable, CommentTable } from "@lectern/core/comment/Comment"
import { ReactionTable } from "@lectern/core/comment/Reaction"
import { Contents } from "@lectern/core/content/Contents"
import type { Document } from "@lectern/document/Document"
import { EventId } from "@lectern/core/event/EventKind"
import { Events } from "@lectern/core/event/Events"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Members } from "@lectern/core/organization/Members"
import { RequestedReviewerTable, ReviewTable } from "@lectern/core/review/Review"
import { Reviews } from "@lectern/core/review/Reviews"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adapters, type Services } from "../Instances.ts"
import { as, discussion, publish, roles } from "./Discussion.ts"

const said = (markdown: string) => ({ body: { markdown } })

/** The blocks of a page of main. */
const blocksOf = Effect.fnUntraced(function* (space: SpaceId, page: string) {
  const contents = yield* Contents
  const at = yield* contents.locate({ space })
  const read = yield* contents.page(at, page, { format: "document" })
  return ((read as { readonly document?: unknown }).document as Document).nodes
})

for (const [name, services] of onEach(adapters)) {
  describe(`Comments (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("show what they are about as it is now, and as it was where it is gone", () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space } = yield* discussion()
        const changes = [{ operation: "insert_page", title: "Part", ref: "part" } as const]
        const text = { markdown: "One.\n\nTwo is *longer*.\n\n| A | B |\n| - | - |\n| c | d |" }
        const pages = yield* publish(space, [
          ...changes,
          { operation: "insert_page", title: "Guide", ref: "guide", document: text }
        ])
        const page = pages.get("guide")!
        const contents = yield* ChangeRequestContents
        const blocks = yield* blocksOf(space, page)
        const two = blocks[1]!.key!
        const table = blocks[2]!.key!
        const tableCell = { record: "r1", definition: "c2" }

        const onPage = yield* comments.post({ space }, { ...said("page"), page })
        const onBlock = yield* comments.post({ space }, { ...said("block"), page, node: two })
        const onCell = yield* comments.post({ space }, { ...said("cell"), page, node: table, tableCell })
        const onSpace = yield* comments.post({ space }, said("space"))
        assert.deepInclude(onPage.target.page, { id: page, title: "Guide", path: "guide", outdated: false })
        assert.deepStrictEqual(onBlock.target.node, { id: two, preview: "Two is longer." })
        assert.deepStrictEqual(onCell.target.tableCell, tableCell)
        assert.isUndefined(onSpace.target.page)
        const targetOf = (id: typeof onPage.id) => Effect.map(comments.get({ space }, id), ({ target }) => target)

        // Renamed and moved: as it is now.
        yield* publish(space, [{ operation: "update_page", page, title: "Manual", into: pages.get("part")! }])
        assert.deepInclude((yield* targetOf(onBlock.id)).page, { title: "Manual", path: "part/guide", outdated: false })
        assert.strictEqual((yield* targetOf(onBlock.id)).revision, onBlock.target.revision)

        // The block and the table go, the page stays.
        yield* publish(space, [{ operation: "update_page", page, document: { markdown: "Three." } }])
        const gone = yield* targetOf(onBlock.id)
        assert.deepInclude(gone.page, { title: "Manual", outdated: true })
        assert.deepStrictEqual(gone.node, { id: two, preview: "Two is longer." })
        assert.isTrue((yield* targetOf(onCell.id)).page?.outdated)
        assert.isFalse((yield* targetOf(onPage.id)).page?.outdated)

        // A change request that still has it shows it there.
        const { id: cr } = yield* (yield* ChangeRequests).create(space, {})
        const inRequest = { space, changeRequest: cr }
        const there = yield* comments.post(inRequest, { ...said("there"), page })
        yield* contents.write(space, cr, [{ operation: "update_page", page, title: "Ours" }])
        assert.strictEqual((yield* comments.get(inRequest, there.id)).target.page?.title, "Ours")
        assert.strictEqual((yield* targetOf(onPage.id)).page?.title, "Manual")

        yield* publish(space, [{ operation: "delete_page", page }])
        assert.deepInclude((yield* targetOf(onPage.id)).page, { title: "Guide", path: "guide", outdated: true })
        assert.isFalse((yield* comments.get(inRequest, there.id)).target.page?.outdated)
        const listed = yield* comments.list({ space }, { targetPage: page, order: "asc" })
        assert.deepStrictEqual(
          listed.items.map(({ id }) => id),
          [onPage.id, onBlock.id, onCell.id]
        )
      }))

    test("show the beginning of a long block, and half of no character", () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space } = yield* discussion()
        const paragraph = {
          object: "block",
          type: "paragraph",
          key: "long",
          nodes: [{ object: "text", leaves: [{ object: "leaf", text: `a${"🦉".repeat(300)}`, marks: [] }] }]
        }
        const document = { document: { object: "document", data: {}, nodes: [paragraph] } }
        const pages = yield* publish(space, [{ operation: "insert_page", title: "Guide", ref: "guide", document }])
        const { target } = yield* comments.post({ space }, { body: {}, page: pages.get("guide")!, node: "long" })
        assert.strictEqual(target.node?.preview, `a${"🦉".repeat(199)}`)
      }))

    test("take Markdown and documents, and read back as either", () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space } = yield* discussion()
        const { id } = yield* comments.post({ space }, said("- one\n- **two**"))
        const { body } = yield* comments.get({ space }, id, { format: "document" })
        const document = (body as { readonly document: unknown }).document
        const again = yield* comments.post({ space }, { body: { document } })
        assert.deepStrictEqual(again.body, { markdown: "* one\n* **two**" })
        assert.deepStrictEqual((yield* comments.get({ space }, again.id, { format: "document" })).body, { document })
        const empty = yield* comments.post({ space }, { body: {} })
        assert.deepStrictEqual(empty.body, { markdown: "" })
        const refused = yield* Effect.flip(comments.post({ space }, { body: { markdown: "x", document } }))
        assert.strictEqual(refused._tag, "InvalidComment")
        for (const text of ["\u0000", "a\ud800", "\\\udfff"]) {
          const block = { object: "block", type: "image", data: { title: text } }
          const ill = yield* Effect.flip(comments.post({ space }, { body: { document: { nodes: [block] } } }))
          assert.strictEqual(ill._tag, "InvalidComment")
        }
        const escapes = yield* comments.post({ space }, said("`\\u0000` and `\\\\ud800`"))
        yield* comments.remove({ space }, escapes.id)
        // Few characters, and yet a large document.
        const large = yield* Effect.flip(comments.post({ space }, said("a\n\n".repeat(6_600))))
        assert.strictEqual(large._tag, "InvalidComment")
        assert.strictEqual((yield* comments.list({ space }, {})).count, 3)
      }))

    test("are listed in order, a page at a time, while others come and go", () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space, people } = yield* discussion()
        const posted: Array<string> = []
        const mine = new Set<string>()
        // Within one millisecond, and by two authors.
        for (let i = 0; i < 20; i++) {
          const by = i % 2 === 0 ? people.comment : people.second
          const { id } = yield* comments.post({ space }, said(String(i))).pipe(as(by))
          posted.push(id)
          if (by === people.comment) mine.add(id)
        }
        const all = yield* comments.list({ space }, { order: "asc" })
        assert.deepStrictEqual(
          all.items.map(({ id }) => id),
          posted
        )
        for (const order of ["asc", "desc"] as const) {
          const expected = [...mine]
          const seen: Array<string> = []
          const filter = { order, authors: [people.comment], limit: 3 }
          let page: string | undefined
          do {
            const found = yield* comments.list({ space }, { ...filter, ...(page !== undefined && { page }) })
            seen.push(...found.items.map(({ id }) => id))
            page = found.next?.page
            yield* comments.post({ space }, said("between")).pipe(as(people.edit))
            // The last one seen goes, which the cursor must survive.
            yield* comments.remove({ space }, found.items.at(-1)!.id)
            mine.delete(found.items.at(-1)!.id)
          } while (page !== undefined)
          assert.deepStrictEqual(seen, order === "asc" ? expected : expected.toReversed())
        }
        const other = yield* comments.list({ space }, { limit: 1 })
        const foreign = yield* Effect.flip(comments.list({ space }, { order: "asc", page: other.next!.page }))
        assert.strictEqual(foreign._tag, "InvalidCursor")
      }))

    test("let each role do what it may", () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space, cr, people } = yield* discussion()
        for (const scope of [{ space }, { space, changeRequest: cr }]) {
          const { id } = yield* comments.post(scope, said("theirs")).pipe(as(people.second))
          const reply = yield* comments.postReply(scope, id, said("theirs")).pipe(as(people.second))
          for (const role of roles) {
            const may = role !== "read"
            const by = as(people[role])
            const seen = yield* comments.get(scope, id).pipe(by)
            assert.deepStrictEqual(seen.permissions, { view: true, edit: false, reply: may, delete: role === "admin" })
            for (const attempt of [
              comments.update(scope, id, said("mine")),
              comments.updateReply(scope, id, reply.id, said("mine")),
              ...(role === "admin" ? [] : [comments.remove(scope, id), comments.removeReply(scope, id, reply.id)]),
              ...(may ? [] : [comments.post(scope, said("mine")), comments.update(scope, id, { resolved: true })])
            ]) {
              assert.strictEqual(
                (yield* Effect.flip(by(attempt as Effect.Effect<unknown, { readonly _tag: string }, Services>)))._tag,
                "Forbidden"
              )
            }
            if (!may) continue
            const own = yield* comments.post(scope, said("mine")).pipe(by)
            assert.isTrue(own.permissions.edit && own.permissions.delete)
            yield* comments.update(scope, own.id, { ...said("better"), addedReactions: ["👍"] }).pipe(by)
            yield* comments.update(scope, id, { resolved: true }).pipe(by)
            yield* comments.update(scope, id, { resolved: false }).pipe(by)
            yield* comments.remove(scope, own.id).pipe(by)
          }
          yield* comments.remove(scope, id).pipe(as(people.admin))
          assert.strictEqual((yield* Effect.flip(comments.listReplies(scope, id, {})))._tag, "CommentNotFound")
        }
      }))

    test("belong to one scope: the other does not know them", () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space, cr, org } = yield* discussion()
        const { id } = yield* comments.post({ space }, said("here"))
        const elsewhere = yield* (yield* Spaces).create(org, {})
        for (const scope of [{ space, changeRequest: cr }, { space: elsewhere.id }]) {
          assert.strictEqual((yield* Effect.flip(comments.get(scope, id)))._tag, "CommentNotFound")
          yield* comments.remove(scope, id)
          assert.strictEqual((yield* comments.list(scope, {})).count, 0)
        }
        assert.strictEqual((yield* comments.get({ space }, id)).id, id)
        const stranger = { space: elsewhere.id, changeRequest: cr }
        assert.strictEqual((yield* Effect.flip(comments.list(stranger, {})))._tag, "ChangeRequestNotFound")
      }))

    test("are told of once each, where something changes", () =>
      Effect.gen(function* () {
        const comments = yield* Comments
        const { space } = yield* discussion()
        const { id } = yield* comments.post({ space }, said("one"))
        const reply = yield* comments.postReply({ space }, id, said("two"))
        yield* comments.update({ space }, id, { resolved: true })
        yield* comments.update({ space }, id, { resolved: true, removedReactions: ["👍"] })
        yield* comments.update({ space }, id, { addedReactions: ["👍"] })
        yield* comments.update({ space }, id, { addedReactions: ["1f44d"] })
        // In a space a reply does not reopen what it replies to.
        yield* comments.updateReply({ space }, id, reply.id, { resolved: false })
        yield* comments.remove({ space }, id)
        yield* comments.remove({ space }, id)
        const { events } = yield* (yield* Events).read({ after: EventId.make("") })
        assert.deepStrictEqual(
          events.filter(({ type }) => type.startsWith("comment_")).map(({ type }) => type),
          ["comment_posted", "comment_reply_posted", "comment_resolved", "comment_reactions_updated", "comment_deleted"]
        )
      }))

    test("count who has left among nobody", () =>
      Effect.gen(function* () {
        const { space, people, org } = yield* discussion()
        const comments = yield* Comments
        yield* comments.post({ space }, said("bye")).pipe(as(people.comment))
        yield* comments.post({ space }, said("by the host"))
        const commenters = Effect.map((yield* Comments).commenters({ space }, {}), ({ count }) => count)
        assert.strictEqual(yield* commenters, 1)
        yield* (yield* Members).remove(org, people.comment)
        assert.strictEqual(yield* commenters, 0)
        const { items } = yield* comments.list({ space }, { order: "asc" })
        assert.deepStrictEqual(
          items.map(({ postedBy }) => postedBy.id as string),
          [people.comment, "host"]
        )
      }))

    test("go with their space", () =>
      Effect.gen(function* () {
        const { space, cr, people } = yield* discussion()
        const comments = yield* Comments
        const spaces = yield* Spaces
        for (const scope of [{ space }, { space, changeRequest: cr }]) {
          const { id } = yield* comments.post(scope, said("one")).pipe(as(people.comment))
          yield* (yield* Comments).postReply(scope, id, said("two")).pipe(as(people.second))
          yield* comments.update(scope, id, { addedReactions: ["👍"] })
        }
        yield* (yield* Reviews).request(space, cr, { users: [people.comment] })
        yield* (yield* Reviews).submit(space, cr, { status: "approved", comment: {} })
        const copy = yield* spaces.duplicate(space)
        assert.strictEqual(copy.comments, 0)
        assert.strictEqual((yield* comments.list({ space: copy.id }, {})).count, 0)
        yield* spaces.remove(space)
        assert.strictEqual((yield* Effect.flip(comments.list({ space }, {})))._tag, "SpaceNotFound")
        yield* TestClock.adjust("7 days")
        yield* (yield* JobWorker).runDue
        const storage = yield* Storage
        for (const table of [
          CommentTable,
          CommentReplyTable,
          CommenterTable,
          ReactionTable,
          ReviewTable,
          RequestedReviewerTable
        ]) {
          assert.strictEqual(yield* storage.repository(table as typeof CommentTable).count({}), 0, table.name)
        }
      }))
  })
}
