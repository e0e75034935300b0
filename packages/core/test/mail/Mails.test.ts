/** Mails from the transaction that queues them to the mail server: once each, in order, within limits. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Secrets } from "@lectern/core/identity/Secrets"
import { HostJobs } from "@lectern/core/job/host/HostJobs"
import * as Lectern from "@lectern/core/Lectern"
import { MailTable } from "@lectern/core/mail/Mail"
import { MailRefused, MailUnavailable } from "@lectern/core/mail/MailTransport"
import { Mails, type MailTo } from "@lectern/core/mail/Mails"
import { Storage } from "@lectern/core/storage/Storage"
import { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adapters, layerOf, Mailbox, Note, noteContent, registerNotes, UrgentNote, work } from "./MailSteps.ts"

const ada: MailTo = { email: "ada@example.com" }

const queueNow = (key: string, to: MailTo = ada, kind = Note) =>
  Mails.use((mails) => mails.queue(kind, { to, key, payload: { text: key } }))

/** Queues a mail a millisecond after the previous one, which decides their order. */
const queueNote = (...mail: Parameters<typeof queueNow>) => Effect.andThen(TestClock.adjust(1), queueNow(...mail))

const subjects = Effect.map(Mailbox, ({ arrived }) => arrived.map(({ subject }) => subject))

const rows = Effect.flatMap(Storage, (storage) => storage.repository(MailTable).list({ where: {} }))

const unavailable = Effect.fail(new MailUnavailable({ message: "421 Try again later" }))

