import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { RevisionId } from "@lectern/core/content/revisions/Revision"
import { maxChecks } from "@lectern/core/merge-check/CheckName"
import type { CheckState } from "@lectern/core/merge-check/MergeCheck"
import { MergeChecks } from "@lectern/core/merge-check/MergeChecks"
import { Users } from "@lectern/core/user/Users"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, discussion } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

/** Creates a change request. Returns it with functions that set its checks and edit it. */
const checked = Effect.gen(function* () {
  const { people, space, cr } = yield* discussion()
  const checks = yield* MergeChecks
  const changeRequests = yield* ChangeRequests
  const contents = yield* ChangeRequestContents
  const set = (name: string, state: CheckState, revision?: RevisionId) =>
    checks.set(space, cr, name, { state, ...(revision !== undefined && { revision }) })
  const write = (title: string) => contents.write(space, cr, [{ operation: "insert_page", title }])
  const revision = Effect.map(changeRequests.get(space, cr), (one) => one.revision)
  const states = Effect.map(checks.list(space, cr, {}), ({ items }) =>
    items.map(({ name, state, outdated }) => [name, state, outdated])
  )
  return { people, space, cr, checks, changeRequests, contents, set, write, revision, states }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Checks of change requests (${name})`, () => {
    const rule = ruleOn(services)

    rule("have one result for each name, which an edit outdates", () =>
      Effect.gen(function* () {
        const { people, space, cr, checks, set, states, write, revision } = yield* checked
        yield* set("links", "pending")
        yield* set("build", "failed")
        assert.deepStrictEqual(yield* states, [
          ["build", "failed", false],
          ["links", "pending", false]
        ])
        yield* write("Page")
        assert.deepStrictEqual(yield* states, [
          ["build", "failed", true],
          ["links", "pending", true]
        ])
        const details = {
          state: "passed",
          url: "https://ci.example.com/1",
          text: "All links work.\n3 were read."
        } as const
        const full = yield* checks.set(space, cr, "links", details).pipe(as(people.admin))
        assert.deepInclude(full, { ...details, object: "change-request-check", name: "links", outdated: false })
        assert.deepInclude(full, { revision: yield* revision })
        assert.strictEqual(full.updatedBy.id, people.admin)
        const bare = yield* set("links", "passed")
        assert.notProperty(bare, "url")
        assert.notProperty(bare, "text")
        assert.strictEqual(bare.updatedBy.id, "host")
        assert.deepStrictEqual(yield* states, [
          ["build", "failed", true],
          ["links", "passed", false]
        ])
      })
    )

    rule("keep a result for the newest revision if one for an earlier revision comes late", () =>
      Effect.gen(function* () {
        const { set, states, write, revision } = yield* checked
        const first = yield* revision
        yield* write("Second")
        const second = yield* revision
        yield* set("build", "passed", first)
        assert.deepStrictEqual(yield* states, [["build", "passed", true]])
        yield* set("build", "pending", second)
        const late = yield* set("build", "passed", first)
        assert.deepInclude(late, { state: "pending", revision: second, outdated: false })
        yield* write("Third")
        // Two outdated results: the later call counts.
        yield* set("build", "failed", first)
        assert.deepStrictEqual(yield* states, [["build", "failed", true]])
        assert.strictEqual(yield* outcome(set("build", "passed", RevisionId.make("none"))), "RevisionNotFound")
      })
    )

    rule("are set and removed with the role `review`, and read by members", () =>
      Effect.gen(function* () {
        const { people, space, cr, checks } = yield* checked
        const by = { ...people, outsider: (yield* (yield* Users).create({ email: "outsider@example.com" })).id }
        for (const operation of [
          checks.set(space, cr, "build", { state: "passed" }),
          checks.remove(space, cr, "build")
        ]) {
          assert.deepStrictEqual(yield* outcomes(by, operation), {
            ok: "host admin review",
            Forbidden: "edit comment second read",
            SpaceNotFound: "outsider"
          })
        }
        assert.deepStrictEqual(yield* outcomes(by, checks.list(space, cr, {})), {
          ok: "host admin review edit comment second read",
          SpaceNotFound: "outsider"
        })
        assert.strictEqual(yield* outcome(checks.list(space, "99", {})), "ChangeRequestNotFound")
      })
    )

    rule("emit an event for each new result, and none if nothing changes", () =>
      Effect.gen(function* () {
        const { space, cr, checks, set } = yield* checked
        assert.deepStrictEqual(yield* emitted(set("build", "pending")), ["change_request_check_updated"])
        const before = yield* set("build", "passed")
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* emitted(set("build", "passed")), [])
        assert.deepStrictEqual(yield* set("build", "passed"), before)
        const remove = checks.remove(space, cr, "build")
        assert.deepStrictEqual(yield* emitted(remove), ["change_request_check_removed"])
        assert.deepStrictEqual(yield* emitted(remove), [])
      })
    )

    rule("belong to change requests that can still be merged", () =>
      Effect.gen(function* () {
        const { space, cr, checks, changeRequests, contents, set, states } = yield* checked
        yield* set("build", "passed")
        const both = Effect.all([outcome(set("build", "failed")), outcome(checks.remove(space, cr, "build"))])
        yield* changeRequests.update(space, cr, { status: "archived" })
        assert.deepStrictEqual(yield* both, ["ChangeRequestConflict", "ChangeRequestConflict"])
        yield* changeRequests.update(space, cr, { status: "open" })
        yield* contents.merge(space, cr)
        assert.deepStrictEqual(yield* both, ["ChangeRequestConflict", "ChangeRequestConflict"])
        assert.deepStrictEqual(yield* states, [["build", "passed", false]])
      })
    )

    rule("are limited in number and size", () =>
      Effect.gen(function* () {
        const { space, cr, checks, set } = yield* checked
        for (let i = 0; i < maxChecks; i++) yield* set(`check ${i}`, "passed")
        assert.strictEqual(yield* outcome(set("one more", "passed")), "TooManyChecks")
        assert.strictEqual(yield* outcome(set("check 7", "failed")), "ok")
        const page = yield* checks.list(space, cr, { limit: 20 })
        assert.deepStrictEqual([page.count, page.items.length], [maxChecks, 20])
        const rest = yield* checks.list(space, cr, { limit: 100, page: page.next!.page })
        assert.strictEqual(rest.items.length, 30)
        for (const invalid of ["", " x", "x".repeat(101), "two\nlines"]) {
          assert.strictEqual(yield* outcome(set(invalid, "passed")), "InvalidInput", invalid)
        }
        for (const input of [
          { text: "" },
          { text: "x".repeat(1001) },
          { url: "javascript:alert(1)" },
          { url: `https://example.com/${"x".repeat(2048)}` },
          { state: "green" as "passed" }
        ]) {
          const invalid = checks.set(space, cr, "check 1", { state: "passed", ...input })
          assert.strictEqual(yield* outcome(invalid), "InvalidInput", JSON.stringify(input).slice(0, 50))
        }
      })
    )
  })
}
