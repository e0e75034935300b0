import { assert, describe, it } from "@effect/vitest"
import * as LinkRequests from "@lectern/core/link-check/LinkRequests"

const now = Date.UTC(2026, 0, 1)
const minute = 60_000

describe("what an answer says of a URL", () => {
  it("is that it is gone only where the host says so", () => {
    for (let status = 100; status < 600; status++) {
      const { isMissing: gone, outcome: answer } = LinkRequests.ofStatus({ status }, now)
      assert.strictEqual(gone, status === 404 || status === 410, String(status))
      assert.strictEqual(answer, String(status))
    }
    for (const reason of ["refused", "timeout", "too-large", "status", "unknown-host", "failed"] as const) {
      assert.strictEqual(LinkRequests.ofFailure(reason).isMissing, reason === "unknown-host", reason)
    }
  })

  it("leaves alone for an hour what does not answer", () => {
    assert.deepStrictEqual(LinkRequests.ofFailure("timeout"), {
      isMissing: false,
      outcome: "timeout",
      retryAfterMillis: 60 * minute
    })
    assert.notProperty(LinkRequests.ofFailure("failed"), "rest")
  })

  it.each([
    [429, undefined, 60 * minute],
    [429, "120", 2 * minute],
    [429, " 120 ", 2 * minute],
    [429, "0", minute],
    [429, "999999999999999999999", 24 * 60 * minute],
    [429, "-5", minute],
    [429, "soon", 60 * minute],
    [429, "", 60 * minute],
    [429, new Date(now + 10 * minute).toUTCString(), 10 * minute],
    [429, new Date(now - 10 * minute).toUTCString(), minute],
    [503, "120", 2 * minute],
    [503, undefined, undefined],
    [404, "120", undefined],
    [200, "120", undefined]
  ] as const)("of %i with Retry-After %s is a rest of %s ms", (status, retryAfter, rest) => {
    const answer = LinkRequests.ofStatus({ status, ...(retryAfter !== undefined && { retryAfter }) }, now)
    assert.strictEqual(answer.retryAfterMillis, rest)
    assert.strictEqual(answer.isPostponed, rest === undefined ? undefined : true)
  })
})