for (const [name, storage] of onEach(adapters)) {
  describe(`Mails (${name})`, () => {
    const rule = (title: string, body: () => Effect.Effect<void, unknown, any>, limits = {}) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(layerOf(storage, limits))) as Effect.Effect<void>)

    rule("are sent once for each key, if their transaction commits", () =>
      Effect.gen(function* () {
        yield* registerNotes()
        const { transaction } = yield* Storage
        yield* transaction(Effect.andThen(queueNow("undone"), Effect.fail("no"))).pipe(Effect.ignore)
        yield* transaction(Effect.andThen(queueNow("a"), queueNow("a")))
        yield* queueNow("a")
        yield* work
        yield* queueNow("a")
        yield* work
        assert.deepStrictEqual(yield* subjects, ["a"])
      })
    )

    rule("reach users at the address and in the language that they have then", () =>
      Effect.gen(function* () {
        yield* registerNotes(({ payload, recipient: { language, displayName = "nobody" } }) =>
          Effect.succeed({ subject: `${payload.text} ${language} ${displayName}`, blocks: [], reason: "" })
        )
        const users = yield* Users
        const user = yield* users.create({ email: "grace@example.com", displayName: "Grace" })
        yield* queueNote("a", { user: user.id })
        yield* queueNote("b", { email: "GRACE@example.com", language: "ja" })
        yield* queueNote("c", { email: "eve@example.com", language: "ja" })
        yield* users.update(user.id, { language: "ar", displayName: "Amazing Grace" })
        yield* work
        const { arrived } = yield* Mailbox
        assert.deepStrictEqual(
          arrived.map(({ to, subject, language }) => [to, subject, language]),
          [
            [{ address: "grace@example.com", name: "Amazing Grace" }, "a ar Amazing Grace", "ar"],
            [{ address: "grace@example.com" }, "b ar nobody", "ar"],
            [{ address: "eve@example.com" }, "c ja nobody", "ja"]
          ]
        )
      })
    )

    rule("are not sent if there is nothing to say, and keep no payload", () =>
      Effect.gen(function* () {
        const secrets = yield* Secrets
        yield* registerNotes(({ payload, recipient }) =>
          payload.text === "gone" ? Effect.undefined : noteContent({ payload, recipient })
        )
        yield* queueNote("gone")
        yield* queueNote("a")
        for (const row of yield* rows) {
          assert.notInclude(JSON.stringify(row.payload), "text")
          assert.deepStrictEqual(yield* secrets.open(MailTable, row, "payload"), { text: row.key })
        }
        yield* work
        assert.deepStrictEqual(yield* subjects, ["a"])
        const ended = (yield* rows).map(({ status, payload }) => [status, payload])
        assert.sameDeepMembers(ended, [
          ["dropped", undefined],
          ["sent", undefined]
        ])
      })
    )

    rule("are removed if they are for a user who does not exist", () =>
      Effect.gen(function* () {
        yield* registerNotes()
        yield* queueNote("a", { user: UserId.make("nobody") })
        assert.strictEqual((yield* rows).length, 1)
        yield* work
        assert.deepStrictEqual(yield* rows, [])
        assert.deepStrictEqual(yield* subjects, [])
      })
    )

    rule("are tried again for a day with growing pauses, with an equal Message-ID", () =>
      Effect.gen(function* () {
        yield* registerNotes()
        const mailbox = yield* Mailbox
        const attempts: Array<string> = []
        mailbox.reply = ({ messageId }) =>
          Effect.andThen(
            Effect.sync(() => attempts.push(messageId)),
            unavailable
          )
        yield* queueNote("a")
        for (let seconds = 0; seconds < 26 * 3_600; seconds += 300) {
          yield* work
          yield* TestClock.adjust("5 minutes")
        }
        assert.isAtLeast(attempts.length, 25)
        assert.isAtMost(attempts.length, 40)
        assert.strictEqual(new Set(attempts).size, 1)
        assert.match(attempts[0]!, /^[\w-]{43}@example\.com$/)
        const jobs = yield* HostJobs
        const [failed] = yield* jobs.list({ status: "failed", kind: "mail" })
        assert.deepInclude(failed, { mail: "note", failure: "421 Try again later" })
        mailbox.reply = () => Effect.void
        assert.isTrue(yield* jobs.retry(failed!.id))
        assert.isFalse(yield* jobs.retry("mail:unknown"))
        yield* work
        assert.deepStrictEqual(yield* subjects, ["a"])
        assert.deepInclude(yield* jobs.get(failed!.id), { status: "done" })
        assert.isFalse(yield* jobs.retry(failed!.id))
      })
    )

    rule("end when the mail server refuses them", () =>
      Effect.gen(function* () {
        yield* registerNotes()
        const mailbox = yield* Mailbox
        mailbox.reply = ({ to }) =>
          to.address === "ada@example.com"
            ? Effect.fail(new MailRefused({ message: "550 5.1.1 No such mailbox" }))
            : Effect.void
        yield* queueNote("a")
        yield* queueNote("b", { email: "bob@example.com" })
        yield* work
        yield* TestClock.adjust("2 hours")
        yield* work
        assert.deepStrictEqual(yield* subjects, ["b"])
        const jobs = yield* HostJobs
        const items = yield* jobs.list({ status: "failed" })
        assert.deepStrictEqual(
          items.map(({ kind, failure, attempts }) => [kind, failure, attempts]),
          [["mail", "550 5.1.1 No such mailbox", 1]]
        )
      })
    )

    rule("fail without their texts in the message if they can't be rendered", () =>
      Effect.gen(function* () {
        yield* registerNotes(({ payload }) => Effect.fail(new Error(`secret of ${payload.text}`)))
        yield* queueNote("a")
        yield* work
        assert.deepStrictEqual(
          (yield* rows).map(({ status, failure }) => [status, failure]),
          [["waiting", "The mail could not be rendered (Error)"]]
        )
      })
    )

    rule("wait while their kind has no renderer", () =>
      Effect.gen(function* () {
        yield* queueNote("a")
        yield* work
        assert.deepStrictEqual(yield* subjects, [])
        yield* registerNotes()
        yield* work
        assert.deepStrictEqual(yield* subjects, ["a"])
      })
    )

    rule(
      "are limited in a minute, urgent ones first",
      () =>
        Effect.gen(function* () {
          yield* registerNotes()
          for (const key of ["a", "b", "c", "d"]) yield* queueNote(key, { email: `${key}@example.com` })
          yield* work
          assert.deepStrictEqual(yield* subjects, ["a", "b"])
          yield* queueNote("now", ada, UrgentNote)
          yield* TestClock.adjust("59 seconds")
          yield* work
          assert.strictEqual((yield* subjects).length, 2)
          yield* TestClock.adjust("1 second")
          yield* work
          assert.deepStrictEqual(yield* subjects, ["a", "b", "now", "c"])
          yield* TestClock.adjust("1 minute")
          yield* work
          assert.deepStrictEqual(yield* subjects, ["a", "b", "now", "c", "d"])
        }),
      { perMinute: 2 }
    )

    rule(
      "count toward no limit if they are not sent",
      () =>
        Effect.gen(function* () {
          yield* registerNotes((mail) => (mail.payload.text === "gone" ? Effect.undefined : noteContent(mail)))
          for (const key of ["x", "y", "z"]) {
            yield* TestClock.adjust(1)
            yield* Mails.use(({ queue }) => queue(Note, { to: ada, key, payload: { text: "gone" } }))
          }
          yield* queueNote("a")
          yield* work
          assert.deepStrictEqual(yield* subjects, ["a"])
        }),
      { perMinute: 1, perRecipient: 1 }
    )

    rule(
      "are limited in an hour for each recipient, which delays no other recipient and no urgent mail",
      () =>
        Effect.gen(function* () {
          yield* registerNotes()
          const user = yield* Users.use((users) => users.create({ email: "Ada@example.com" }))
          for (const key of ["a", "b", "c"]) yield* queueNote(key)
          yield* queueNote("d", { user: user.id })
          yield* queueNote("e", { email: "eve@example.com" })
          yield* queueNote("now", ada, UrgentNote)
          yield* work
          assert.deepStrictEqual(yield* subjects, ["now", "a", "b", "e"])
          yield* TestClock.adjust("59 minutes")
          yield* work
          assert.strictEqual((yield* subjects).length, 4)
          yield* TestClock.adjust("1 minute")
          yield* work
          assert.deepStrictEqual(yield* subjects, ["now", "a", "b", "e", "c", "d"])
        }),
      { perRecipient: 2 }
    )

    rule(
      "fail if the limit of their recipient delays them for more than a day",
      () =>
        Effect.gen(function* () {
          yield* registerNotes()
          for (let i = 0; i < 30; i++) yield* queueNote(`${i}`)
          for (let hours = 0; hours < 30; hours++) {
            yield* work
            yield* TestClock.adjust("1 hour")
          }
          assert.strictEqual((yield* subjects).length, 25)
          const failed = yield* HostJobs.use((jobs) => jobs.list({ status: "failed" }))
          assert.strictEqual(failed.length, 5)
          assert.strictEqual(failed[0]?.failure, "The recipient got 1 mails in an hour, which is the limit")
        }),
      { perRecipient: 1 }
    )

    rule("name a list that the user can unsubscribe from", () =>
      Effect.gen(function* () {
        const { addList, lists } = yield* Mails
        yield* addList({ name: "comments", title: () => "Comments", unsubscribe: () => Effect.void })
        assert.include([...lists.keys()], "comments")
        yield* registerNotes(({ payload: { text } }) =>
          Effect.succeed({ subject: text, blocks: [], reason: "", list: "comments" })
        )
        const user = yield* Users.use((users) => users.create({ email: "grace@example.com" }))
        yield* queueNote("a", { user: user.id })
        yield* queueNote("b")
        yield* work
        const [toUser, toAddress] = (yield* Mailbox).arrived
        const url = new URL(toUser!.unsubscribeUrl!)
        assert.strictEqual(url.pathname, "/mail/unsubscribe")
        assert.deepInclude(Object.fromEntries(url.searchParams), { user: user.id, list: "comments" })
        assert.include(toUser?.text, url.href)
        assert.include(toUser?.html, url.href.replaceAll("&", "&amp;"))
        assert.isUndefined(toAddress?.unsubscribeUrl)
      })
    )

    rule("are removed 30 days after they ended", () =>
      Effect.gen(function* () {
        yield* registerNotes()
        yield* queueNote("a")
        yield* work
        yield* TestClock.adjust("29 days")
        yield* work
        assert.strictEqual((yield* rows).length, 1)
        yield* TestClock.adjust("2 days")
        yield* work
        assert.strictEqual((yield* rows).length, 0)
      })
    )
  })
}

describe("Without a mail server", () => {
  it.effect("mails are not queued", () =>
    Effect.gen(function* () {
      const { isAvailable } = yield* Mails
      yield* queueNote("a")
      assert.isFalse(isAvailable)
      assert.deepStrictEqual(yield* rows, [])
    }).pipe(
      Effect.provideService(CurrentActor, host),
      Effect.provide(Lectern.layer().pipe(Layer.provideMerge(MemoryStorage.testLayer)))
    )
  )
})
