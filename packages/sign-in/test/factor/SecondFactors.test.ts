/** Second factors: the app, recovery codes, the demand of organizations, and attacks on codes. */
import { assert, describe } from "@effect/vitest"
import { AuditEventTable } from "@lectern/core/audit/AuditEvent"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SecondFactorTable } from "@lectern/core/sign-in/SecondFactor"
import { Storage } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { type RecoveryCodes, SecondFactors } from "@lectern/sign-in/factor/SecondFactors"
import { Passkeys } from "@lectern/sign-in/passkey/Passkeys"
import { Clock, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { TOTP } from "otpauth"
import { ruleOn } from "../../../core/test/Actors.ts"
import { onEach } from "../../../core/test/Adapters.ts"
import { organization } from "../../../core/test/Instances.ts"
import { adapters, type Services } from "../Instances.ts"
import { SoftwareAuthenticator } from "../SoftwareAuthenticator.ts"

const person = Effect.fnUntraced(function* (email: string) {
  return (yield* (yield* Users).create({ email })).id
})

/** Returns the code that an app with this secret shows now. */
const codeOf = (secret: Redacted.Redacted, steps = 0) =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    new TOTP({ secret: Redacted.value(secret).replaceAll(" ", "") }).generate({ timestamp: now + steps * 30_000 })
  )

/** Sets up an app, and waits until its next code. */
const enable = Effect.fnUntraced(function* (user: UserId) {
  const factors = yield* SecondFactors
  const { secret } = yield* factors.setUpApp(user)
  const codes = yield* factors.confirmApp(user, yield* codeOf(secret))
  yield* TestClock.adjust("30 seconds")
  return { secret, codes }
})

const addPasskey = Effect.fnUntraced(function* (user: UserId) {
  const passkeys = yield* Passkeys
  const response = new SoftwareAuthenticator().create(yield* passkeys.creationOptions(user, "browser"))
  return yield* passkeys.create(user, { response, browser: "browser", name: "Laptop" })
})

const texts = (codes: RecoveryCodes) => codes.map((code) => Redacted.value(code))

/** Returns the reason of a refusal, the name of another error, or `ok`. */
const outcome = <A, R>(step: Effect.Effect<A, { readonly _tag: string; readonly reason?: string }, R>) =>
  Effect.match(step, { onSuccess: () => "ok", onFailure: ({ _tag, reason }) => reason ?? _tag })

const wrong = "000000"

