/** The pages as an attacker uses them. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Sessions } from "@lectern/core/token/Sessions"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { instance, makeBrowsers, member, publicUrl, verifiedHashes, words } from "../Browser.ts"

import { linkFor, password, session, withPassword } from "./People.ts"

describe("Attacks on the pages for signing in", () => {
  const test = (name: string, body: () => Effect.Effect<unknown, unknown, any>) =>
    it.effect(name, () => body().pipe(Effect.scoped, Effect.provide(instance())) as Effect.Effect<unknown, unknown>)

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
        "https://evil.example/": "/",
        "//evil.example/": "/",
        "/\\evil.example/": "/",
        "https://docs.example.com@evil.example/": "/",
        "https://docs.example.com.evil.example/": "/",
        "javascript:alert(1)": "/",
        "data:text/html,x": "/",
        "https://docs.example.com//evil.example/": "/",
        "/%5Cevil.example": "/%5Cevil.example",
        "": "/"
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
})
