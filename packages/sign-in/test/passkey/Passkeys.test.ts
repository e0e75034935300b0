/** Passkeys, with real signatures: adding, signing in, the second factor, and attacks on each. */
import { assert, describe } from "@effect/vitest"
import { Organizations } from "@lectern/core/organization/Organizations"
import { AuditEventTable } from "@lectern/core/audit/AuditEvent"
import { PasskeyChallengeUseTable, PasskeyTable } from "@lectern/core/sign-in/Passkey"
import { Storage } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { SecondFactors } from "@lectern/sign-in/factor/SecondFactors"
import { isGrowing, Passkeys } from "@lectern/sign-in/passkey/Passkeys"
import { passkeyDomain } from "@lectern/sign-in/passkey/PasskeyOptions"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { it } from "@effect/vitest"
import { ruleOn } from "../../../core/test/Actors.ts"
import { onEach } from "../../../core/test/Adapters.ts"
import { organization } from "../../../core/test/Instances.ts"
import { adapters } from "../Instances.ts"
import { certificateAttestation, type Forgery, SoftwareAuthenticator } from "../SoftwareAuthenticator.ts"

const browser = "secret of this browser"

const person = Effect.fnUntraced(function* (email: string) {
  return (yield* (yield* Users).create({ email, displayName: "Ada" })).id
})

const add = Effect.fnUntraced(function* (
  user: UserId,
  authenticator: SoftwareAuthenticator,
  forgery: Forgery = {},
  name = "Laptop"
) {
  const passkeys = yield* Passkeys
  const response = authenticator.create(yield* passkeys.creationOptions(user, browser), forgery)
  return yield* passkeys.create(user, { response, browser, name })
})

const signIn = Effect.fnUntraced(function* (authenticator: SoftwareAuthenticator, forgery: Forgery = {}) {
  const passkeys = yield* Passkeys
  const response = authenticator.get(yield* passkeys.requestOptions(browser), forgery)
  return yield* passkeys.verify({ response, browser })
})

const prove = Effect.fnUntraced(function* (user: UserId, authenticator: SoftwareAuthenticator, forgery: Forgery = {}) {
  const passkeys = yield* Passkeys
  const response = authenticator.get(yield* passkeys.requestOptions(browser, user), forgery)
  return yield* passkeys.verify({ response, browser, user })
})

/** Returns the reason of a refusal, the name of another error, or `ok`. */
const outcome = <A, R>(step: Effect.Effect<A, { readonly _tag: string; readonly reason?: string }, R>) =>
  Effect.match(step, { onSuccess: () => "ok", onFailure: ({ _tag, reason }) => reason ?? _tag })

