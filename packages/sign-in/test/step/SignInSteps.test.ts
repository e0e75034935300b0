/** The second factor after a sign-in with a provider of the whole server. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Organizations } from "@lectern/core/organization/Organizations"
import { ServerProvider } from "@lectern/core/sso/ServerProvider"
import { SignInSteps } from "@lectern/sign-in/step/SignInSteps"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted, Schema } from "effect"
import { TOTP } from "otpauth"
import { arrive, begin, finish, isOpen, issuer, logout, speaking } from "../../../core/test/sso/SpokenOidc.ts"
import { session } from "../server/People.ts"
import { instance, makeBrowsers, member, words } from "../Browser.ts"

const company = Schema.decodeUnknownSync(ServerProvider)({
  id: "company",
  title: "Company & Co",
  issuer,
  clientID: "lectern",
  clientSecret: "secret"
})

/** Member of an organization that demands a second factor. */
const person = Effect.gen(function* () {
  const { id, organization } = yield* member()
  yield* (yield* Organizations)
    .update(organization, { requireSecondFactor: true })
    .pipe(Effect.provideService(CurrentActor, host))
  return id
})

/** Signs in with the provider, and returns the ticket for the second factor. */
const ticket = Effect.fnUntraced(function* (sid: string) {
  const result = yield* arrive(company, yield* begin(company), { sid })
  assert.isTrue("factor" in result)
  return "factor" in result ? result.factor : yield* Effect.die("No factor is due")
})

describe("a provider of the server", () => {
  const test = (name: string, body: () => Effect.Effect<unknown, unknown, any>) =>
    it.effect(
      name,
      () =>
        body().pipe(
          Effect.scoped,
          Effect.provide(instance({}, { oidc: speaking, oidcProviders: [company] }))
        ) as Effect.Effect<unknown, unknown>
    )

  test("needs the second factor of a user, and continues after it", () =>
    Effect.gen(function* () {
      const user = yield* person
      const factor = yield* ticket("1")
      assert.strictEqual(factor.path, "/-/factor")
      const text = Redacted.value(factor.ticket)
      const steps = yield* SignInSteps
      const { resumes, ...content } = yield* steps.open(text)
      assert.deepStrictEqual(content, { user, method: "oidc" })
      for (const forged of [text.replace(resumes!, ""), text.replace(resumes!, "x"), text.replace("oidc", "link")]) {
        assert.strictEqual((yield* Effect.exit(steps.open(forged)))._tag, "Failure")
      }
      const { token, session } = yield* steps.completeFactor(text, { device: "Firefox on Linux" })
      assert.deepInclude(session, { user, method: "oidc", factor: true, device: "Firefox on Linux" })
      assert.isTrue(yield* isOpen(token))
      assert.strictEqual((yield* Effect.flip(steps.completeFactor(text, {})))._tag, "TicketEnded")
    }))

  test("ends the step of the second factor when it reports a log-out", () =>
    Effect.gen(function* () {
      yield* person
      const { ticket: waiting } = yield* ticket("1")
      yield* logout(company, { sid: "1" })
      const failure = yield* Effect.flip((yield* SignInSteps).completeFactor(Redacted.value(waiting), {}))
      assert.strictEqual(failure._tag, "TicketEnded")
    }))

  test("ends a session that its user renewed by setting up a factor", () =>
    Effect.gen(function* () {
      yield* member()
      const browser = (yield* makeBrowsers)()
      const { token } = yield* finish(company, yield* begin(company), { sid: "1" })
      browser.cookies.set(session, Redacted.value(token))
      const page = yield* browser.post("/-/account/factor/app")
      const secret = (/<code class="code" tabindex="0">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? "").replaceAll(" ", "")
      const timestamp = yield* Clock.currentTimeMillis
      yield* browser.post("/-/account/factor/app", { code: new TOTP({ secret }).generate({ timestamp }) })
      const renewed = Redacted.make(browser.cookies.get(session) ?? "")
      assert.notStrictEqual(Redacted.value(renewed), Redacted.value(token))
      assert.isFalse(yield* isOpen(token))
      assert.isTrue(yield* isOpen(renewed))
      yield* logout(company, { sid: "1" })
      assert.isFalse(yield* isOpen(renewed))
    }))

  test("is a button of the sign-in page, which keeps where the browser goes", () =>
    Effect.gen(function* () {
      const page = yield* (yield* makeBrowsers)().get("/-/sign-in?to=/docs")
      assert.include(words(page), "Continue with Company &amp; Co")
      assert.include(page.text, 'href="/oidc/company/start?returnTo=%2Fdocs"')
    }))
})
