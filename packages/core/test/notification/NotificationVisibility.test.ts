/**
 * Nobody is told of what it may not see: after random sequences of events and changes of rights, no list, count or mail
 * contains anything that the reader's own requests do not return.
 */
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { type CurrentActor } from "@lectern/core/access/Actor"
import { type Comment } from "@lectern/core/comment/Comment"
import { type CommentScope } from "@lectern/core/comment/CommentScopes"
import { Comments } from "@lectern/core/comment/Comments"
import { Grants } from "@lectern/core/grant/Grants"
import { Notifications } from "@lectern/core/notification/Notifications"
import { type WatchedContent, Watches } from "@lectern/core/notification/Watches"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Reviews } from "@lectern/core/review/Reviews"
import { Spaces } from "@lectern/core/space/Spaces"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { organization } from "../Instances.ts"
import { adapters, layerOf, Mailbox, work } from "../mail/MailSteps.ts"
import { checks } from "../Runs.ts"

const actions = [
  "comment",
  "comment",
  "reply",
  "reply",
  "react",
  "delete",
  "delete reply",
  "review",
  "request",
  "rename",
  "close space",
  "open space",
  "grant",
  "revoke",
  "leave",
  "join",
  "trash",
  "restore",
  "watch",
  "mute",
  "read",
  "wait",
  "work",
  "work"
] as const

const Steps = Schema.Array(
  Schema.Tuple([
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: actions.length - 1 })),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  ])
).check(Schema.isMinLength(20), Schema.isMaxLength(60))

