/** Links by mail: for sign-ins, forgotten passwords and invitations. */
import { CurrentActor } from "@lectern/core/access/Actor"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { MailTable } from "@lectern/core/mail/Mail"
import { MailTransport, type OutgoingMail } from "@lectern/core/mail/MailTransport"
import { Invitations } from "@lectern/core/organization/Invitations"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { instance, makeBrowsers, member, publicUrl, words } from "../Browser.ts"

const sent: Array<OutgoingMail> = []

const mail = Layer.succeed(
  MailTransport,
  MailTransport.of({
    sender: { address: "docs@example.com" },
    send: (mail) => Effect.sync(() => void sent.push(mail))
  })
)

/** Sends all mails that are due, and returns them. */
const takeMails = Effect.gen(function* () {
  // The link is created after the response.
  yield* TestClock.adjust(1)
  yield* (yield* JobWorker).runDue
  return sent.splice(0)
})

const pathIn = (mail: OutgoingMail | undefined) =>
  new RegExp(`${publicUrl}(/-/link\\?token=[\\w-]{43})`).exec(mail?.text ?? "")?.[1] ?? ""

describe("LinkMails", () => {
  const test = (name: string, body: () => Effect.Effect<unknown, unknown, any>) =>
    it.effect(name, () =>
      (body().pipe(Effect.scoped, Effect.provide(instance({}, { mail }))) as Effect.Effect<unknown, unknown>).pipe(
        Effect.ensuring(Effect.sync(() => sent.splice(0)))
      )
    )

  test("sign in the user of an address, and say nothing about other addresses", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email } = yield* member()
      const known = yield* browser.post("/-/sign-in/link", { email })
      const mails = yield* takeMails
      assert.strictEqual(mails.length, 1)
      const queued = (yield* Storage).repository(MailTable).count({ status: "waiting" })
      const unknown = yield* browser.post("/-/sign-in/link", { email: "eve@example.com" })
      // Requests at the same time would show the difference if nothing was queued.
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* queued, 1)
      assert.strictEqual((yield* takeMails).length, 0)
      assert.strictEqual(yield* queued, 0)
      assert.strictEqual(unknown.status, known.status)
      assert.strictEqual(unknown.text.replaceAll("eve@", "ada@"), known.text)
      yield* browser.get(pathIn(mails[0]))
      assert.include(words(yield* browser.submit("/-/link")), `Signed in as ${email}`)
    }))

  test("replace a forgotten password", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email, id } = yield* member()
      yield* (yield* Passwords).set(id, Redacted.make("correct horse battery"))
      yield* browser.post("/-/password", { email })
      const [sentMail] = yield* takeMails
      yield* browser.get(pathIn(sentMail))
      yield* browser.submit("/-/link")
      yield* browser.submit("/-/password/new", { password: "a much better password" })
      yield* browser.submit("/-/sign-out")
      const again = yield* browser.submit("/-/sign-in", { email, password: "a much better password" })
      assert.include(words(again), `Signed in as ${email}`)
    }))

  test("are limited for an account, with the same answer", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { email } = yield* member()
      for (let i = 0; i < 5; i++) {
        const { status } = yield* browsers({ address: `192.0.2.${i}` }).post("/-/sign-in/link", { email })
        assert.strictEqual(status, 200)
      }
      assert.strictEqual((yield* takeMails).length, 3)
      yield* TestClock.adjust("1 hour")
      yield* browsers().post("/-/sign-in/link", { email })
      assert.strictEqual((yield* takeMails).length, 1)
    }))

  test("admit the recipients of invitations", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { id, organization } = yield* member()
      const { invites } = yield* (yield* Invitations)
        .invite(organization, { emails: ["new@example.com"], role: "edit" })
        .pipe(Effect.provideService(CurrentActor, { type: "user", user: id }))
      assert.notProperty(invites[0]!.urls, "link")
      const [sentMail] = yield* takeMails
      yield* browser.get(pathIn(sentMail))
      assert.include(words(yield* browser.submit("/-/link")), "Signed in as new@example.com")
    }))

  it.effect("are shown to the inviting person without mail, and then sign in no existing user", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { id, organization } = yield* member()
      const invite = (email: string) =>
        Effect.flatMap(Invitations, (invitations) =>
          invitations
            .invite(organization, { emails: [email] })
            .pipe(Effect.provideService(CurrentActor, { type: "user", user: id }))
        )
      const { invites } = yield* invite("new@example.com")
      const path = invites[0]!.urls.link!.slice(publicUrl.length)
      // The address gets a user in the meantime.
      yield* (yield* Users).create({ email: "new@example.com" })
      yield* browser.get(path)
      assert.strictEqual((yield* browser.post("/-/link")).status, 404)
      const other = yield* invite("other@example.com")
      yield* browser.get(other.invites[0]!.urls.link!.slice(publicUrl.length))
      assert.include(words(yield* browser.submit("/-/link")), "Signed in as other@example.com")
    }).pipe(Effect.scoped, Effect.provide(instance()))
  )
})
