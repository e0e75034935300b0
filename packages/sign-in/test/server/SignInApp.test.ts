/** The pages as a person uses them. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Invitations } from "@lectern/core/organization/Invitations"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { InvitationTable } from "@lectern/core/organization/Invitation"
import { Sessions } from "@lectern/core/token/Sessions"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import { SignInLinks } from "@lectern/sign-in/link/SignInLinks"
import { SignInSteps } from "@lectern/sign-in/step/SignInSteps"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { instance, makeBrowsers, member, publicUrl, words } from "../Browser.ts"

import { linkFor, password, session, withPassword } from "./People.ts"

describe("SignInApp", () => {
  const test = (name: string, body: () => Effect.Effect<unknown, unknown, any>) =>
    it.effect(name, () => body().pipe(Effect.scoped, Effect.provide(instance())) as Effect.Effect<unknown, unknown>)

  test("signs a person in by a link, which works once, and only by its button", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)({ userAgent: "curl/8" })
      const scanner = (yield* makeBrowsers)()
      const { id, email } = yield* member()
      const link = yield* linkFor(id)
      // A program that checks mails opens the link.
      const opened = yield* scanner.get(link)
      assert.strictEqual((yield* scanner.get(opened.location!)).status, 200)
      const first = yield* browser.get(link)
      assert.strictEqual(first.status, 303)
      assert.strictEqual(first.location, "/-/link")
      assert.strictEqual(first.headers.get("referrer-policy"), "no-referrer")
      const page = yield* browser.get(first.location!)
      assert.include(words(page), `You are about to sign in as ${email}`)
      const secret = link.split("token=")[1]!
      assert.notInclude(page.text, secret)
      const account = yield* browser.submit("/-/link")
      assert.include(words(account), `Signed in as ${email}`)
      assert.isFalse(browser.cookies.has("__Host-lectern_link"))
      for (const later of [browser, scanner]) {
        yield* later.get(link)
        assert.strictEqual((yield* later.post("/-/link")).status, 404)
      }
    }))

  test("ends a link after 30 minutes, and stores no secret", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { id } = yield* member()
      const link = yield* linkFor(id)
      yield* TestClock.adjust("30 minutes")
      yield* browser.get(link)
      assert.strictEqual((yield* browser.get("/-/link")).status, 404)
      assert.strictEqual((yield* browser.post("/-/link")).status, 404)
    }))

  test("signs a person in by password, and out again", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email } = yield* withPassword()
      const refused = yield* browser.post("/-/sign-in", { email, password: "wrong" })
      assert.strictEqual(refused.status, 403)
      assert.include(words(refused), "The address or the password is wrong")
      assert.include(refused.text, `value="${email}"`)
      assert.isFalse(browser.cookies.has(session))
      const account = yield* browser.submit("/-/sign-in", { email: email.toUpperCase(), password })
      assert.include(words(account), `Signed in as ${email}`)
      const secret = browser.cookies.get(session)!
      assert.strictEqual((yield* browser.get("/-/sign-in")).location, "/")
      yield* browser.submit("/-/sign-out")
      assert.isFalse(browser.cookies.has(session))
      assert.strictEqual((yield* Effect.exit((yield* Tokens).authenticate(secret)))._tag, "Failure")
      assert.strictEqual((yield* browser.get("/-/account")).location, "/-/sign-in?to=%2F-%2Faccount")
    }))

  test("lists sessions, and ends one or all others", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { email } = yield* withPassword()
      const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0"
      const [here, there, third] = [browsers({ userAgent: firefox }), browsers({ userAgent: "curl/8" }), browsers()]
      for (const browser of [here, there, third]) {
        yield* TestClock.adjust(1)
        yield* browser.submit("/-/sign-in", { email, password })
      }
      const list = yield* here.get("/-/account/sessions")
      assert.include(words(list), "Firefox on Linux This browser")
      const ids = Array.from(list.text.matchAll(/name="id" value="([^"]+)"/g), ([, id]) => id!)
      assert.strictEqual(ids.length, 2)
      yield* here.submit("/-/account/sessions", { id: ids[1]! })
      assert.strictEqual((yield* there.get("/-/account")).status, 303)
      assert.strictEqual((yield* third.get("/-/account")).status, 200)
      yield* here.submit("/-/account/sessions")
      assert.strictEqual((yield* third.get("/-/account")).status, 303)
      assert.strictEqual((yield* here.get("/-/account")).status, 200)
    }))

  test("creates tokens, shows each once, and revokes them", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email, id } = yield* withPassword()
      yield* browser.submit("/-/sign-in", { email, password })
      const created = yield* browser.post("/-/account/tokens", { name: "CI", days: "30" })
      const token = /lectern_[\w-]{43}/.exec(created.text)![0]
      assert.deepInclude(yield* (yield* Tokens).authenticate(token), { type: "user", user: id })
      const list = yield* browser.get("/-/account/tokens")
      assert.include(words(list), "CI")
      assert.notInclude(list.text, token)
      assert.strictEqual((yield* browser.post("/-/account/tokens", { name: "", days: "30" })).status, 400)
      const [, revoke = ""] = /name="revoke" value="([^"]+)"/.exec(list.text) ?? []
      yield* browser.submit("/-/account/tokens", { revoke })
      assert.strictEqual((yield* Effect.exit((yield* Tokens).authenticate(token)))._tag, "Failure")
    }))

  test("changes a password with the current one, and ends all other sessions", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { email } = yield* withPassword()
      const [here, there] = [browsers(), browsers()]
      yield* here.submit("/-/sign-in", { email, password })
      yield* there.submit("/-/sign-in", { email, password })
      const before = here.cookies.get(session)
      const path = "/-/account/password"
      const next = "a much better password"
      assert.strictEqual((yield* here.post(path, { password: next })).status, 403)
      assert.strictEqual((yield* here.post(path, { current: "wrong", password: next })).status, 403)
      for (const bad of ["short", "1234567890", "Password123", email, "x".repeat(1_001)])
        assert.strictEqual((yield* here.post(path, { current: password, password: bad })).status, 400, bad)
      const saved = yield* here.post(path, { current: password, password: next })
      assert.include(words(saved), "Your new password is saved")
      assert.notStrictEqual(here.cookies.get(session), before)
      assert.strictEqual((yield* here.get("/-/account")).status, 200)
      assert.strictEqual((yield* there.get("/-/account")).status, 303)
      assert.strictEqual((yield* browsers().post("/-/sign-in", { email, password })).status, 403)
      assert.strictEqual((yield* browsers().post("/-/sign-in", { email, password: next })).status, 303)
    }))

  test("replaces a forgotten password after a sign-in by link, for 15 minutes", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email, id } = yield* withPassword()
      const { url } = yield* (yield* SignInLinks).create(id, "password")
      yield* browser.get(Redacted.value(url).slice(publicUrl.length))
      const form = yield* browser.submit("/-/link")
      assert.include(words(form), "Choose a new password")
      assert.notInclude(words(form), "Current password")
      yield* TestClock.adjust("15 minutes")
      const late = yield* browser.get("/-/password/new")
      assert.include(words(late), "Current password")
      const fresh = yield* (yield* SignInLinks).create(id, "password")
      yield* browser.get(Redacted.value(fresh.url).slice(publicUrl.length))
      yield* browser.submit("/-/link")
      yield* browser.submit("/-/password/new", { password: "a much better password" })
      assert.strictEqual((yield* browser.post("/-/sign-in", { email, password: "a much better password" })).status, 303)
    }))

  test("admits the recipient of an invitation by a link, with a new user", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { id, organization } = yield* member()
      const asAdmin = Effect.provideService(CurrentActor, { type: "user", user: id })
      yield* (yield* Invitations).invite(organization, { emails: ["new@example.com"], role: "edit" }).pipe(asAdmin)
      const [row] = yield* (yield* Storage).repository(InvitationTable).list({ where: { organization } })
      const { url } = yield* (yield* SignInLinks).createForInvitation(row!.id, true)
      yield* browser.get(Redacted.value(url).slice(publicUrl.length))
      assert.include(words(yield* browser.get("/-/link")), "You are about to join as new@example.com")
      assert.include(words(yield* browser.submit("/-/link")), "Signed in as new@example.com")
      const user = yield* (yield* Users).byEmail("new@example.com")
      const added = yield* (yield* Members).get(organization, user!.id).pipe(asAdmin)
      assert.strictEqual(added.role, "edit")
      // A withdrawn invitation takes its link with it.
      yield* (yield* Invitations).invite(organization, { emails: ["other@example.com"] }).pipe(asAdmin)
      const [other] = yield* (yield* Storage).repository(InvitationTable).list({ where: { organization } })
      const withdrawn = yield* (yield* SignInLinks).createForInvitation(other!.id, true)
      yield* (yield* Invitations).remove(organization, other!.id).pipe(asAdmin)
      yield* browser.get(Redacted.value(withdrawn.url).slice(publicUrl.length))
      assert.strictEqual((yield* browser.post("/-/link")).status, 404)
      assert.isUndefined(yield* (yield* Users).byEmail("other@example.com"))
    }))

  test("lists invitations of the user, who accepts or declines them", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { id, organization } = yield* member()
      const bea = yield* withPassword("bea@example.com")
      const asAdmin = Effect.provideService(CurrentActor, { type: "user", user: id })
      const invite = Effect.flatMap(Invitations, (invitations) =>
        invitations.invite(organization, { emails: [bea.email] }).pipe(asAdmin)
      )
      yield* invite
      yield* browser.submit("/-/sign-in", { email: bea.email, password })
      const fields = (text: string) => ({ id: /name="id" value="([^"]+)"/.exec(text)?.[1] ?? "", organization })
      const list = yield* browser.get("/-/account/invitations")
      assert.include(words(list), "You are invited to Acme")
      yield* browser.submit("/-/account/invitations", { ...fields(list.text), choice: "decline" })
      assert.include(words(yield* browser.get("/-/account/invitations")), "no open invitations")
      yield* invite
      const again = yield* browser.get("/-/account/invitations")
      yield* browser.submit("/-/account/invitations", { ...fields(again.text), choice: "accept" })
      assert.strictEqual((yield* (yield* Members).get(organization, bea.id).pipe(asAdmin)).user.id, bea.id)
    }))

  test("keeps the account from the session of one organization", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { id, organization } = yield* withPassword()
      const started = yield* (yield* Sessions).start(id, {
        method: "saml",
        signOn: { organization, provider: "idp", trust: "t" }
      })
      browser.cookies.set(session, Redacted.value(started.token))
      // The provider does not exist, so the session is not valid.
      assert.strictEqual((yield* browser.get("/-/account")).status, 303)
    }))

  test("speaks eleven languages, one of them from right to left", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const titles = new Set<string>()
      for (const language of ["ar", "de", "en", "es", "fr", "ja", "nl", "nb-NO", "pt-BR", "ru", "zh-CN"]) {
        const { headers, text } = yield* browsers({ language }).get("/-/sign-out")
        assert.notMatch(text, /\{\w+\}(?![^<]*<\/style>)/)
        titles.add(`${/<html lang="([^"]+)" dir="(\w+)"/.exec(text)?.slice(1).join(" ")}`)
        assert.isNotNull(headers.get("content-language"))
      }
      assert.isTrue(titles.has("ar rtl"))
    }))

  test("knows its paths and methods, and reads no endless form", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      assert.strictEqual((yield* browser.get("/-/nothing")).status, 404)
      assert.strictEqual((yield* browser.get("/-/toString")).status, 404)
      const refused = yield* browser.send("PUT", "/-/sign-in")
      assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD, POST"])
      const { status } = yield* browser.post("/-/sign-in", { email: "x".repeat(70_000), password: "x" })
      assert.strictEqual(status, 413)
    }))

  it.effect("asks for a second factor before the session, if one is due", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email, id, organization } = yield* withPassword()
      yield* (yield* Organizations)
        .update(organization, { requireSecondFactor: true })
        .pipe(Effect.provideService(CurrentActor, host))
      const page = yield* browser.post("/-/sign-in", { email, password, to: "/docs" })
      assert.strictEqual(page.location, "/-/factor?to=%2Fdocs")
      assert.isFalse(browser.cookies.has(session))
      const ticket = browser.cookies.get("__Host-lectern_factor")!
      const steps = yield* SignInSteps
      assert.deepStrictEqual(yield* steps.open(ticket), { user: id, method: "password" })
      for (const forged of [
        ticket.replace(/.$/, "x"),
        ticket.replace("password", "link"),
        "",
        "a.b.c.d",
        ticket + ".x"
      ])
        assert.strictEqual((yield* Effect.exit(steps.open(forged)))._tag, "Failure", forged)
      const started = yield* steps.completeFactor(ticket, {})
      assert.deepInclude(started.session, { user: id, method: "password", factor: true })
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* Effect.exit(steps.open(ticket)))._tag, "Failure")
    }).pipe(Effect.scoped, Effect.provide(instance()))
  )

  it.effect("offers only the ways that are on", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email, id } = yield* withPassword()
      const page = yield* browser.get("/-/sign-in")
      assert.notInclude(page.text, 'type="password"')
      assert.include(words(page), "Ask the operator of this server for a link")
      assert.strictEqual((yield* browser.post("/-/sign-in", { email, password })).status, 403)
      yield* browser.get(yield* linkFor(id))
      yield* browser.submit("/-/link")
      assert.strictEqual((yield* browser.get("/-/account/password")).location, "/-/account")
    }).pipe(Effect.scoped, Effect.provide(instance({}, { signInWays: ["link"] })))
  )
})
