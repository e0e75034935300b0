/** Notifications and watches: whom they reach, and what each user may do with its own. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, type Caller, Harness, has, refused, type Services } from "../Harness.ts"
import * as NotificationShapes from "../NotificationShapes.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, openChangeRequest, spaceWith } from "../Steps.ts"

const path = "/v1/user/notifications"

const settle = JobWorker.use(({ runDue }) => runDue)

const inbox = Effect.fnUntraced(function* (by: Caller, query = "") {
  return yield* (yield* Harness).call(by, "GET", path + query).pipe(answers(200, NotificationShapes.NotificationList))
})

export const notificationOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("notifies of comments, which are marked as read one by one and together", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: space } = yield* createSpace({ title: "Handbook" })
      yield* settle
      yield* call("review", "POST", `${path}/read`, {}).pipe(has(204))
      const markdown = `[Reviewer](/users/${users.review} "mention"), is this **right**?`
      const comments = `/v1/spaces/${space}/comments`
      for (let i = 0; i < 3; i++) yield* call("comment", "POST", comments, { body: { markdown } }).pipe(has(200))
      yield* settle
      const { items, unread } = yield* inbox("review", "?unread=true&kind=mention&limit=2")
      assert.strictEqual(unread, 3)
      assert.lengthOf(items, 2)
      const [newest] = items
      assert.deepInclude(newest!.space, { id: space, title: "Handbook" })
      assert.include(newest!.comment?.text, "is this **right**?")
      assert.strictEqual(newest!.urls.target, `http://127.0.0.1:4000/v1/spaces/${space}`)
      const one = `${path}/${newest!.id}`
      const found = yield* call("review", "GET", one).pipe(answers(200, NotificationShapes.Notification))
      assert.deepStrictEqual(found, newest)
      yield* call("edit", "GET", one).pipe(refused(404))
      const read = yield* call("review", "PATCH", one, { read: true }).pipe(
        answers(200, NotificationShapes.Notification)
      )
      assert.isTrue(read.read)
      assert.strictEqual((yield* inbox("review")).unread, 2)
      yield* call("review", "POST", `${path}/read`, { until: items[1]!.id }).pipe(has(204))
      assert.strictEqual((yield* inbox("review")).unread, 0)
      yield* call("review", "PATCH", one, { read: "yes" }).pipe(refused(400))
      yield* call("review", "GET", `${path}?kind=gossip`).pipe(refused(400))
      yield* call("nobody", "GET", path).pipe(has(401))
      // What a user may no longer see is left out and not counted.
      yield* call("admin", "PATCH", `/v1/spaces/${space}`, { defaultLevel: null }).pipe(has(200))
      assert.deepStrictEqual(
        (yield* inbox("review")).items.filter((item) => item.space?.id === space),
        []
      )
      yield* call("review", "GET", one).pipe(refused(404))
    })
  )

  it.effect("watches and mutes spaces, pages and change requests", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Start: "" })
      const page = idOf("Start")
      const { id: cr, number } = yield* openChangeRequest(space)
      const put = (target: string, state: string) =>
        call("read", "PUT", `/v1/spaces/${space}${target}/watch`, { state })
      const watched = yield* put("", "watching").pipe(answers(200, NotificationShapes.Watch))
      assert.deepInclude(watched, { state: "watching", automatic: false })
      const muted = yield* put(`/content/page/${page}`, "muted").pipe(answers(200, NotificationShapes.Watch))
      assert.deepInclude(muted, { state: "muted", page })
      const followed = yield* put(`/change-requests/${number}`, "watching").pipe(answers(200, NotificationShapes.Watch))
      assert.strictEqual(followed.changeRequest, cr)
      const list = call("read", "GET", `/v1/user/watches?space=${space}`).pipe(
        answers(200, Shapes.listOf(NotificationShapes.Watch))
      )
      assert.sameDeepMembers([...(yield* list).items], [watched, muted, followed])
      yield* put("", "asleep").pipe(refused(400))
      yield* put("/content/page/none", "watching").pipe(refused(404))
      yield* put("/change-requests/99", "watching").pipe(refused(404))
      yield* call("read", "DELETE", `/v1/spaces/${space}/change-requests/${number}/watch`).pipe(has(204))
      yield* call("read", "DELETE", `/v1/spaces/${space}/content/page/${page}/watch`).pipe(has(204))
      yield* call("read", "DELETE", `/v1/spaces/${space}/watch`).pipe(has(204))
      assert.strictEqual((yield* list).count, 0)
    })
  )

  it.effect("stores a channel for each kind, and the time of the digest", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const settings = `${path}/settings`
      const before = yield* call("edit", "GET", settings).pipe(answers(200, NotificationShapes.NotificationSettings))
      const patch = {
        timeZone: "America/New_York",
        digestHour: 17,
        kinds: { comment: "digest", reaction: "off" }
      } as const
      const after = yield* call("edit", "PATCH", settings, patch).pipe(
        answers(200, NotificationShapes.NotificationSettings)
      )
      assert.deepStrictEqual(after, { ...before, ...patch, kinds: { ...before.kinds, ...patch.kinds } })
      for (const wrong of [{ timeZone: "Moon" }, { digestHour: 25 }, { kinds: { comment: "pigeon" } }]) {
        yield* call("edit", "PATCH", settings, wrong).pipe(refused(400))
      }
      assert.deepStrictEqual(
        yield* call("edit", "GET", settings).pipe(answers(200, NotificationShapes.NotificationSettings)),
        after
      )
    })
  )

  it.effect("takes tokens with the scopes of notifications", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const token = (scopes: ReadonlyArray<string>) =>
        call("edit", "POST", "/v1/user/tokens", { scopes }).pipe(answers(201, Shapes.MadeToken))
      const reading = yield* token(["notification:read"])
      yield* call(reading, "GET", path).pipe(has(200))
      yield* call(reading, "POST", `${path}/read`, {}).pipe(refused(403))
      yield* call(yield* token(["user:write"]), "GET", path).pipe(refused(403))
      yield* call(yield* token(["notification:write"]), "POST", `${path}/read`, {}).pipe(has(204))
    })
  )
}
