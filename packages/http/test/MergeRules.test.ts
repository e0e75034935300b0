/** Rules for merges over HTTP: how clients set them, read them, and learn what is missing. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onMemory } from "./Harness.ts"
import { createSpace } from "./Steps.ts"

onMemory("Rules for merges", (it) => {
  it.effect("refuse a merge with the list of what is missing, and take a reason to bypass them", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id } = yield* createSpace({ title: "Guide" })
      const space = `/v1/spaces/${id}`
      const json = (response: { readonly text: string }) => JSON.parse(response.text)
      const mergeRules = {
        type: "rules",
        rules: [
          { rule: "require_at_least_one_review" },
          { rule: "require_change_request_subject" },
          { rule: "allow_bypass", users: [users.admin] }
        ]
      }
      assert.deepInclude(json(yield* call("admin", "PATCH", space, { mergeRules }).pipe(has(200))), { mergeRules })
      const made = json(yield* call("edit", "POST", `${space}/change-requests`, {}).pipe(has(201)))
      const at = `${space}/change-requests/${made.id}`
      assert.deepStrictEqual(json(yield* call("admin", "GET", at).pipe(has(200))).mergeable, {
        allowed: false,
        canBypass: true,
        rules: [
          {
            rule: "require_at_least_one_review",
            passed: false,
            message: "It needs a review of its newest revision"
          },
          { rule: "require_change_request_subject", passed: false, message: "It needs a subject" }
        ]
      })
      const refused = json(yield* call("admin", "POST", `${at}/merge`).pipe(has(409)))
      assert.deepStrictEqual(refused, {
        error: {
          code: 409,
          message:
            "The change request can't be merged yet: It needs a review of its newest revision; It needs a subject",
          issues: [
            {
              path: "mergeRules.require_at_least_one_review",
              message: "It needs a review of its newest revision"
            },
            { path: "mergeRules.require_change_request_subject", message: "It needs a subject" }
          ]
        }
      })
      assert.strictEqual(json(yield* call("admin", "GET", at).pipe(has(200))).status, "draft")
      const bypass = { reason: "The release is today" }
      yield* call("review", "POST", `${at}/merge`, { bypass }).pipe(has(409))
      const merged = json(yield* call("admin", "POST", `${at}/merge`, { bypass }).pipe(has(200)))
      assert.strictEqual(merged.result, "merge")
    })
  )

  it.effect("take the rules that the hosted service does not have, on a space and on an organization", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id } = yield* createSpace({ title: "Guide" })
      const rules = [
        { rule: "require_approvals", count: 2, role: "review" },
        { rule: "require_no_open_comments" },
        { rule: "require_no_broken_links" },
        { rule: "require_checks", checks: ["build"] }
      ]
      const mergeRules = { type: "rules", rules }
      for (const path of [`/v1/spaces/${id}`, `/v1/orgs/${organization}`]) {
        const response = yield* call("admin", "PATCH", path, { mergeRules }).pipe(has(200))
        assert.deepStrictEqual(JSON.parse(response.text).mergeRules, mergeRules)
      }
    })
  )

  it.effect("are checked before they are set", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace({ title: "Guide" })
      const set = (rules: ReadonlyArray<unknown>) =>
        call("admin", "PATCH", `/v1/spaces/${id}`, { mergeRules: { type: "rules", rules } })
      yield* set([]).pipe(has(400))
      yield* set([{ rule: "require_magic" }]).pipe(has(400))
      yield* set([{ rule: "require_approvals", count: 0 }]).pipe(has(400))
      yield* set([{ rule: "require_checks", checks: [] }]).pipe(has(400))
      yield* set([{ rule: "require_checks", checks: ["build", "build"] }]).pipe(has(400))
      yield* set([{ rule: "custom", expression: "" }]).pipe(has(400))
      yield* set([{ rule: "custom", expression: "x".repeat(1025) }]).pipe(has(400))
      const mistake = yield* set([{ rule: "custom", expression: "reviews.filter(r => r.approved)" }]).pipe(has(400))
      assert.include(mistake.text, "mergeRules.rules[0].expression")
      assert.include(mistake.text, "not `approved` (at character 23)")
      yield* set([{ rule: "custom", expression: "reviews.length > 0", message: "It needs a review" }]).pipe(has(200))
      yield* set([{ rule: "require_specific_reviewers", users: ["nobody"] }]).pipe(has(400))
      yield* set(Array.from({ length: 21 }, () => ({ rule: "require_change_request_subject" }))).pipe(has(400))
    })
  )
})
