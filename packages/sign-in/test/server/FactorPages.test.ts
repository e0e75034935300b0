/** The second factor and passkeys through the pages, as a person uses them and as an attacker does. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Tokens } from "@lectern/core/token/Tokens"
import { SecondFactors } from "@lectern/sign-in/factor/SecondFactors"
import { Passkeys } from "@lectern/sign-in/passkey/Passkeys"
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { NodePasskeys } from "@lectern/services-node/passkey/NodePasskeys"
import { languages } from "@lectern/site/page/LocalizedMessages"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { TOTP } from "otpauth"
import { instance, makeBrowsers, member, type Page, publicUrl, words } from "../Browser.ts"
import { type Forgery, SoftwareAuthenticator } from "../SoftwareAuthenticator.ts"

const password = "correct horse battery staple"
const session = "__Host-lectern_session"

type Browser = ReturnType<Effect.Success<typeof makeBrowsers>>

const withPassword = Effect.fnUntraced(function* (email?: string) {
  const person = yield* member(email)
  yield* (yield* Passwords).set(person.id, Redacted.make(password))
  return person
})

const signIn = (browser: Browser, email = "ada@example.com") => browser.submit("/-/sign-in", { email, password })

/** Returns the secret of the app on a page. */
const secretOn = ({ text }: Page): string =>
  /<code class="code" tabindex="0">([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "") ?? assert.fail(text)

const codesOn = ({ text }: Page): ReadonlyArray<string> =>
  [...text.matchAll(/<li><code>([\w-]+)<\/code><\/li>/g)].map(([, code]) => code!)

const codeOf = (secret: string, steps = 0) =>
  Effect.map(Clock.currentTimeMillis, (now) => new TOTP({ secret }).generate({ timestamp: now + steps * 30_000 }))

/** Sets up an app by the pages of the account. Returns its secret and the recovery codes. */
const setUpApp = Effect.fnUntraced(function* (browser: Browser, path = "/-/account/factor/app") {
  const secret = secretOn(yield* browser.post(path))
  const page = yield* browser.post(path, { code: yield* codeOf(secret) })
  assert.strictEqual(page.status, 200, words(page))
  yield* TestClock.adjust("30 seconds")
  return { secret, codes: codesOn(page) }
})

/** Returns the fields of a form with a passkey, as the script fills it in. */
const created = Effect.fnUntraced(function* (
  browser: Browser,
  authenticator: SoftwareAuthenticator,
  path = "/-/account/passkeys"
) {
  const options = yield* browser.get(`${path}/options`)
  assert.strictEqual(options.status, 200)
  return { response: authenticator.create(JSON.parse(options.text)), name: "Laptop" }
})

const used = Effect.fnUntraced(function* (
  browser: Browser,
  authenticator: SoftwareAuthenticator,
  path = "/-/sign-in/passkey",
  forgery: Forgery = {}
) {
  const options = yield* browser.get(`${path}/options`)
  assert.strictEqual(options.status, 200)
  return { response: authenticator.get(JSON.parse(options.text), forgery) }
})

const demand = (organization: OrganizationId, requireSecondFactor: boolean) =>
  Effect.flatMap(Organizations, ({ update }) => update(organization, { requireSecondFactor })).pipe(
    Effect.provideService(CurrentActor, host)
  )

const isSignedIn = (browser: Browser) => Effect.map(browser.get("/-/account"), ({ status }) => status === 200)

describe("The pages of factors", () => {
  const test = (name: string, body: () => Effect.Effect<unknown, unknown, any>) =>
    it.effect(
      name,
      () =>
        TestClock.setTime(Date.UTC(2026, 0, 1)).pipe(
          Effect.andThen(Effect.suspend(body)),
          Effect.scoped,
          Effect.provide(instance({ passkeyProtocol: NodePasskeys.layer }))
        ) as Effect.Effect<unknown, unknown>
    )

  test("set up an app, which is asked for a code from then on", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const browser = browsers()
      yield* withPassword()
      yield* signIn(browser)
      const before = browser.cookies.get(session)
      const { secret, codes } = yield* setUpApp(browser)
      assert.lengthOf(codes, 10)
      // The session is renewed, and has shown the factor.
      assert.notStrictEqual(browser.cookies.get(session), before)
      assert.include(words(yield* browser.get("/-/account/factor")), "10 unused codes")
      assert.isTrue(yield* isSignedIn(browser))

      const other = browsers()
      const asked = yield* signIn(other)
      assert.include(words(asked), "Confirm that it’s you")
      assert.isFalse(other.cookies.has(session))
      assert.isFalse(yield* isSignedIn(other))
      const wrong = yield* other.post("/-/factor", { code: "000000" })
      assert.strictEqual(wrong.status, 403)
      assert.include(words(wrong), "This code is wrong.")
      const entered = yield* other.submit("/-/factor", { code: yield* codeOf(secret) })
      assert.include(words(entered), "Signed in as ada@example.com")
      assert.isFalse(other.cookies.has("__Host-lectern_factor"))

      // A code counts once, also in another browser. A recovery code takes its place.
      const third = browsers()
      yield* signIn(third)
      const replayed = yield* third.post("/-/factor", { code: yield* codeOf(secret) })
      assert.strictEqual(replayed.status, 403)
      assert.include(words(replayed), "This code was used before")
      assert.include(words(yield* third.submit("/-/factor", { code: codes[0]! })), "Signed in as")
      yield* signIn(browsers())
      const fourth = browsers()
      yield* signIn(fourth)
      assert.strictEqual((yield* fourth.post("/-/factor", { code: codes[0]! })).status, 403)
    }))

  test("go on to the page that the browser wanted, on this server only", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const browser = browsers()
      yield* withPassword()
      yield* signIn(browser)
      const { codes } = yield* setUpApp(browser)
      for (const [i, [to, expected]] of (
        [
          ["/-/account/tokens", "/-/account/tokens"],
          ["https://evil.example/", "/"],
          ["//evil.example/", "/"]
        ] as const
      ).entries()) {
        const other = browsers()
        yield* other.submit("/-/sign-in", { email: "ada@example.com", password, to })
        const entered = yield* other.post("/-/factor", { code: codes[i]!, to })
        assert.strictEqual(entered.location, expected)
      }
    }))

  test("pause after wrong codes, for the account and not the browser", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const browser = browsers()
      yield* withPassword()
      yield* signIn(browser)
      const { secret } = yield* setUpApp(browser)
      const statuses: Array<number> = []
      for (let i = 0; i < 7; i++) {
        const attacker = browsers({ address: `192.0.2.${i}` })
        yield* signIn(attacker)
        statuses.push((yield* attacker.post("/-/factor", { code: "000000" })).status)
      }
      assert.deepStrictEqual(statuses, [403, 403, 403, 403, 403, 429, 429])
      const other = browsers()
      yield* signIn(other)
      const paused = yield* other.post("/-/factor", { code: yield* codeOf(secret) })
      assert.include(words(paused), "Too many wrong codes. Try again in 30 seconds.")
      yield* TestClock.adjust("30 seconds")
      assert.include(words(yield* other.submit("/-/factor", { code: yield* codeOf(secret) })), "Signed in as")
    }))

  test("open nothing with a ticket but the step of the factor", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const browser = browsers()
      yield* withPassword()
      yield* signIn(browser)
      const { secret } = yield* setUpApp(browser)
      const thief = browsers()
      yield* signIn(thief)
      const ticket = thief.cookies.get("__Host-lectern_factor")!
      // As a token, and as the cookie of a session.
      assert.strictEqual((yield* Effect.flip((yield* Tokens).authenticate(ticket)) as any)._tag, "Unauthorized")
      thief.cookies.set(session, ticket)
      assert.isFalse(yield* isSignedIn(thief))
      thief.cookies.delete(session)
      // A user with a factor adds no other one without it.
      for (const path of ["/-/factor/app", "/-/factor/new-passkey"]) {
        assert.strictEqual((yield* thief.post(path)).location, "/-/factor", path)
        assert.strictEqual((yield* thief.post(path, { code: yield* codeOf(secret) })).location, "/-/factor", path)
      }
      assert.strictEqual((yield* thief.get("/-/factor/new-passkey/options")).location, "/-/factor")
      // Another user, another method, a later end, another signature.
      const [user, method, until, signature] = ticket.split(".") as [string, string, string, string]
      const { id } = yield* member("eve@example.com")
      for (const forged of [
        "",
        `${id}.${method}.${until}.${signature}`,
        `${user}.passkey.${until}.${signature}`,
        `${user}.${method}.${Number(until) + 1}.${signature}`,
        `${user}.${method}.${until}.${signature.slice(1)}`
      ]) {
        thief.cookies.set("__Host-lectern_factor", forged)
        const refused = yield* thief.post("/-/factor", { code: yield* codeOf(secret) })
        assert.strictEqual(refused.location, "/-/sign-in", forged)
      }
      // A ticket ends after 10 minutes.
      thief.cookies.set("__Host-lectern_factor", ticket)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* thief.post("/-/factor", { code: yield* codeOf(secret) })).location, "/-/sign-in")
      assert.isFalse(yield* isSignedIn(thief))
    }))

  test("sign in by a passkey alone, which counts as two factors", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const browser = browsers({ userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" })
      yield* withPassword()
      yield* signIn(browser)
      yield* setUpApp(browser)
      const authenticator = new SoftwareAuthenticator(publicUrl)
      const list = yield* browser.submit("/-/account/passkeys", yield* created(browser, authenticator))
      assert.include(list.text, "<strong>Laptop</strong>")

      const other = browsers()
      const entered = yield* other.submit("/-/sign-in/passkey", yield* used(other, authenticator))
      assert.include(words(entered), "Signed in as ada@example.com")

      // The same response in the same browser, and a response in a browser that did not ask for it.
      const third = browsers()
      const fields = yield* used(third, authenticator)
      assert.include((yield* browsers().post("/-/sign-in/passkey", fields)).location!, "failed=passkey")
      yield* third.submit("/-/sign-in/passkey", fields)
      const again = yield* third.post("/-/sign-in/passkey", fields)
      assert.include(again.location!, "failed=passkey")
    }))

  test("ask for a passkey after a password, if its owner wants", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const browser = browsers()
      yield* withPassword()
      const eve = yield* withPassword("eve@example.com")
      yield* signIn(browser)
      const authenticator = new SoftwareAuthenticator(publicUrl)
      yield* browser.submit("/-/account/passkeys", yield* created(browser, authenticator))
      yield* browser.submit("/-/account/factor/passkey", { on: "true" })

      const other = browsers()
      assert.include(words(yield* signIn(other)), "Use a passkey")
      // The passkey of another person does not count.
      const eves = new SoftwareAuthenticator(publicUrl)
      const evesBrowser = browsers()
      yield* signIn(evesBrowser, eve.email)
      yield* evesBrowser.submit("/-/account/passkeys", yield* created(evesBrowser, eves))
      assert.strictEqual(
        (yield* other.post("/-/factor/passkey", yield* used(other, eves, "/-/factor/passkey"))).status,
        403
      )
      // A response for signing in does not count here.
      assert.strictEqual((yield* other.post("/-/factor/passkey", yield* used(other, authenticator))).status, 403)
      const fields = yield* used(other, authenticator, "/-/factor/passkey", { isPersonVerified: false })
      assert.include(words(yield* other.submit("/-/factor/passkey", fields)), "Signed in as ada@example.com")

      const back = yield* browser.submit("/-/account/factor/passkey", { on: "false" })
      assert.include(words(back), "Ask for a passkey")
      // The end of the factor ended the other sessions.
      assert.isFalse(yield* isSignedIn(other))
      assert.isTrue(yield* isSignedIn(browser))
      assert.include(words(yield* signIn(browsers())), "Signed in as")
    }))

  test("set up the first factor of a member whose organization demands one", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { organization } = yield* withPassword()
      const browser = browsers()
      yield* signIn(browser)
      yield* demand(organization, true)
      assert.isFalse(yield* isSignedIn(browser))
      const asked = yield* signIn(browser)
      assert.include(words(asked), "requires a second factor: Acme")
      assert.isFalse(yield* isSignedIn(browser))
      // Nothing is set up, so no code counts.
      assert.strictEqual((yield* browser.post("/-/factor", { code: "123456" })).status, 403)
      const { secret } = yield* setUpApp(browser, "/-/factor/app")
      assert.isTrue(yield* isSignedIn(browser))
      const last = yield* browser.post("/-/account/factor/app/removed")
      assert.strictEqual(last.status, 400)
      assert.include(words(last), "Add another one before you remove this one")

      const other = browsers()
      yield* signIn(other)
      assert.include(words(yield* other.submit("/-/factor", { code: yield* codeOf(secret) })), "Signed in as")
    }))

  test("set up a first passkey of a member whose organization demands a factor", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { organization, id } = yield* withPassword()
      yield* demand(organization, true)
      const browser = browsers()
      yield* browser.submit("/-/sign-in", { email: "ada@example.com", password, to: "/-/account/tokens" })
      const authenticator = new SoftwareAuthenticator(publicUrl)
      const fields = yield* created(browser, authenticator, "/-/factor/new-passkey")
      const page = yield* browser.post("/-/factor/new-passkey", { ...fields, to: "/-/account/tokens" })
      const codes = codesOn(page)
      assert.lengthOf(codes, 10)
      assert.include(page.text, 'href="/-/account/tokens"')
      assert.isTrue(yield* isSignedIn(browser))

      // The only passkey can't be removed. A recovery code signs in without it.
      const [passkey] = yield* (yield* Passkeys).list(id)
      const refused = yield* browser.post("/-/account/passkeys", { id: passkey!.id, action: "remove" })
      assert.include(words(refused), "Add another one before you remove this one")
      const other = browsers()
      yield* signIn(other)
      assert.include(words(yield* other.submit("/-/factor", { code: codes[3]! })), "Signed in as")
    }))

  test("change factors only within 10 minutes after signing in, and with the factor", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      const { id } = yield* withPassword()
      const browser = browsers()
      yield* signIn(browser)
      const early = browsers()
      yield* signIn(early)
      const { secret } = yield* setUpApp(browser)
      const refusals = (one: Browser) =>
        Effect.forEach(
          [
            ["/-/account/factor/app", {}],
            ["/-/account/factor/app/removed", {}],
            ["/-/account/factor/passkey", { on: "false" }],
            ["/-/account/factor/codes", {}],
            ["/-/account/passkeys", { response: "{}", name: "x" }],
            ["/-/account/passkeys", { id: "x", action: "remove" }]
          ] as const,
          ([path, fields]) => Effect.map(one.post(path, fields), ({ status }) => status)
        )
      // This session did not show the factor.
      assert.deepStrictEqual(yield* refusals(early), [400, 400, 400, 400, 400, 400])
      assert.strictEqual((yield* early.get("/-/account/passkeys/options")).status, 409)
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(yield* refusals(browser), [400, 400, 400, 400, 400, 400])
      assert.strictEqual((yield* browser.get("/-/account/passkeys/options")).status, 409)
      const stale = yield* browser.get("/-/account/factor")
      assert.include(words(stale), "You signed in more than 10 minutes ago")
      assert.notInclude(stale.text, "<form")
      assert.strictEqual((yield* (yield* SecondFactors).status(id)).app, "confirmed")

      const again = yield* browser.get("/-/sign-in?again=1&to=/-/account/factor")
      assert.strictEqual(again.status, 200)
      yield* browser.submit("/-/sign-in", { email: "ada@example.com", password, to: "/-/account/factor" })
      const page = yield* browser.submit("/-/factor", { code: yield* codeOf(secret), to: "/-/account/factor" })
      assert.include(words(page), "Remove the app")
      yield* browser.submit("/-/account/factor/app/removed")
      assert.strictEqual((yield* (yield* SecondFactors).status(id)).app, "absent")
      // The removal ended the other sessions.
      assert.isFalse(yield* isSignedIn(early))
      assert.isTrue(yield* isSignedIn(browser))
    }))

  test("refuse forms of other websites, and never show a secret twice", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      yield* withPassword()
      const browser = browsers()
      yield* signIn(browser)
      for (const path of ["/-/account/factor/app", "/-/account/passkeys", "/-/factor", "/-/sign-in/passkey"]) {
        const foreign = yield* browser.send("POST", path, {
          fields: {},
          headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example" }
        })
        assert.strictEqual(foreign.status, 403, path)
      }
      const setup = yield* browser.post("/-/account/factor/app")
      const secret = secretOn(setup)
      assert.include(setup.headers.get("cache-control")!, "no-store")
      const wrong = yield* browser.post("/-/account/factor/app", { code: "000000" })
      const pages = [wrong, yield* browser.get("/-/account/factor"), yield* browser.submit("/-/account/factor/app", {})]
      for (const { text } of pages) assert.notInclude(text.replaceAll(" ", ""), secret)
    }))

  test("have texts in every language, and refuse a name that is too long", () =>
    Effect.gen(function* () {
      const browsers = yield* makeBrowsers
      yield* withPassword()
      const titles = new Set<string>()
      for (const language of languages) {
        const browser = browsers({ language })
        yield* browser.submit("/-/sign-in", { email: "ada@example.com", password })
        for (const path of ["/-/account/passkeys", "/-/account/factor"]) {
          const page = yield* browser.get(path)
          assert.strictEqual(page.status, 200)
          assert.notMatch(words(page), /\{\w+\}|undefined/)
          titles.add(/<title>(.*?)<\/title>/.exec(page.text)![1]!)
        }
      }
      // "Passkeys" is a word of several languages.
      assert.isAtLeast(titles.size, 2 * languages.length - 3)
      const browser = browsers()
      yield* signIn(browser)
      const fields = { ...(yield* created(browser, new SoftwareAuthenticator(publicUrl))), name: "x".repeat(101) }
      assert.strictEqual((yield* browser.post("/-/account/passkeys", fields)).status, 400)
    }))
})
