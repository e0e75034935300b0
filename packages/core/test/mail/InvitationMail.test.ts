/** Mails of invitations: their text when they are sent, and their link. */
import { HostJobs } from "@lectern/core/job/host/HostJobs"
import { Invitations } from "@lectern/core/organization/Invitations"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters, layerOf, Mailbox, work } from "./MailSteps.ts"

const setting = Effect.gen(function* () {
  const invitations = yield* Invitations
  const organizations = yield* Organizations
  const users = yield* Users
  const { id: org } = yield* organizations.create({ title: "Acme <b>" })
  const ada = yield* users.create({ email: "ada@example.com", displayName: "Ada" })
  yield* organizations.join(org, ada.id, "admin")
  yield* users.update(ada.id, { language: "de" })
  yield* invitations.useLinks(({ id }, { isMailed }) =>
    Effect.succeed(`http://127.0.0.1:4000/-/link?token=${isMailed ? id : "shown"}`)
  )
  const invite = (emails: ReadonlyArray<string>) => invitations.invite(org, { emails }).pipe(as(ada.id))
  return { invitations, organizations, users, org, ada, invite }
})

for (const [name, storage] of onEach(adapters)) {
  describe(`Mails of invitations (${name})`, () => {
    const rule = (title: string, body: () => Effect.Effect<void, unknown, any>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(layerOf(storage))) as Effect.Effect<void>)

    rule("name the organization and the inviting person, in the language of that person", () =>
      Effect.gen(function* () {
        const { invite, organizations, org } = yield* setting
        const { invites } = yield* invite(["grace@example.com"])
        assert.isUndefined(invites[0]?.urls.link)
        yield* organizations.update(org, { title: "Acme & Söhne" })
        yield* work
        const [mail] = (yield* Mailbox).arrived
        assert.deepInclude(mail, { subject: "Einladung zu Acme & Söhne", language: "de" })
        assert.deepStrictEqual(mail?.to, { address: "grace@example.com" })
        assert.include(mail?.text, "Ada hat Sie zu Acme & Söhne eingeladen.")
        assert.include(mail?.text, `http://127.0.0.1:4000/-/link?token=${invites[0]?.id}`)
        assert.include(mail?.html, "<strong><bdi>Acme &amp; Söhne</bdi></strong>")
        assert.isUndefined(mail?.unsubscribeUrl)
      })
    )

    rule("are sent once an hour, and not for an invitation that was withdrawn", () =>
      Effect.gen(function* () {
        const { invite, invitations, org } = yield* setting
        const { invites } = yield* invite(["grace@example.com"])
        yield* invite(["GRACE@example.com"])
        yield* work
        assert.strictEqual((yield* Mailbox).arrived.length, 1)
        yield* TestClock.adjust("1 hour")
        yield* invite(["grace@example.com"])
        yield* invitations.remove(org, invites[0]!.id)
        yield* work
        assert.strictEqual((yield* Mailbox).arrived.length, 1)
        const done = yield* HostJobs.use((jobs) => jobs.list({ status: "done", kind: "mail" }))
        assert.strictEqual(done.length, 2)
      })
    )

    rule("reach existing users in their language", () =>
      Effect.gen(function* () {
        const { invite, users } = yield* setting
        const grace = yield* users.create({ email: "grace@example.com" })
        yield* users.update(grace.id, { language: "ar" })
        const { invites } = yield* invite(["grace@example.com"])
        assert.isUndefined(invites[0]?.urls.link)
        yield* work
        assert.strictEqual((yield* Mailbox).arrived[0]?.language, "ar")
      })
    )
  })
}
