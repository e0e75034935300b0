import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Claim, Lease } from "@lectern/core/job/Lease"
import type { MailRow, MailStatus } from "@lectern/core/mail/Mail"
import { type MailEvent, next } from "@lectern/core/mail/MailState"
import type { Timestamp } from "@lectern/core/schema/Text"
import * as Timestamps from "@lectern/core/schema/Timestamps"

const now = Timestamps.at(1_000_000)
const earlier = Timestamps.at(999_999)
const later = Timestamps.at(1_000_001)

type State = Pick<MailRow, "status" | "attempts" | "lease" | "expiresAt">

const claim: Claim = { holder: "me", number: 1 }
const free = (until: Timestamp): Lease => ({ number: 1, until })
const held = (until: Timestamp): Lease => ({ ...claim, until })

const states = {
  waiting: { status: "waiting", attempts: 0, lease: free(earlier), expiresAt: later },
  early: { status: "waiting", attempts: 0, lease: free(later), expiresAt: later },
  late: { status: "waiting", attempts: 1, lease: free(earlier), expiresAt: earlier },
  running: { status: "waiting", attempts: 1, lease: held(later), expiresAt: later },
  lastAttempt: { status: "waiting", attempts: 1, lease: held(later), expiresAt: earlier },
  abandoned: { status: "waiting", attempts: 1, lease: held(earlier), expiresAt: later },
  stolen: { status: "waiting", attempts: 2, lease: { holder: "me", number: 2, until: later }, expiresAt: later },
  sent: { status: "sent", attempts: 1, lease: free(earlier), expiresAt: later },
  dropped: { status: "dropped", attempts: 1, lease: free(earlier), expiresAt: later },
  failed: { status: "failed", attempts: 3, lease: free(earlier), expiresAt: earlier }
} satisfies Record<string, State>

const events = {
  claim: { type: "claim", now, holder: "me", duration: 100, recipient: "ada@example.com" },
  sent: { type: "sent", now, claim },
  drop: { type: "drop", now, claim },
  fail: { type: "fail", now, claim, reason: "no", isPermanent: false },
  refuse: { type: "fail", now, claim, reason: "no", isPermanent: true },
  release: { type: "release", now, claim },
  postpone: { type: "postpone", now, until: later, reason: "limit" },
  retry: { type: "retry", now }
} satisfies Record<string, MailEvent>

const ofHolder = {
  sent: ["sent", 1],
  drop: ["dropped", 1],
  fail: ["waiting", 1],
  refuse: ["failed", 1],
  release: ["waiting", 0]
} as const

/** Status and number of attempts after each event. Missing events are refused. */
const table: Record<keyof typeof states, Partial<Record<keyof typeof events, readonly [MailStatus, number]>>> = {
  waiting: { claim: ["waiting", 1], postpone: ["waiting", 0] },
  early: {},
  late: { claim: ["waiting", 2], postpone: ["failed", 1], retry: ["waiting", 0] },
  running: ofHolder,
  lastAttempt: { ...ofHolder, fail: ["failed", 1] },
  abandoned: { ...ofHolder, claim: ["waiting", 2], postpone: ["waiting", 1] },
  stolen: {},
  sent: {},
  dropped: {},
  failed: { retry: ["waiting", 0] }
}

describe("A mail", () => {
  for (const [name, state] of Object.entries(states) as ReadonlyArray<[keyof typeof states, State]>) {
    for (const [type, event] of Object.entries(events) as ReadonlyArray<[keyof typeof events, MailEvent]>) {
      const expected = table[name][type]
      it(`that is ${name}: ${type} ${expected === undefined ? "is refused" : `leads to ${expected.join(", ")}`}`, () => {
        const result = next(state, event)
        if (expected === undefined) return assert.isTrue(Result.isFailure(result))
        assert.isTrue(Result.isSuccess(result))
        const after = { ...state, ...(Result.isSuccess(result) ? result.success : {}) }
        assert.deepStrictEqual([after.status, after.attempts], [...expected])
        if (after.status !== "waiting") assert.isUndefined(after.lease?.holder)
      })
    }
  }

  it("keeps no payload once it ended well", () => {
    for (const type of ["sent", "drop"] as const) {
      const result = next(states.running, events[type])
      assert.isTrue(Result.isSuccess(result) && "payload" in result.success && result.success.payload === undefined)
    }
  })
})
