/** Rules for merges by expressions. */
import type { SpaceMergeRules } from "@lectern/core/merge-rules/MergeRules"
import { Organizations } from "@lectern/core/organization/Organizations"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, type People, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

import { proposal, rules } from "./Proposal.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Expressions of rules for merges (${name})`, () => {
    const rule = ruleOn(services)

    rule("evaluate expressions over the change request, its reviews and the user who merges", () =>
      Effect.gen(function* () {
        const { people, space, cr, require, review, write, changeRequests } = yield* proposal
        const holds = Effect.fnUntraced(function* (expression: string, by: keyof People = "admin") {
          yield* require({ rule: "custom", expression })
          return (yield* changeRequests.get(space, cr).pipe(as(people[by]))).mergeable!.rules[0]!.passed
        })
        const approved = 'reviews.filter(r => r.status === "approved").length >= 2'
        const steps: ReadonlyArray<readonly [expression: string, passed: boolean, by?: keyof People]> = [
          [approved, false],
          ['changeRequest.subject.includes("More")', true],
          ['!changeRequest.subject.includes("[URGENT]") || !!changeRequest.description', true],
          ["!!changeRequest.description", false],
          ["changeRequest.description !== undefined", false],
          ["changeRequest.outdated", false],
          ["changeRequest.comments == 0 && changeRequest.number == 1", true],
          ['changeRequest.status === "open"', true],
          [`changeRequest.createdBy.id === "${people.edit}"`, true],
          ["changeRequest.createdBy.id === actor.id", false],
          ["changeRequest.createdBy.id === actor.id", true, "edit"],
          ['actor.email === "admin@example.com"', true],
          ['space.title == "Guide"', true],
          ["reviews.every(r => r.reviewer.id !== actor.id)", true]
        ]
        for (const [expression, passed, by] of steps)
          assert.strictEqual(yield* holds(expression, by), passed, expression)
        yield* changeRequests.update(space, cr, { description: { markdown: "Why" } })
        assert.isTrue(yield* holds("!!changeRequest.description"))
        yield* review("review")
        yield* review("create")
        assert.isTrue(yield* holds(approved))
        assert.isTrue(yield* holds(`reviews.some(r => r.reviewer.email === "review@example.com")`))
        // Reviews of an earlier revision do not count.
        yield* write("Later")
        assert.isFalse(yield* holds(approved))
        assert.isTrue(yield* holds("reviews.length === 0"))
      })
    )

    rule("say what an expression requires, and refuse one with a mistake when it is set", () =>
      Effect.gen(function* () {
        const { org, space, require, merge, changeRequests, cr, spaces } = yield* proposal
        yield* require({ rule: "custom", expression: "false" }, {
          rule: "custom",
          expression: "false",
          message: "It needs a ticket"
        })
        const { mergeable } = yield* changeRequests.get(space, cr)
        assert.deepStrictEqual(
          mergeable!.rules.map(({ message }) => message),
          ["The expression must be true: false", "It needs a ticket"]
        )
        assert.strictEqual(yield* outcome(merge), "MergeRulesUnmet")
        const mistaken = rules(
          { rule: "require_no_open_comments" },
          {
            rule: "custom",
            expression: "changeRequest.titel == 'x'"
          }
        ) as Exclude<SpaceMergeRules, { type: "inherit" }>
        for (const failure of [
          yield* Effect.flip(spaces.update(space, { mergeRules: mistaken })),
          yield* Effect.flip((yield* Organizations).update(org, { mergeRules: mistaken }))
        ]) {
          assert.deepInclude(failure, { _tag: "InvalidInput" })
          const [issue] = (failure as { readonly issues: ReadonlyArray<{ path: string; message: string }> }).issues
          assert.strictEqual(issue!.path, "body.mergeRules.rules[1].expression")
          assert.match(issue!.message, /^Expected one of `id`, .* not `titel` \(at character 15\)$/)
        }
      })
    )
  })
}
