/** Mails of notifications: collected by thread, daily, and only of what the recipient may see when they are sent. */
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Comments } from "@lectern/core/comment/Comments"
import { Mails } from "@lectern/core/mail/Mails"
import { Notifications } from "@lectern/core/notification/Notifications"
import { Watches } from "@lectern/core/notification/Watches"
import { Members } from "@lectern/core/organization/Members"
import { Reviews } from "@lectern/core/review/Reviews"
import { Spaces } from "@lectern/core/space/Spaces"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { as, discussion } from "../comment/Discussion.ts"
import { adapters, layerOf, Mailbox, work } from "../mail/MailSteps.ts"

const sent = Effect.map(Mailbox, ({ arrived }) =>
  arrived.splice(0).map(({ to, subject, text, unsubscribeUrl = "" }) => ({
    to: to.address.split("@")[0]!,
    subject,
    text,
    list: URL.parse(unsubscribeUrl)?.searchParams.get("list")
  }))
)

const pass = (duration: "1 minute" | "4 minutes" | "5 minutes" | "1 hour" | "1 day") =>
  Effect.andThen(TestClock.adjust(duration), work)

for (const [name, storage] of onEach(adapters)) {
  describe(`Mails of notifications (${name})`, () => {
    const rule = (title: string, body: () => Effect.Effect<void, unknown, any>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(layerOf(storage))) as Effect.Effect<void>)

    rule("collect the comments of a thread for five minutes", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const { id: changeRequest } = yield* (yield* ChangeRequests)
          .create(space, { subject: "Refunds" })
          .pipe(as(people.edit))
        for (let i = 0; i < 10; i++) {
          const body = { markdown: `Remark ${i}` }
          yield* (yield* Comments).post({ space, changeRequest }, { body }).pipe(as(people.comment))
          yield* TestClock.adjust("25 seconds")
          yield* work
        }
        assert.deepStrictEqual(yield* sent, [])
        yield* (yield* ChangeRequests).update(space, changeRequest, { subject: "Returns" }).pipe(as(people.edit))
        yield* pass("5 minutes")
        const [mail, ...others] = yield* sent
        assert.deepStrictEqual(others, [])
        // Names are those of the time when the mail is sent.
        assert.deepInclude(mail, { to: "edit", subject: "Comment: #2 Returns · comment (10)", list: "comment" })
        for (let i = 0; i < 10; i++) assert.include(mail!.text, `Remark ${i}`)
        yield* pass("1 day")
        assert.deepStrictEqual(yield* sent, [])
        // A request for a review waits for nothing.
        yield* (yield* Reviews).request(space, changeRequest, { users: [people.review] }).pipe(as(people.edit))
        yield* work
        assert.deepStrictEqual(
          (yield* sent).map(({ to, list }) => [to, list]),
          [["review", "review-requested"]]
        )
      })
    )

    rule("leave out what the recipient may no longer see, has read, or no longer wants", () =>
      Effect.gen(function* () {
        const { org, people, space } = yield* discussion()
        const notifications = yield* Notifications
        const mention = (user: string, markdown = "Secret") =>
          Effect.flatMap(Comments, (comments) =>
            comments.post({ space }, { body: { markdown: `${markdown} [x](/users/${user} "mention")` } })
          )
        const quiet = Effect.fnUntraced(function* (change: Effect.Effect<unknown, unknown, any>) {
          yield* work
          yield* change
          yield* pass("5 minutes")
          assert.deepStrictEqual(yield* sent, [])
        })
        yield* mention(people.read)
        yield* quiet((yield* Spaces).update(space, { defaultLevel: null }))
        yield* (yield* Spaces).update(space, { defaultLevel: "inherit" })
        yield* mention(people.read)
        yield* quiet(notifications.markAllRead().pipe(as(people.read)))
        const { id } = yield* mention(people.read)
        yield* quiet((yield* Comments).remove({ space }, id))
        yield* mention(people.read)
        yield* quiet(notifications.updateSettings({ kinds: { mention: "inbox" } }).pipe(as(people.read)))
        yield* mention(people.second)
        yield* quiet((yield* Members).remove(org, people.second))
      })
    )

    rule("come daily at the hour of the user, by space", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const notifications = yield* Notifications
        yield* TestClock.setTime(Date.parse("2026-11-30T12:00:00Z"))
        yield* (yield* Spaces).update(space, { title: "Handbook" })
        yield* (yield* Watches).put({ space }, { state: "watching" }).pipe(as(people.read))
        const digest = { timeZone: "Europe/Paris", digestHour: 9, kinds: { comment: "digest" } } as const
        yield* notifications.updateSettings(digest).pipe(as(people.read))
        for (const markdown of ["One", "Two"]) {
          yield* (yield* Comments).post({ space }, { body: { markdown } }).pipe(as(people.comment))
        }
        yield* work
        yield* TestClock.setTime(Date.parse("2026-12-01T07:59:59Z"))
        yield* work
        assert.deepStrictEqual(yield* sent, [])
        yield* TestClock.setTime(Date.parse("2026-12-01T08:00:00Z"))
        yield* work
        const [mail, ...others] = yield* sent
        assert.deepStrictEqual(others, [])
        assert.deepInclude(mail, { to: "read", subject: "Your notifications of the day", list: "daily-digest" })
        assert.include(mail!.text, "Handbook")
        yield* pass("1 day")
        assert.deepStrictEqual(yield* sent, [])
        // A new hour moves the digest that is due.
        yield* (yield* Comments).post({ space }, { body: { markdown: "Three" } }).pipe(as(people.comment))
        yield* work
        yield* notifications.updateSettings({ digestHour: 10 }).pipe(as(people.read))
        yield* pass("1 hour")
        assert.lengthOf(yield* sent, 1)
      })
    )

    rule("end for a kind or for the digest when the recipient unsubscribes, in every language", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const { lists } = yield* Mails
        const notifications = yield* Notifications
        const settings = Effect.map(notifications.settings, ({ kinds }) => kinds).pipe(as(people.read))
        yield* lists.get("mention")!.unsubscribe(people.read)
        assert.deepInclude(yield* settings, { mention: "inbox", reply: "mail", "change-request-opened": "digest" })
        yield* lists.get("daily-digest")!.unsubscribe(people.read)
        assert.deepInclude(yield* settings, { reply: "mail", "change-request-opened": "inbox" })
        const kinds = Object.keys(yield* settings)
        assert.includeMembers([...lists.keys()], kinds)
        yield* (yield* Users).updateMe({ language: "de" }).pipe(as(people.comment))
        yield* (yield* Comments)
          .post({ space }, { body: { markdown: `[x](/users/${people.comment} "mention")` } })
          .pipe(as(people.edit))
        yield* work
        yield* pass("5 minutes")
        assert.strictEqual((yield* sent)[0]?.subject, "Erwähnung: Untitled · edit")
      })
    )
  })
}