for (const [name, services] of onEach(adapters)) {
  describe(`Passkeys (${name})`, () => {
    const rule = ruleOn(services)

    rule("sign in their owner without an address, and count as two factors", () =>
      Effect.gen(function* () {
        const [ada, bob] = [yield* person("ada@example.com"), yield* person("bob@example.com")]
        const [adas, bobs] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()]
        const passkey = yield* add(ada, adas)
        yield* add(bob, bobs)
        assert.deepStrictEqual(yield* signIn(adas), { user: ada, passkey: passkey.id, isPersonVerified: true })
        assert.strictEqual((yield* signIn(bobs)).user, bob)
      })
    )

    rule("are listed with their names and their last use", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const ada = yield* person("ada@example.com")
        const authenticator = new SoftwareAuthenticator()
        const first = yield* add(ada, authenticator)
        yield* TestClock.adjust("1 hour")
        const second = yield* add(ada, new SoftwareAuthenticator(), {}, "Key")
        assert.deepStrictEqual(
          (yield* passkeys.list(ada)).map(({ name, lastUsedAt }) => [name, lastUsedAt]),
          [
            ["Laptop", undefined],
            ["Key", undefined]
          ]
        )
        yield* signIn(authenticator)
        yield* passkeys.rename(ada, second.id, "Security key")
        assert.deepStrictEqual(
          (yield* passkeys.list(ada)).map(({ name, lastUsedAt, isSynced }) => [
            name,
            lastUsedAt !== undefined,
            isSynced
          ]),
          [
            ["Laptop", true, true],
            ["Security key", false, true]
          ]
        )
        assert.strictEqual(yield* outcome(passkeys.rename(ada, first.id, "")), "InvalidInput")
        assert.strictEqual(yield* outcome(passkeys.rename(ada, first.id, "a\nb")), "InvalidInput")
        yield* passkeys.remove(ada, first.id)
        assert.strictEqual(yield* outcome(signIn(authenticator)), "unknown")
        const [row] = yield* (yield* Storage).repository(PasskeyTable).list({ where: { user: ada } })
        assert.deepStrictEqual(row!.transports, ["hybrid", "internal"])
      })
    )

    rule("of other people can't be renamed or removed", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const [ada, bob] = [yield* person("ada@example.com"), yield* person("bob@example.com")]
        const { id } = yield* add(ada, new SoftwareAuthenticator())
        assert.strictEqual(yield* outcome(passkeys.rename(bob, id, "Mine")), "PasskeyNotFound")
        assert.strictEqual(yield* outcome(passkeys.remove(bob, id)), "PasskeyNotFound")
        assert.strictEqual(yield* outcome(passkeys.remove(bob, "x")), "PasskeyNotFound")
      })
    )

    rule("are at most 20", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const ada = yield* person("ada@example.com")
        const authenticator = new SoftwareAuthenticator()
        const late = authenticator.create(yield* passkeys.creationOptions(ada, browser))
        for (let i = 0; i < 20; i++) yield* add(ada, new SoftwareAuthenticator())
        assert.strictEqual(yield* outcome(add(ada, authenticator)), "TooManyPasskeys")
        assert.strictEqual(
          yield* outcome(passkeys.create(ada, { response: late, browser, name: "Late" })),
          "TooManyPasskeys"
        )
      })
    )

    rule("are refused when they are added by a forged response", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const [ada, bob] = [yield* person("ada@example.com"), yield* person("bob@example.com")]
        const other = (yield* passkeys.creationOptions(bob, browser)).challenge
        const signing = (yield* passkeys.requestOptions(browser)).challenge
        const table: ReadonlyArray<readonly [string, Forgery]> = [
          ["verification", { origin: "https://evil.example" }],
          ["verification", { origin: "http://localhost:4001" }],
          ["verification", { origin: "https://localhost:4000" }],
          ["verification", { domain: "evil.example" }],
          ["verification", { type: "webauthn.get" }],
          ["verification", { crossOrigin: true }],
          ["verification", { isPersonVerified: false }],
          ["verification", { isPersonPresent: false }],
          ["verification", { attestation: certificateAttestation(Buffer.alloc(300)) }],
          ["challenge", { challenge: Buffer.from("1234567890123456").toString("base64url") }],
          // Challenges for another person and for another purpose.
          ["challenge", { challenge: other }],
          ["challenge", { challenge: signing }],
          ["malformed", { challenge: "" }],
          ["ok", {}]
        ]
        for (const [expected, forgery] of table) {
          const result = yield* outcome(add(ada, new SoftwareAuthenticator(), forgery))
          assert.strictEqual(result, expected, JSON.stringify(forgery).slice(0, 100))
        }
        assert.lengthOf(yield* passkeys.list(ada), 1)
      })
    )

    rule("are refused when they sign in with a forged response", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const [ada, bob] = [yield* person("ada@example.com"), yield* person("bob@example.com")]
        const authenticator = new SoftwareAuthenticator()
        yield* add(ada, authenticator)
        const creating = (yield* passkeys.creationOptions(ada, browser)).challenge
        const proving = (yield* passkeys.requestOptions(browser, ada)).challenge
        const table: ReadonlyArray<readonly [string, Forgery]> = [
          ["verification", { origin: "https://evil.example" }],
          ["verification", { origin: "http://localhost.evil.example:4000" }],
          ["verification", { domain: "evil.example" }],
          ["verification", { type: "webauthn.create" }],
          ["verification", { crossOrigin: true }],
          ["verification", { otherKey: true }],
          // A passkey that is the only factor has to verify the person.
          ["verification", { isPersonVerified: false }],
          ["verification", { isPersonPresent: false }],
          ["challenge", { challenge: creating }],
          ["challenge", { challenge: proving }],
          ["person", { userHandle: Buffer.from(bob).toString("base64url") }],
          ["ok", {}]
        ]
        for (const [expected, forgery] of table) {
          assert.strictEqual(yield* outcome(signIn(authenticator, forgery)), expected, JSON.stringify(forgery))
        }
        assert.strictEqual(yield* outcome(signIn(authenticator, {})), "ok")
      })
    )

    rule("answer a challenge once, in its browser, within 10 minutes", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const ada = yield* person("ada@example.com")
        const authenticator = new SoftwareAuthenticator()
        const options = yield* passkeys.creationOptions(ada, browser)
        const created = { response: authenticator.create(options), browser, name: "Laptop" }
        yield* passkeys.create(ada, created)
        assert.strictEqual(yield* outcome(passkeys.create(ada, created)), "used")
        const again = { response: new SoftwareAuthenticator().create(options), browser, name: "Other" }
        assert.strictEqual(yield* outcome(passkeys.create(ada, again)), "used")

        const response = authenticator.get(yield* passkeys.requestOptions(browser))
        assert.strictEqual(yield* outcome(passkeys.verify({ response, browser: "another browser" })), "browser")
        assert.strictEqual(yield* outcome(passkeys.verify({ response, browser, user: ada })), "challenge")
        assert.strictEqual(yield* outcome(passkeys.verify({ response, browser })), "ok")
        assert.strictEqual(yield* outcome(passkeys.verify({ response, browser })), "used")

        const slow = yield* passkeys.requestOptions(browser)
        yield* TestClock.adjust("601 seconds")
        assert.strictEqual(yield* outcome(passkeys.verify({ response: authenticator.get(slow), browser })), "expired")
        assert.strictEqual(yield* (yield* Storage).repository(PasskeyChallengeUseTable).count({}), 2)
      })
    )

    rule("that may have been copied are refused", () =>
      Effect.gen(function* () {
        const ada = yield* person("ada@example.com")
        const authenticator = new SoftwareAuthenticator()
        yield* add(ada, authenticator)
        assert.strictEqual(yield* outcome(signIn(authenticator, { counter: 5 })), "ok")
        for (const counter of [5, 4, 0]) {
          assert.strictEqual(yield* outcome(signIn(authenticator, { counter })), "counter", `${counter}`)
        }
        assert.strictEqual(yield* outcome(signIn(authenticator, { counter: 6 })), "ok")
      })
    )

    rule("prove a second factor for their owner only, without a PIN", () =>
      Effect.gen(function* () {
        const [ada, bob] = [yield* person("ada@example.com"), yield* person("bob@example.com")]
        const [adas, bobs] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()]
        yield* add(ada, adas)
        yield* add(bob, bobs)
        assert.strictEqual(yield* outcome(prove(ada, bobs)), "person")
        assert.isFalse((yield* prove(ada, adas, { isPersonVerified: false })).isPersonVerified)
        const options = yield* (yield* Passkeys).requestOptions(browser, ada)
        assert.deepStrictEqual(
          options.allowCredentials.map(({ id }) => id),
          adas.passkeys.map(({ id }) => id)
        )
        assert.deepStrictEqual((yield* (yield* Passkeys).requestOptions(browser)).allowCredentials, [])
      })
    )

    rule("can't be removed if an organization demands a factor and it is the last one", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const passkeys = yield* Passkeys
        const org = yield* organization
        const ada = yield* person("ada@example.com")
        yield* organizations.join(org, ada, "read")
        const [first, second] = [
          yield* add(ada, new SoftwareAuthenticator()),
          yield* add(ada, new SoftwareAuthenticator())
        ]
        yield* organizations.update(org, { requireSecondFactor: true })
        yield* passkeys.remove(ada, first.id)
        assert.strictEqual(yield* outcome(passkeys.remove(ada, second.id)), "FactorDemanded")
        yield* organizations.update(org, { requireSecondFactor: false })
        yield* passkeys.remove(ada, second.id)
        const log = yield* (yield* Storage).repository(AuditEventTable).list({ where: { organization: org } })
        assert.deepStrictEqual(
          log.filter(({ target }) => target.id === ada && target.type === "user").map(({ action }) => action),
          ["member_joined", "passkey_created", "passkey_created", "passkey_removed", "passkey_removed"]
        )
      })
    )

    rule("end with the operator's reset", () =>
      Effect.gen(function* () {
        const ada = yield* person("ada@example.com")
        const authenticator = new SoftwareAuthenticator()
        yield* add(ada, authenticator)
        assert.isTrue(yield* (yield* SecondFactors).reset(ada))
        assert.strictEqual(yield* outcome(signIn(authenticator)), "unknown")
      })
    )

    rule("are refused for anything that no browser sends", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const ada = yield* person("ada@example.com")
        const honest = JSON.parse(new SoftwareAuthenticator().create(yield* passkeys.creationOptions(ada, browser)))
        const withResponse = (more: object) => ({ ...honest, response: { ...honest.response, ...more } })
        const responses = [
          "",
          "null",
          "{",
          "[]",
          JSON.stringify({ ...honest, id: "" }),
          JSON.stringify({ ...honest, id: "é" }),
          JSON.stringify({ ...honest, id: "a".repeat(2000) }),
          JSON.stringify({ ...honest, type: "password" }),
          JSON.stringify(withResponse({ clientDataJSON: 1 })),
          JSON.stringify(withResponse({ clientDataJSON: "AAAA" })),
          JSON.stringify(withResponse({ clientDataJSON: Buffer.from("null").toString("base64url") })),
          JSON.stringify(withResponse({ attestationObject: "A".repeat(40_000) })),
          " ".repeat(100_000)
        ]
        for (const response of responses) {
          const made = yield* outcome(passkeys.create(ada, { response, browser, name: "x" }))
          assert.strictEqual(made, "malformed", response.slice(0, 80))
          assert.strictEqual(yield* outcome(passkeys.verify({ response, browser })), "malformed")
        }
        // Random bytes where an attestation belongs.
        for (const attestationObject of ["AAAA", "oA", "_____w", "v2"]) {
          const response = JSON.stringify(withResponse({ attestationObject }))
          assert.strictEqual(yield* outcome(passkeys.create(ada, { response, browser, name: "x" })), "verification")
        }
      })
    )
  })
}

describe("A counter", () => {
  it("grows, or is not used", () => {
    for (const [stored, received, expected] of [
      [0, 0, true],
      [0, 1, true],
      [1, 2, true],
      [1, 1, false],
      [2, 1, false],
      [1, 0, false]
    ] as const) {
      assert.strictEqual(isGrowing(stored, received), expected, `${stored} ${received}`)
    }
  })
})

describe("The domain of passkeys", () => {
  it("is that of the public URL, where browsers allow passkeys", () => {
    for (const [url, domain] of [
      ["https://docs.example.com", "docs.example.com"],
      ["https://docs.example.com:8443/", "docs.example.com"],
      ["http://localhost:4000", "localhost"],
      ["http://docs.localhost:4000", "docs.localhost"],
      ["http://docs.example.com", undefined],
      ["http://127.0.0.1:4000", undefined],
      ["https://192.0.2.1", undefined],
      ["https://[2001:db8::1]", undefined]
    ] as const) {
      assert.strictEqual(passkeyDomain(url), domain, url)
    }
  })
})