for (const [name, storage] of onEach(adapters)) {
  describe(`Visibility of notifications (${name})`, () => {
    it.effect.prop(
      "is that of the content, in lists, counts and mails",
      [Steps],
      ([steps]) =>
        Effect.gen(function* () {
          const comments = yield* Comments
          const notifications = yield* Notifications
          const org = yield* organization
          const people = yield* Effect.forEach(["ann", "bob", "cleo", "dan"], (name) =>
            Effect.gen(function* () {
              const { id } = yield* (yield* Users).create({ email: `${name}@example.com`, displayName: name })
              yield* (yield* Organizations).join(org, id, "review")
              return id
            })
          )
          const spaces = yield* Effect.forEach(["First", "Second"], (title) =>
            Effect.map(
              Effect.flatMap(Spaces, ({ create }) => create(org, { title })),
              ({ id }) => id
            )
          )
          const scopes: Array<WatchedContent> = spaces.map((space) => ({ space }))
          for (const space of spaces) {
            const { id } = yield* (yield* ChangeRequests).create(space, { status: "open", subject: `Work ${space}` })
            scopes.push({ space, changeRequest: id })
          }
          for (const user of people) {
            yield* notifications
              .updateSettings({ digestHour: 1, kinds: { comment: "digest", reply: "mail", reaction: "mail" } })
              .pipe(as(user))
          }
          /** Comments and replies that exist or existed, with their texts. */
          const written: Array<{ scope: CommentScope; comment: string; reply?: string; text: string }> = []
          let texts = 0

          /** Returns true if a person can read a text now, by the operation that returns it. */
          const canRead = Effect.fnUntraced(function* (user: (typeof people)[number], one: (typeof written)[number]) {
            const read: Effect.Effect<Pick<Comment, "body">, unknown, CurrentActor> = one.reply === undefined
              ? comments.get(one.scope, one.comment as never)
              : comments.getReply(one.scope, one.comment as never, one.reply as never)
            return yield* read.pipe(
              as(user),
              Effect.match({
                onFailure: () => false,
                onSuccess: ({ body }) => "markdown" in body && body.markdown.includes(one.text)
              })
            )
          })

          const checkMails = Effect.gen(function* () {
            for (const mail of (yield* Mailbox).arrived.splice(0)) {
              const user = people[["ann", "bob", "cleo", "dan"].indexOf(mail.to.address.split("@")[0]!)]!
              for (const one of written) {
                if (!new RegExp(`${one.text}\\b`).test(mail.text + mail.html + mail.subject)) continue
                assert.isTrue(yield* canRead(user, one), `mail to ${mail.to.address}: ${mail.text}`)
              }
              for (const space of spaces) {
                if (!mail.text.includes(`/v1/spaces/${space}`) && !mail.text.includes(`Work ${space}`)) continue
                yield* (yield* Spaces).get(space).pipe(as(user))
              }
            }
          })

          const checkInboxes = Effect.gen(function* () {
            for (const user of people) {
              const { items, count, unread } = yield* notifications.list({ limit: 1_000 }).pipe(as(user))
              assert.strictEqual(count, items.length)
              assert.strictEqual(unread, items.filter(({ read }) => !read).length)
              for (const { space, comment, changeRequest, organization: of } of items) {
                yield* (yield* Organizations).get(of.id).pipe(as(user))
                if (space !== undefined) {
                  assert.strictEqual((yield* (yield* Spaces).get(space.id).pipe(as(user))).title, space.title)
                }
                if (changeRequest !== undefined) {
                  yield* (yield* ChangeRequests).get(space!.id, changeRequest.id).pipe(as(user))
                }
                if (comment === undefined) continue
                const scope = { space: space!.id, ...(changeRequest && { changeRequest: changeRequest.id }) }
                const text = comment.text.split(" ")[0]!
                const one = { scope, comment: comment.id, ...(comment.reply && { reply: comment.reply }), text }
                assert.isTrue(yield* canRead(user, one), `${text} to ${user}`)
              }
            }
          })

          for (const [action, who, whom, where] of steps) {
            const [user, other] = [people[who]!, people[whom]!]
            const space = spaces[where]!
            const scope = scopes[(who + whom + where) % scopes.length]!
            const last = written.findLast((one) => one.reply === undefined && one.scope === scope)
            const lastReply = written.findLast((one) => one.reply !== undefined && one.scope === scope)
            const text = `text${++texts}`
            const body = { markdown: `${text} [x](/users/${other} "mention")` }
            const step: Effect.Effect<unknown, unknown, any> = Effect.gen(function* () {
              switch (actions[action]) {
                case "comment": {
                  const { id } = yield* comments.post(scope, { body }).pipe(as(user))
                  return written.push({ scope, comment: id, text })
                }
                case "reply": {
                  if (last === undefined) return undefined
                  const { id } = yield* comments.postReply(scope, last.comment as never, { body }).pipe(as(user))
                  return written.push({ scope, comment: last.comment, reply: id, text })
                }
                case "react":
                  return (
                    last &&
                    (yield* comments.update(scope, last.comment as never, { addedReactions: ["1f44d"] }).pipe(as(user)))
                  )
                case "delete":
                  return last && (yield* comments.remove(scope, last.comment as never))
                case "delete reply":
                  return (
                    lastReply &&
                    (yield* comments.removeReply(scope, lastReply.comment as never, lastReply.reply as never))
                  )
                case "review":
                  return yield* (yield* Reviews)
                    .submit(scope.space, scope.changeRequest ?? "1", { status: "approved", comment: body })
                    .pipe(as(user))
                case "request":
                  return yield* (yield* Reviews)
                    .request(scope.space, scope.changeRequest ?? "1", { users: [other] })
                    .pipe(as(user))
                case "rename":
                  return yield* (yield* Spaces).update(space, { title: `Title ${texts}` })
                case "close space":
                  return yield* (yield* Spaces).update(space, { defaultLevel: null })
                case "open space":
                  return yield* (yield* Spaces).update(space, { defaultLevel: "inherit" })
                case "grant":
                  return yield* (yield* Grants).grant({ kind: "space", id: space }, { users: [user], role: "comment" })
                case "revoke":
                  return yield* (yield* Grants).remove({ kind: "space", id: space }, "user", user)
                case "leave":
                  return yield* (yield* Members).remove(org, user)
                case "join":
                  return yield* (yield* Organizations).join(org, user, "review")
                case "trash":
                  return yield* (yield* Spaces).remove(space)
                case "restore":
                  return yield* (yield* Spaces).restore(space)
                case "watch":
                  return yield* (yield* Watches).put({ space }, { state: "watching" }).pipe(as(user))
                case "mute":
                  return yield* (yield* Watches).put(scope, { state: "muted" }).pipe(as(user))
                case "read":
                  return yield* notifications.markAllRead().pipe(as(user))
                case "wait":
                  return yield* TestClock.adjust("3 hours")
                default:
                  return undefined
              }
            })
            // A refused step, such as a comment by a former member, changes nothing.
            yield* Effect.ignore(step)
            if (actions[action] === "work" || actions[action] === "wait") {
              yield* work
              yield* checkMails
            }
            yield* checkInboxes
          }
          yield* TestClock.adjust("2 days")
          yield* work
          yield* checkMails
          yield* checkInboxes
        }).pipe(Effect.provide(Layer.fresh(layerOf(storage))), Effect.scoped) as Effect.Effect<void, unknown>,
      { arbitrary: checks(8, 100) }
    )
  })
}