for (const [name, services] of onEach(adapters)) {
  describe(`Second factors (${name})`, () => {
    const rule = (title: string, body: () => Effect.Effect<void, unknown, Services>) =>
      ruleOn(services)(title, () => Effect.andThen(TestClock.setTime(Date.UTC(2026, 0, 1)), Effect.suspend(body)))

    rule("count from the first code of an app on", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const ada = yield* person("ada@example.com")
        assert.deepInclude(yield* factors.status(ada), { app: "absent", isDue: false, isSetUp: false })
        const first = yield* factors.setUpApp(ada)
        assert.include(Redacted.value(first.uri), "otpauth://totp/Lectern%20(localhost):ada%40example.com?")
        assert.deepInclude(yield* factors.status(ada), { app: "setup", isDue: false, isSetUp: false })
        assert.strictEqual(yield* outcome(factors.confirmApp(ada, wrong)), "wrong")
        // A setup that starts again has another secret.
        const second = yield* factors.setUpApp(ada)
        assert.strictEqual(
          yield* outcome(Effect.flatMap(codeOf(first.secret), (code) => factors.confirmApp(ada, code))),
          "wrong"
        )
        const codes = yield* factors.confirmApp(ada, yield* codeOf(second.secret))
        assert.lengthOf(new Set(texts(codes)), 10)
        assert.deepInclude(yield* factors.status(ada), {
          app: "confirmed",
          isDue: true,
          isSetUp: true,
          recoveryCodes: 10
        })
        assert.strictEqual(yield* outcome(factors.setUpApp(ada)), "AppInUse")
        assert.strictEqual(yield* outcome(factors.confirmApp(ada, yield* codeOf(second.secret, 1))), "FactorMissing")
      })
    )

    rule("accept each code of an app once, in its own step and those around it", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const ada = yield* person("ada@example.com")
        const { secret } = yield* factors.setUpApp(ada)
        const first = yield* codeOf(secret)
        yield* factors.confirmApp(ada, first)
        assert.strictEqual(yield* outcome(factors.check(ada, first)), "used")
        // A code of an earlier step is as old as a used one.
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret, -1))), "used")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret, 1))), "ok")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret, 1))), "used")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret))), "used")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret, 2))), "wrong")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret))), "ok")
      })
    )

    rule("accept one of two equal codes that arrive at once", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const ada = yield* person("ada@example.com")
        const { secret, codes } = yield* enable(ada)
        for (const code of [yield* codeOf(secret), texts(codes)[0]!]) {
          const results = yield* Effect.all(
            [1, 2, 3].map(() => outcome(factors.check(ada, code))),
            {
              concurrency: "unbounded"
            }
          )
          assert.lengthOf(
            results.filter((result) => result === "ok"),
            1
          )
        }
      })
    )

    rule("check no code during a pause, also not a right one, and count parallel guesses", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const ada = yield* person("ada@example.com")
        const { secret, codes } = yield* enable(ada)
        const guesses = yield* Effect.all(
          Array.from({ length: 20 }, () => outcome(factors.check(ada, wrong))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          guesses.filter((result) => result === "wrong"),
          5
        )
        assert.lengthOf(
          guesses.filter((result) => result === "paused"),
          15
        )
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret))), "paused")
        assert.strictEqual(yield* outcome(factors.check(ada, texts(codes)[0]!)), "paused")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* outcome(factors.check(ada, wrong)), "wrong")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret))), "paused")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret))), "ok")
        assert.strictEqual(yield* outcome(factors.check(ada, wrong)), "wrong")
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret, 1))), "ok")
      })
    )

    rule("allow few guesses in a day", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const ada = yield* person("ada@example.com")
        yield* enable(ada)
        let checked = 0
        for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
          if ((yield* outcome(factors.check(ada, wrong))) === "wrong") checked++
          yield* TestClock.adjust("5 minutes")
        }
        assert.isBelow(checked, 40)
      })
    )

    rule("accept each recovery code once, as people type it", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const ada = yield* person("ada@example.com")
        const bob = yield* person("bob@example.com")
        const { codes } = yield* enable(ada)
        const { codes: bobs } = yield* enable(bob)
        const [first, second] = texts(codes) as [string, string]
        assert.strictEqual(yield* outcome(factors.check(ada, first)), "ok")
        assert.strictEqual(yield* outcome(factors.check(ada, first)), "wrong")
        assert.strictEqual(yield* outcome(factors.check(ada, second.toUpperCase().replaceAll("-", " "))), "ok")
        assert.strictEqual(yield* outcome(factors.check(ada, texts(bobs)[0]!)), "wrong")
        assert.strictEqual((yield* factors.status(ada)).recoveryCodes, 8)
        const replaced = yield* factors.createRecoveryCodes(ada)
        assert.strictEqual(yield* outcome(factors.check(ada, texts(codes)[2]!)), "wrong")
        assert.strictEqual(yield* outcome(factors.check(ada, texts(replaced)[2]!)), "ok")
      })
    )

    rule("store neither secrets nor codes", () =>
      Effect.gen(function* () {
        const ada = yield* person("ada@example.com")
        const { secret, codes } = yield* enable(ada)
        const row = JSON.stringify(yield* (yield* Storage).repository(SecondFactorTable).get({ user: ada }))
        assert.notInclude(row, Redacted.value(secret).replaceAll(" ", ""))
        for (const code of texts(codes)) {
          assert.notInclude(row, code)
          assert.notInclude(row, code.replaceAll("-", ""))
        }
      })
    )

    rule("end with the app, if the member has no passkey", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const ada = yield* person("ada@example.com")
        const { secret, codes } = yield* enable(ada)
        yield* factors.removeApp(ada)
        assert.deepInclude(yield* factors.status(ada), { app: "absent", isDue: false, recoveryCodes: 0 })
        assert.strictEqual(yield* outcome(factors.check(ada, yield* codeOf(secret))), "wrong")
        assert.strictEqual(yield* outcome(factors.check(ada, texts(codes)[0]!)), "wrong")
        yield* factors.removeApp(ada)
      })
    )

    rule("are a passkey, if the member wants to be asked", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactors
        const passkeys = yield* Passkeys
        const ada = yield* person("ada@example.com")
        assert.strictEqual(yield* outcome(factors.setWanted(ada, true)), "FactorMissing")
        assert.strictEqual(yield* outcome(factors.createRecoveryCodes(ada)), "FactorMissing")
        const { id } = yield* addPasskey(ada)
        assert.deepInclude(yield* factors.status(ada), { isDue: false, isSetUp: true, passkeys: 1 })
        yield* factors.setWanted(ada, true)
        yield* factors.createRecoveryCodes(ada)
        assert.deepInclude(yield* factors.status(ada), { isDue: true, isWanted: true, recoveryCodes: 10 })
        yield* passkeys.remove(ada, id)
        assert.deepInclude(yield* factors.status(ada), { isDue: false, isWanted: false, recoveryCodes: 0 })
      })
    )

    rule("are due if an organization of the member demands them, and the last can't be removed", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const factors = yield* SecondFactors
        const passkeys = yield* Passkeys
        const org = yield* organization
        const [ada, stranger] = [yield* person("ada@example.com"), yield* person("stranger@example.com")]
        yield* organizations.join(org, ada, "read")
        yield* organizations.update(org, { requireSecondFactor: true })
        assert.deepInclude(yield* factors.status(ada), { isDue: true, isSetUp: false, demandedBy: ["Acme"] })
        assert.deepInclude(yield* factors.status(stranger), { isDue: false, demandedBy: [] })
        yield* enable(ada)
        assert.strictEqual(yield* outcome(factors.removeApp(ada)), "FactorDemanded")
        const { id } = yield* addPasskey(ada)
        yield* factors.removeApp(ada)
        assert.strictEqual(yield* outcome(passkeys.remove(ada, id)), "FactorDemanded")
        assert.deepInclude(yield* factors.status(ada), { app: "absent", recoveryCodes: 10, isDue: true })
        yield* organizations.update(org, { requireSecondFactor: false })
        assert.deepInclude(yield* factors.status(ada), { isDue: false })
      })
    )

    rule("are recorded in the audit log of the member's organizations", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const factors = yield* SecondFactors
        const org = yield* organization
        const ada = yield* person("ada@example.com")
        yield* organizations.join(org, ada, "read")
        const { codes } = yield* enable(ada)
        yield* factors.check(ada, texts(codes)[0]!)
        yield* factors.createRecoveryCodes(ada)
        yield* factors.removeApp(ada)
        assert.isFalse(yield* factors.reset(yield* person("bob@example.com")))
        yield* enable(ada)
        assert.isTrue(yield* factors.reset(ada))
        const log = yield* (yield* Storage).repository(AuditEventTable).list({ where: { organization: org } })
        assert.deepStrictEqual(
          log.filter(({ action }) => /factor|recovery/.test(action)).map(({ action, payload }) => [action, payload]),
          [
            ["second_factor_enabled", { type: "app" }],
            ["recovery_code_used", { remaining: 9 }],
            ["recovery_codes_created", {}],
            ["second_factor_disabled", { type: "app" }],
            ["second_factor_enabled", { type: "app" }],
            ["second_factor_disabled", { type: "all" }]
          ]
        )
      })
    )
  })
}
