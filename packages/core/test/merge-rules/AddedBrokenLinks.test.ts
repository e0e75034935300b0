/** The rule against broken links that a change request adds. */
import type { ChangeRequestId } from "@lectern/core/change-request/ChangeRequest"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

import { proposal, rules } from "./Proposal.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`The rule against broken links (${name})`, () => {
    const rule = ruleOn(services)

    rule("want no broken links that main does not have", () =>
      Effect.gen(function* () {
        const { org, people, changeRequests, contents, spaces } = yield* proposal
        const live = yield* LiveContents
        const { id: space } = yield* spaces.create(org, { title: "Links" })
        const gone = { markdown: "[Gone](/pages/gone)" }
        const first = yield* live.write(space, [
          { operation: "insert_page", title: "Start", document: gone },
          { operation: "insert_page", title: "Target", document: { markdown: "## Part\n\nText." } },
          { operation: "insert_page", title: "Last" }
        ])
        const [start, target, last] = first.changes.flatMap((one) =>
          one.object === "created_page" ? [one.page.id] : []
        )
        const onTarget = { markdown: `[All](/pages/${target}) and [part](/pages/${target}#part)` }
        yield* live.write(space, [{ operation: "update_page", page: last!, document: onTarget }])
        yield* spaces.update(space, { mergeRules: rules({ rule: "require_no_broken_links" }) })
        const opened = Effect.fnUntraced(function* (...changes: ReadonlyArray<ContentChange>) {
          const { id } = yield* changeRequests.create(space, {})
          yield* contents.write(space, id, changes)
          return id
        })
        const message = (id: ChangeRequestId) =>
          Effect.map(changeRequests.get(space, id), ({ mergeable }) => mergeable!.rules[0]!.message)
        const adds = (count: number) => `It must not add broken links, and it adds ${count}`
        const cases: ReadonlyArray<readonly [change: ContentChange, message: string]> = [
          [{ operation: "insert_page", title: "New" }, "It must not add broken links"],
          [{ operation: "insert_page", title: "New", document: onTarget }, "It must not add broken links"],
          // The page had the broken link before.
          [
            { operation: "update_page", page: start!, document: { markdown: `${gone.markdown}, still` } },
            "It must not add broken links"
          ],
          // Another page has the same broken link.
          [{ operation: "insert_page", title: "New", document: gone }, adds(1)],
          [
            {
              operation: "update_page",
              page: start!,
              document: { markdown: `${gone.markdown} [b](/pages/b) [c](c.md)` }
            },
            adds(2)
          ],
          // Links of other pages to a deleted page, and to a deleted heading.
          [{ operation: "delete_page", page: target! }, adds(2)],
          [{ operation: "update_page", page: target!, document: { markdown: "Text." } }, adds(1)],
          [
            { operation: "insert_page", title: "Out", document: { markdown: "[Out](https://example.com/gone)" } },
            "It must not add broken links"
          ]
        ]
        for (const [change, expected] of cases) {
          const id = yield* opened(change)
          assert.strictEqual(yield* message(id), expected, JSON.stringify(change))
          const merge = contents.merge(space, id).pipe(as(people.admin))
          if (expected !== "It must not add broken links") assert.strictEqual(yield* outcome(merge), "MergeRulesUnmet")
        }

        const before = (yield* spaces.get(space)).revision
        // A merge removes the target of a link that another change request adds.
        const removal = yield* opened(
          { operation: "update_page", page: last!, document: { markdown: "No links" } },
          { operation: "delete_page", page: target! }
        )
        const addition = yield* opened({ operation: "insert_page", title: "Also", document: onTarget })
        assert.deepStrictEqual(
          [yield* message(removal), yield* message(addition)],
          ["It must not add broken links", "It must not add broken links"]
        )
        const merges = [removal, addition].map((id) => outcome(contents.merge(space, id).pipe(as(people.admin))))
        assert.deepStrictEqual(yield* Effect.all(merges), ["ok", "MergeRulesUnmet"])
        const refusal = yield* Effect.flip(contents.merge(space, addition).pipe(as(people.admin)))
        assert.include(refusal.message, "update the change request")
        yield* contents.update(space, addition)
        assert.strictEqual(yield* message(addition), adds(2))
        // The response of a creation has the result, too.
        const reverted = yield* changeRequests.revert(space, before, {})
        assert.strictEqual(reverted.mergeable!.rules[0]!.message, "It must not add broken links")
      })
    )
  })
}
