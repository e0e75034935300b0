/** The pages as a person uses them, and as an attacker does. */
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
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { SignInSteps } from "@lectern/sign-in/step/SignInSteps"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { instance, makeBrowsers, member, publicUrl, verifiedHashes, words } from "../Browser.ts"

const password = "correct horse battery staple"

const withPassword = Effect.fnUntraced(function* (email?: string) {
  const person = yield* member(email)
  yield* (yield* Passwords).set(person.id, Redacted.make(password))
  return person
})

/** Path of a new link. */
const linkFor = Effect.fnUntraced(function* (user: Parameters<SignInLinks["Service"]["create"]>[0]) {
  const { url } = yield* (yield* SignInLinks).create(user, "sign-in")
  return Redacted.value(url).slice(publicUrl.length)
})

const session = "__Host-lectern_session"

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
      assert.strictEqual((yield* browser.get("/-/sign-in")).location, "/-/account")
      yield* browser.submit("/-/sign-out")
      assert.isFalse(browser.cookies.has(session))
      assert.strictEqual((yield* Effect.exit((yield* Tokens).authenticate(secret)))._tag, "Failure")
      assert.strictEqual((yield* browser.get("/-/account")).location, "/-/sign-in?to=%2F-%2Faccount")
    }))

  test("does the same work and gives the same answer for addresses with and without an account", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { email } = yield* withPassword()
      const none = yield* member("bob@example.com")
      const answers = []
      for (const address of [email, none.email, "eve@example.com"]) {
        const before = verifiedHashes.length
        const answer = yield* browsers({ address: "192.0.2.7" }).post("/-/sign-in", {
          email: address,
          password: "wrong"
        })
        const { headers, status, text } = answer
        answers.push({
          status,
          text: text.replaceAll(address, "ADDRESS"),
          headers: [...headers],
          hashes: verifiedHashes.length - before
        })
      }
      assert.deepStrictEqual(answers[1], answers[0])
      assert.deepStrictEqual(answers[2], answers[0])
      assert.strictEqual(answers[0]!.hashes, 1)
    }))

  test("makes those who guess wait, and never locks out a browser of the person", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { email } = yield* withPassword()
      const own = browsers({ address: "198.51.100.1" })
      yield* own.submit("/-/sign-in", { email, password })
      yield* own.submit("/-/sign-out")
      const guess = (address: string, email: string) =>
        Effect.map(browsers({ address }).post("/-/sign-in", { email, password: "guess" }), ({ status }) => status)
      // From one address each, so that only the account counts.
      for (let i = 0; i < 5; i++) assert.strictEqual(yield* guess(`203.0.113.${i}`, email), 403)
      assert.strictEqual(yield* guess("203.0.113.9", email), 429)
      // An account that does not exist behaves alike.
      for (let i = 0; i < 5; i++) assert.strictEqual(yield* guess(`203.0.113.${20 + i}`, "no@example.com"), 403)
      assert.strictEqual(yield* guess("203.0.113.29", "no@example.com"), 429)
      // The right password does not count during the pause, either.
      const right = yield* browsers({ address: "203.0.113.50" }).post("/-/sign-in", { email, password })
      assert.strictEqual(right.status, 429)
      assert.match(right.headers.get("retry-after") ?? "", /^\d+$/)
      assert.include(words(yield* own.submit("/-/sign-in", { email, password })), "Signed in as")
      yield* own.submit("/-/sign-out")
      yield* TestClock.adjust("6 minutes")
      const after = yield* browsers({ address: "203.0.113.51" }).post("/-/sign-in", { email, password })
      assert.strictEqual(after.status, 303)
    }))

  test("limits an address that guesses for many accounts", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const guess = (address: string, i: number) =>
        Effect.map(
          browsers({ address }).post("/-/sign-in", { email: `user${i}@example.com`, password: "guess" }),
          ({ status }) => status
        )
      // Addresses of one network count together.
      const statuses = []
      for (let i = 0; i < 21; i++) statuses.push(yield* guess(`2001:db8::${i}`, i))
      assert.deepStrictEqual(
        statuses.slice(0, 20),
        Array.from({ length: 20 }, () => 403)
      )
      assert.strictEqual(statuses[20], 429)
      assert.strictEqual(yield* guess("2001:db8:1::1", 99), 403)
    }))

  test("accepts no form of another website, so nobody signs a browser in or out", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { email, id } = yield* withPassword()
      yield* browser.get(yield* linkFor(id))
      const foreign = [
        { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
        { "sec-fetch-site": "same-site", origin: "https://other.example.com" },
        { origin: "https://evil.example" },
        { origin: "null" },
        {}
      ]
      for (const headers of foreign) {
        for (const [path, fields] of [
          ["/-/sign-in", { email, password }],
          ["/-/link", {}],
          ["/-/sign-out", {}],
          ["/-/account/tokens", { name: "x", days: "" }]
        ] as const) {
          const { status } = yield* browser.send("POST", path, { fields, headers: headers as Record<string, string> })
          assert.strictEqual(status, 403, `${path} ${JSON.stringify(headers)}`)
        }
      }
      assert.isFalse(browser.cookies.has(session))
      yield* browser.submit("/-/sign-in", { email, password })
      assert.strictEqual(
        (yield* browser.send("POST", "/-/sign-out", { fields: {}, headers: { origin: "https://evil.example" } }))
          .status,
        403
      )
      assert.isTrue(browser.cookies.has(session))
    }))

  test("starts a new session at each sign-in, whatever session the browser had", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const attacker = yield* withPassword("eve@example.com")
      const { email, id } = yield* withPassword()
      const planted = yield* (yield* Sessions).start(attacker.id, { method: "password" })
      browser.cookies.set(session, Redacted.value(planted.token))
      // The page of a signed-in user redirects, so the person signs out, or signs in by a link.
      yield* browser.get(yield* linkFor(id))
      yield* browser.submit("/-/link")
      assert.notStrictEqual(browser.cookies.get(session), Redacted.value(planted.token))
      assert.strictEqual(
        (yield* Effect.exit((yield* Tokens).authenticate(Redacted.value(planted.token))))._tag,
        "Failure"
      )
      assert.include(words(yield* browser.get("/-/account")), `Signed in as ${email}`)
    }))

  test("leads nowhere else after signing in", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { email } = yield* withPassword()
      const outcomes = {
        "/docs?x=1#y": "/docs?x=1#y",
        [`${publicUrl}/docs`]: "/docs",
        "https://evil.example/": "/-/account",
        "//evil.example/": "/-/account",
        "/\\evil.example/": "/-/account",
        "https://docs.example.com@evil.example/": "/-/account",
        "https://docs.example.com.evil.example/": "/-/account",
        "javascript:alert(1)": "/-/account",
        "data:text/html,x": "/-/account",
        "https://docs.example.com//evil.example/": "/-/account",
        "/%5Cevil.example": "/%5Cevil.example",
        "": "/-/account"
      }
      for (const [to, expected] of Object.entries(outcomes)) {
        const { location } = yield* browsers().post("/-/sign-in", { email, password, to })
        assert.strictEqual(location, expected, to)
        const page = yield* browsers().get(`/-/sign-in?to=${encodeURIComponent(to)}`)
        assert.notInclude(page.text, 'value="https://evil')
      }
    }))

  test("can't be framed, stored or told to other servers, and loads nothing", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const { id } = yield* member()
      const paths = ["/-/sign-in", "/-/sign-out", "/-/password", "/-/link", "/-/nothing", "/-/account"]
      yield* browser.get(yield* linkFor(id))
      for (const path of paths) {
        const { headers, text } = yield* browser.get(path)
        const policy = headers.get("content-security-policy") ?? ""
        assert.match(policy, /^default-src 'none'; style-src 'sha256-[\w+/=]+'; /, path)
        assert.include(policy, "frame-ancestors 'none'")
        assert.include(policy, "form-action 'self'")
        assert.notInclude(policy, "script-src")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.match(headers.get("referrer-policy") ?? "", /^(same-origin|no-referrer)$/)
        assert.strictEqual(headers.get("x-frame-options"), "DENY")
        assert.notMatch(text, /<script|<link|src=|javascript:| on\w+=/)
      }
    }))

  test("escapes what others wrote", () =>
    Effect.gen(function* () {
      const browser = (yield* makeBrowsers)()
      const evil = `"><script>alert(1)</script>@example.com`
      const page = yield* browser.post("/-/sign-in", { email: evil, password: "x", to: '/"><script>' })
      assert.notInclude(page.text, "<script>")
      const { id } = yield* member()
      yield* (yield* Users).update(id, { displayName: "<b>Ada</b>" }).pipe(Effect.provideService(CurrentActor, host))
      yield* browser.get(yield* linkFor(id))
      const account = yield* browser.submit("/-/link")
      assert.include(account.text, "&lt;b&gt;Ada&lt;/b&gt;")
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
      const { url } = yield* (yield* SignInLinks).createForInvitation(row!, true)
      yield* browser.get(Redacted.value(url).slice(publicUrl.length))
      assert.include(words(yield* browser.get("/-/link")), "You are about to join as new@example.com")
      assert.include(words(yield* browser.submit("/-/link")), "Signed in as new@example.com")
      const user = yield* (yield* Users).byEmail("new@example.com")
      const added = yield* (yield* Members).get(organization, user!.id).pipe(asAdmin)
      assert.strictEqual(added.role, "edit")
      // A withdrawn invitation takes its link with it.
      yield* (yield* Invitations).invite(organization, { emails: ["other@example.com"] }).pipe(asAdmin)
      const [other] = yield* (yield* Storage).repository(InvitationTable).list({ where: { organization } })
      const withdrawn = yield* (yield* SignInLinks).createForInvitation(other!, true)
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
    }).pipe(Effect.scoped, Effect.provide(instance({ ways: ["link"] })))
  )
})
