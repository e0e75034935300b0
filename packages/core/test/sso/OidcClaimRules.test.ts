import { accept, acceptLogout, type ExpectedClaims } from "@lectern/core/sso/OidcClaimRules"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"

const now = Date.UTC(2026, 0, 1)
const seconds = now / 1000

const expected: ExpectedClaims = {
  issuer: "https://idp.example.com",
  clientID: "lectern",
  nonce: "nonce",
  emailDomains: [],
  emailVerifiedClaim: "email_verified",
  now
}

const claims = {
  iss: expected.issuer,
  aud: "lectern",
  nonce: "nonce",
  sub: "ada",
  iat: seconds,
  exp: seconds + 300,
  email: "ada@example.com",
  email_verified: true
}

const judge = (more: object = {}, rules: Partial<ExpectedClaims> = {}, userInfo?: object) => {
  const verified = { claims: { ...claims, ...more }, ...(userInfo && { userInfo: { ...userInfo } }) }
  const result = accept(verified, { ...expected, ...rules })
  return Result.isSuccess(result) ? result.success : result.failure.reason
}

describe("OidcClaimRules", () => {
  it("accept a person with a verified address", () => {
    assert.deepStrictEqual(judge({ name: " Ada \n Lovelace ", sid: "s" }), {
      email: "ada@example.com",
      subject: "ada",
      groups: [],
      name: "Ada Lovelace",
      session: "s"
    })
    assert.deepInclude(judge({ given_name: "Ada", family_name: "Lovelace" }) as object, { name: "Ada Lovelace" })
    assert.deepInclude(judge({ aud: ["lectern"] }) as object, { subject: "ada" })
    assert.deepInclude(judge({ aud: ["lectern", "x"], azp: "lectern" }) as object, { subject: "ada" })
  })

  const bad: ReadonlyArray<readonly [name: string, more: object, reason: string]> = [
    ["another issuer", { iss: "https://idp.example.com/" }, "issuer"],
    ["another audience", { aud: "x" }, "audience"],
    ["no audience", { aud: undefined }, "audience"],
    ["an audience for another party", { aud: ["lectern", "x"], azp: "x" }, "audience"],
    ["several audiences", { aud: ["lectern", "x"] }, "audience"],
    ["another nonce", { nonce: "x" }, "request"],
    ["no nonce", { nonce: undefined }, "request"],
    ["an end in the past", { exp: seconds - 60 }, "time"],
    ["no end", { exp: undefined }, "time"],
    ["an end that is no number", { exp: "later" }, "time"],
    ["a start in the future", { iat: seconds + 61 }, "time"],
    ["a later start", { nbf: seconds + 61 }, "time"],
    ["no subject", { sub: "" }, "person"],
    ["no address", { email: undefined }, "person"],
    ["an address that is none", { email: "ada" }, "person"],
    ["an address that is a list", { email: ["ada@example.com"] }, "person"],
    ["an unverified address", { email_verified: false }, "person"],
    ["an address that nobody verified", { email_verified: undefined }, "person"],
    ["another truth", { email_verified: {} }, "person"]
  ]
  it.each(bad)("refuse %s", (_name, more, reason) => {
    assert.strictEqual<unknown>(judge(more), reason)
  })

  it("believe only the source that verified the address", () => {
    const unverified = { email: "boss@example.com", email_verified: undefined }
    const userInfo = { sub: "ada", email: "ada@example.com", email_verified: true }
    assert.deepInclude(judge(unverified, {}, userInfo) as object, { email: "ada@example.com" })
    assert.strictEqual(judge(unverified, {}, { sub: "ada", email_verified: true }), "person")
    assert.strictEqual(judge({ email_verified: undefined }, {}, { email_verified: true }), "person")
  })

  it("read another claim of verification if it is named", () => {
    const rules = { emailVerifiedClaim: "xms_edov" }
    assert.strictEqual(judge({}, rules), "person")
    for (const value of [true, "true", 1, "1"]) {
      assert.deepInclude(judge({ xms_edov: value, email_verified: undefined }, rules) as object, { subject: "ada" })
    }
    for (const value of [false, "false", 0, "0", "yes"]) assert.strictEqual(judge({ xms_edov: value }, rules), "person")
  })

  it("accept only the domains that are listed", () => {
    assert.deepInclude(judge({}, { emailDomains: ["Example.com"] }) as object, { subject: "ada" })
    for (const domain of ["example.org", "ample.com", "com"]) {
      assert.strictEqual(judge({}, { emailDomains: [domain] }), "person")
    }
    assert.strictEqual(judge({ email: "ada@example.com@evil.example" }, { emailDomains: ["example.com"] }), "person")
  })

  it("read groups, and refuse a list that is elsewhere or too long", () => {
    const groups = (more: object, userInfo?: object) => {
      const result = judge(more, { groupsClaim: "groups" }, userInfo)
      return typeof result === "string" ? result : result.groups
    }
    assert.deepStrictEqual(groups({}), [])
    assert.deepStrictEqual(groups({ groups: ["a", "", "x".repeat(257), "b"] }), ["a", "b"])
    assert.deepStrictEqual(groups({ groups: "a" }), ["a"])
    assert.deepStrictEqual(groups({}, { groups: ["c"] }), ["c"])
    assert.strictEqual(groups({ _claim_names: { groups: "src1" } }), "groups")
    assert.strictEqual(groups({ groups: [{ name: "a" }] }), "groups")
    assert.strictEqual(groups({ groups: Array.from({ length: 1_001 }, String) }), "groups")
    assert.deepStrictEqual(groups({ _claim_names: "x" }), [])
  })

  const logout = {
    iss: expected.issuer,
    aud: "lectern",
    iat: seconds,
    jti: "1",
    sid: "s",
    events: { "http://schemas.openid.net/event/backchannel-logout": {} }
  }
  const judgeLogout = (more: object = {}) => {
    const result = acceptLogout({ ...logout, ...more }, expected)
    return Result.isSuccess(result) ? result.success : result.failure.reason
  }

  it("accept log-out tokens, and nothing that looks like one", () => {
    assert.deepStrictEqual(judgeLogout({ sub: "ada" }), { id: "1", subject: "ada", session: "s" })
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ iss: "x" }, "issuer"],
      [{ aud: "x" }, "audience"],
      [{ iat: undefined }, "time"],
      [{ iat: seconds - 361 }, "time"],
      [{ iat: seconds + 61 }, "time"],
      [{ exp: seconds - 60 }, "time"],
      [{ nonce: "nonce" }, "malformed"],
      [{ events: {} }, "malformed"],
      [{ events: undefined }, "malformed"],
      [{ events: "x" }, "malformed"],
      [{ jti: undefined }, "malformed"],
      [{ sid: undefined }, "malformed"],
      [{ sid: "x".repeat(257) }, "malformed"]
    ]
    for (const [more, reason] of cases) assert.strictEqual<unknown>(judgeLogout(more), reason, JSON.stringify(more))
  })
})
