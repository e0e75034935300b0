/** Comments and replies over HTTP: the same on a space and on a change request, but for what differs. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import * as DiscussionShapes from "../DiscussionShapes.ts"
import { answers, Harness, has, type Person, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { getChangeRequest, getSpace, insertPage, openChangeRequest, spaceWith, write } from "../Steps.ts"

const List = Shapes.listOf(DiscussionShapes.Comment)
const body = (markdown: string) => ({ body: { markdown } })

const post = Effect.fnUntraced(function* (scope: string, input: Record<string, unknown>, by: Person = "comment") {
  const { call } = yield* Harness
  return yield* call(by, "POST", `${scope}/comments`, input).pipe(answers(200, DiscussionShapes.Comment))
})

const scopes = Effect.gen(function* () {
  const { space, idOf } = yield* spaceWith({ Guide: "Said *here*.\n\n| A |\n| - |\n| b |" })
  const { id, number } = yield* openChangeRequest(space)
  return {
    space,
    cr: id,
    page: idOf("Guide"),
    ofSpace: `/v1/spaces/${space}`,
    of: `/v1/spaces/${space}/change-requests/${number}`
  }
})

export const commentOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("posts, reads, changes, resolves and deletes comments and replies in both scopes", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { space, cr, ofSpace, of } = yield* scopes
      for (const scope of [ofSpace, of]) {
        const open = () =>
          scope === ofSpace
            ? Effect.map(getSpace(space), ({ comments }) => comments)
            : Effect.map(getChangeRequest(space, cr), ({ comments }) => comments)
        const first = yield* post(scope, body("First, with **weight**"))
        assert.deepStrictEqual(first.body, { markdown: "First, with **weight**" })
        assert.deepStrictEqual(first.permissions, { view: true, edit: true, reply: true, delete: true })
        assert.strictEqual(first.postedBy.id, users.comment)
        assert.strictEqual(first.target.changeRequest, scope === of ? cr : undefined)
        const second = yield* post(scope, body("Second"), "admin")
        assert.strictEqual(yield* open(), 2)

        const path = `${scope}/comments/${first.id}`
        const seen = yield* call("read", "GET", path).pipe(answers(200, DiscussionShapes.Comment))
        assert.deepStrictEqual(seen.permissions, { view: true, edit: false, reply: false, delete: false })
        const document = yield* call("read", "GET", `${path}?format=document`).pipe(
          answers(200, DiscussionShapes.Comment)
        )
        assert.strictEqual(document.body.document?.nodes.length, 1)

        const reply = yield* call("edit", "POST", `${path}/replies?format=document`, body("An answer")).pipe(
          answers(200, DiscussionShapes.CommentReply)
        )
        assert.isDefined(reply.body.document)
        const at = `${path}/replies/${reply.id}`
        assert.deepStrictEqual(
          (yield* call("read", "GET", at).pipe(answers(200, DiscussionShapes.CommentReply))).body,
          { markdown: "An answer" }
        )
        // Of a reply it is the comment that is resolved, and on a change request alone.
        const patched = yield* call("edit", "PUT", at, {
          ...body("Better"),
          resolved: true,
          addedReactions: ["👍"]
        }).pipe(answers(200, DiscussionShapes.CommentReply))
        assert.deepStrictEqual(patched.body, { markdown: "Better" })
        assert.isDefined(patched.editedAt)
        assert.strictEqual(patched.reactions[0]?.count, 1)
        const about = yield* call("read", "GET", path).pipe(answers(200, DiscussionShapes.Comment))
        assert.strictEqual(about.status, scope === of ? "resolved" : "open")
        assert.strictEqual(about.replies, 1)
        const resolved = yield* call("review", "PUT", path, { resolved: true }).pipe(
          answers(200, DiscussionShapes.Comment)
        )
        assert.strictEqual(resolved.resolvedBy?.id, scope === of ? users.edit : users.review)
        assert.strictEqual(yield* open(), 1)

        const list = (query: string) => call("read", "GET", `${scope}/comments?${query}`).pipe(answers(200, List))
        const ids = (query: string) => Effect.map(list(query), ({ items }) => items.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids(""), [second.id, first.id])
        assert.deepStrictEqual(yield* ids("order=asc&status=all"), [first.id, second.id])
        assert.deepStrictEqual(yield* ids("status=resolved"), [first.id])
        assert.deepStrictEqual(yield* ids(`authors=${users.admin}`), [second.id])
        assert.deepStrictEqual(yield* ids(`authors=${users.admin}&authors=${users.comment}`), [second.id, first.id])
        assert.deepStrictEqual(yield* ids("targetPage=none"), [])
        const replies = yield* call("read", "GET", `${path}/replies`).pipe(
          answers(200, Shapes.listOf(DiscussionShapes.CommentReply))
        )
        assert.deepStrictEqual([replies.count, replies.items[0]?.id], [1, reply.id])
        const who = yield* call("read", "GET", `${scope}/commenters`).pipe(answers(200, Shapes.listOf(Shapes.Member)))
        assert.sameMembers(
          who.items.map(({ id }) => id),
          [users.admin, users.comment, users.edit]
        )
        if (scope === of) {
          yield* write(space, cr, [insertPage("Written")], "review")
          const parts = yield* call("read", "GET", `${scope}/contributors`).pipe(
            answers(200, Shapes.listOf(DiscussionShapes.Contributor))
          )
          const told = parts.items.map(({ user, count, actionType }) => `${actionType} ${user.id} ${count}`)
          assert.sameMembers(told, [`edit ${users.review} 1`, ...who.items.map(({ id }) => `comment ${id} 1`)])
          const first = yield* call("read", "GET", `${scope}/contributors?limit=1`).pipe(
            answers(200, Shapes.listOf(DiscussionShapes.Contributor))
          )
          assert.deepStrictEqual([first.count, first.items], [4, parts.items.slice(0, 1)])
        }

        yield* call("comment", "DELETE", at).pipe(refused(403))
        yield* call("edit", "DELETE", at).pipe(has(204))
        yield* call("edit", "DELETE", at).pipe(has(204))
        yield* call("read", "GET", at).pipe(refused(404))
        yield* call("comment", "DELETE", path).pipe(has(204))
        yield* call("comment", "DELETE", path).pipe(has(204))
        yield* call("edit", "POST", `${path}/replies`, body("Too late")).pipe(refused(404))
        yield* call("edit", "DELETE", at).pipe(refused(404))
        assert.deepStrictEqual(yield* ids(""), [second.id])
        assert.strictEqual(yield* open(), 1)
      }
    })
  )

  it.effect("finds what a comment is about, and refuses what is not there", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { page, ofSpace, of } = yield* scopes
      const refuses = (input: Record<string, unknown>, path: string) =>
        Effect.map(call("comment", "POST", `${of}/comments`, { ...body("?"), ...input }).pipe(refused(400)), (error) =>
          assert.strictEqual(error.issues?.[0]?.path, path)
        )
      yield* refuses({ page: "none" }, "body.page")
      yield* refuses({ node: "none" }, "body.page")
      yield* refuses({ page, node: "none" }, "body.node")
      yield* refuses({ page, tableCell: { record: "r1", definition: "c9" } }, "body.tableCell")
      const cell = { record: "r1", definition: "c1" }
      const about = yield* post(ofSpace, { ...body("This cell"), page, tableCell: cell })
      assert.strictEqual(about.target.page?.title, "Guide")
      assert.strictEqual(about.target.page?.outdated, false)
      assert.deepStrictEqual(about.target.tableCell, cell)
      const list = yield* call("read", "GET", `${ofSpace}/comments?targetPage=${page}`).pipe(answers(200, List))
      assert.deepStrictEqual(
        list.items.map(({ id }) => id),
        [about.id]
      )
    })
  )

  it.effect("refuses bodies and reactions that are none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { of } = yield* scopes
      const { id } = yield* post(of, { body: {} })
      const path = `${of}/comments/${id}`
      for (const [method, at, input, issue] of [
        ["POST", `${of}/comments`, {}, "body.body"],
        ["POST", `${of}/comments`, { body: null }, "body.body"],
        ["POST", `${of}/comments`, { body: { markdown: 1 } }, "body.body"],
        ["POST", `${of}/comments`, { body: { document: { nodes: 1 } } }, "body.body.document.nodes"],
        ["POST", `${of}/comments`, { body: { markdown: "x".repeat(20_001) } }, "body.body"],
        ["POST", `${of}/comments`, { body: { markdown: "|".repeat(20_000) + "\n" } }, "body.body"],
        ["PUT", path, { addedReactions: ["no emoji"] }, "body.addedReactions[0]"],
        ["PUT", path, { removedReactions: ["5"] }, "body.removedReactions[0]"],
        ["POST", `${path}/replies`, {}, "body.body"],
        ["PUT", path, { resolved: null }, "body.resolved"]
      ] as const) {
        const { issues } = yield* call("comment", method, at, input).pipe(refused(400))
        assert.isTrue(
          issues?.[0]?.path.startsWith(issue),
          `${JSON.stringify(input).slice(0, 100)}: ${issues?.[0]?.path}`
        )
      }
      for (const query of ["order=up", "status=closed", "format=html", "limit=0", "page=forged"]) {
        yield* call("comment", "GET", `${of}/comments?${query}`).pipe(refused(400))
      }
      yield* call("comment", "PUT", path).pipe(has(200))
    })
  )
}
