/** Rules for merges: requirements, bypasses, and the check at the end of a merge. */
import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { Comments } from "@lectern/core/comment/Comments"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import type { SpaceMergeRules } from "@lectern/core/merge-rules/MergeRules"
import type { CheckState } from "@lectern/core/merge-check/MergeCheck"
import { MergeChecks } from "@lectern/core/merge-check/MergeChecks"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Spaces } from "@lectern/core/space/Spaces"
import { Teams } from "@lectern/core/team/Teams"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters, type Services } from "../Instances.ts"

import { proposal, rules } from "./Proposal.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Rules for merges (${name})`, () => {
    const rule = ruleOn(services)

    rule("are none by default, and a merge needs no review", () =>
      Effect.gen(function* () {
        const { org, space, cr, merge, changeRequests } = yield* proposal
        assert.deepStrictEqual((yield* (yield* Organizations).get(org)).mergeRules, { type: "none" })
        assert.deepStrictEqual((yield* (yield* Spaces).get(space)).mergeRules, { type: "inherit" })
        const expected = { allowed: true, canBypass: false, rules: [] }
        assert.deepStrictEqual((yield* changeRequests.get(space, cr)).mergeable, expected)
        assert.strictEqual((yield* merge).result, "merge")
        assert.notProperty(yield* changeRequests.get(space, cr), "mergeable")
      })
    )

    rule("of an organization apply to its spaces, unless a space has its own", () =>
      Effect.gen(function* () {
        const { org, space, merge, spaces } = yield* proposal
        const organizations = yield* Organizations
        const approval = rules({ rule: "require_at_least_one_approved_review" })
        yield* organizations.update(org, { mergeRules: approval as Exclude<SpaceMergeRules, { type: "inherit" }> })
        assert.strictEqual(yield* outcome(merge), "MergeRulesUnmet")
        yield* spaces.update(space, { mergeRules: { type: "none" } })
        yield* spaces.update(space, { mergeRules: { type: "inherit" } })
        assert.strictEqual(yield* outcome(merge), "MergeRulesUnmet")
        yield* spaces.update(space, { mergeRules: { type: "none" } })
        assert.strictEqual(yield* outcome(merge), "ok")
      })
    )

    rule("count approvals of the newest revision, by others than the authors", () =>
      Effect.gen(function* () {
        const { people, review, require, merge, states, write } = yield* proposal
        yield* require({ rule: "require_at_least_one_approved_review" }, { rule: "require_at_least_one_review" })
        assert.deepStrictEqual(yield* states, [false, false])
        yield* review("review", "changes-requested")
        assert.deepStrictEqual(yield* states, [false, true])
        yield* review("review")
        assert.deepStrictEqual(yield* states, [true, true])
        yield* write("Later")
        assert.deepStrictEqual(yield* states, [false, false])
        // A user who edits the change request is one of its authors.
        yield* write("Mine", people.review)
        yield* review("review")
        assert.deepStrictEqual(yield* states, [false, false])
        const refused = yield* Effect.flip(merge)
        assert.deepInclude(refused, {
          _tag: "MergeRulesUnmet",
          issues: [
            {
              path: "mergeRules.require_at_least_one_approved_review",
              message: "It needs an approval of its newest revision"
            },
            { path: "mergeRules.require_at_least_one_review", message: "It needs a review of its newest revision" }
          ]
        })
        yield* review("create")
        assert.strictEqual((yield* merge).result, "merge")
      })
    )

    rule("want a number of approvals, of a role or of teams", () =>
      Effect.gen(function* () {
        const { org, people, review, require, states } = yield* proposal
        const team = yield* (yield* Teams).create(org, { title: "Legal", members: [people.create] })
        yield* require({ rule: "require_approvals", count: 2 }, {
          rule: "require_approvals",
          count: 1,
          role: "create"
        }, { rule: "require_approvals", count: 1, teams: [team.id] })
        yield* review("review")
        assert.deepStrictEqual(yield* states, [false, false, false])
        yield* review("admin")
        assert.deepStrictEqual(yield* states, [true, true, false])
        yield* review("create")
        assert.deepStrictEqual(yield* states, [true, true, true])
      })
    )

    rule("name reviewers", () =>
      Effect.gen(function* () {
        const { people, review, require, states } = yield* proposal
        yield* require({ rule: "require_specific_reviewers", users: [people.review, people.create, people.edit] }, {
          rule: "require_one_of_specific_reviewers",
          users: [people.review, people.admin]
        }, { rule: "require_specific_reviewers", users: [people.edit] })
        yield* review("create")
        assert.deepStrictEqual(yield* states, [false, false, false])
        // The user `edit` is the author, so the review of the others is enough where there are others.
        yield* review("review")
        assert.deepStrictEqual(yield* states, [true, true, false])
      })
    )

    rule("want all reviews to approve, requested ones too", () =>
      Effect.gen(function* () {
        const { people, space, cr, review, require, states, reviews } = yield* proposal
        yield* require({ rule: "require_all_reviews_approved" })
        assert.deepStrictEqual(yield* states, [true])
        yield* reviews.request(space, cr, { users: [people.create] })
        assert.deepStrictEqual(yield* states, [false])
        yield* review("create")
        assert.deepStrictEqual(yield* states, [true])
        yield* review("review", "changes-requested")
        assert.deepStrictEqual(yield* states, [false])
      })
    )

    rule("want texts, resolved comments and the current content", () =>
      Effect.gen(function* () {
        const { people, space, cr, require, states, changeRequests, contents } = yield* proposal
        const comments = yield* Comments
        yield* changeRequests.update(space, cr, { subject: "" })
        yield* require({ rule: "require_change_request_subject" }, { rule: "require_change_request_description" }, {
          rule: "require_no_open_comments"
        }, { rule: "require_up_to_date_change_request" })
        const scope = { space, changeRequest: cr }
        const { id } = yield* comments.post(scope, { body: { markdown: "Why?" } }).pipe(as(people.review))
        assert.deepStrictEqual(yield* states, [false, false, false, true])
        yield* changeRequests.update(space, cr, { subject: "More", description: { markdown: "For **all**." } })
        yield* comments.update(scope, id, { resolved: true })
        yield* (yield* LiveContents).write(space, [{ operation: "insert_page", title: "Meanwhile" }])
        assert.deepStrictEqual(yield* states, [true, true, true, false])
        yield* contents.update(space, cr)
        assert.deepStrictEqual(yield* states, [true, true, true, true])
      })
    )

    rule("want checks that have passed on the newest revision", () =>
      Effect.gen(function* () {
        const { space, cr, require, write, merge, changeRequests } = yield* proposal
        const checks = yield* MergeChecks
        const set = (name: string, state: CheckState) => checks.set(space, cr, name, { state })
        const message = Effect.map(changeRequests.get(space, cr), ({ mergeable }) => mergeable!.rules[0]!.message)
        yield* require({ rule: "require_checks", checks: ["build", "links"] })
        assert.strictEqual(yield* message, "Its checks must pass: build is not set, links is not set")
        const steps: ReadonlyArray<readonly [step: Effect.Effect<unknown, unknown, Services>, message: string]> = [
          [set("build", "pending"), "Its checks must pass: build is pending, links is not set"],
          [set("other", "failed"), "Its checks must pass: build is pending, links is not set"],
          [set("build", "passed"), "Its checks must pass: links is not set"],
          [set("links", "failed"), "Its checks must pass: links is failed"],
          [set("links", "passed"), "Its checks must pass"],
          [write("Later"), "Its checks must pass: build is of an earlier revision, links is of an earlier revision"],
          [set("build", "passed"), "Its checks must pass: links is of an earlier revision"]
        ]
        for (const [step, expected] of steps) {
          yield* step
          assert.strictEqual(yield* message, expected)
        }
        assert.strictEqual(yield* outcome(merge), "MergeRulesUnmet")
        yield* set("links", "passed")
        assert.strictEqual(yield* outcome(merge), "ok")
      })
    )

    rule("let only the author merge", () =>
      Effect.gen(function* () {
        const { people, space, cr, require, contents, spaces } = yield* proposal
        yield* require({ rule: "require_author_to_merge" })
        yield* spaces.update(space, { defaultLevel: "review" })
        assert.strictEqual(yield* outcome(contents.merge(space, cr).pipe(as(people.review))), "MergeRulesUnmet")
        assert.strictEqual(yield* outcome(contents.merge(space, cr).pipe(as(people.edit))), "ok")
      })
    )

    rule("are bypassed by named users and the host, with a reason that the audit log records", () =>
      Effect.gen(function* () {
        const { org, people, space, cr, require, contents, changeRequests } = yield* proposal
        yield* require({ rule: "require_at_least_one_review" }, { rule: "allow_bypass", users: [people.review] })
        const bypass = { reason: "The release is today" }
        const merge = contents.merge(space, cr, { bypass })
        assert.strictEqual(yield* outcome(contents.merge(space, cr).pipe(as(people.review))), "MergeRulesUnmet")
        assert.strictEqual(yield* outcome(contents.merge(space, cr)), "MergeRulesUnmet")
        assert.strictEqual(yield* outcome(merge.pipe(as(people.admin))), "MergeRulesUnmet")
        const noReason = contents.merge(space, cr, { bypass: { reason: "" } }).pipe(as(people.review))
        assert.strictEqual(yield* outcome(noReason), "InvalidInput")
        const seen = Effect.map(changeRequests.get(space, cr), ({ mergeable }) => mergeable!.canBypass)
        assert.deepStrictEqual([yield* seen.pipe(as(people.review)), yield* seen.pipe(as(people.admin))], [true, false])
        assert.deepStrictEqual(yield* emitted(merge.pipe(as(people.review))), [
          "merge_rules_bypassed",
          "change_request_merged",
          "space_content_updated"
        ])
        const { items } = yield* (yield* AuditEvents).list(org, { action: "merge_rules_bypassed" })
        assert.lengthOf(items, 1)
        assert.deepInclude(items[0]!.actor, { type: "user", id: people.review })
        assert.include(JSON.stringify(items[0]), "The release is today")
      })
    )

    rule("leave direct edits to those who may bypass them, except the first content", () =>
      Effect.gen(function* () {
        const { org, people, require, space, spaces } = yield* proposal
        const live = yield* LiveContents
        yield* require({ rule: "require_at_least_one_review" }, { rule: "allow_bypass", users: [people.create] })
        const insert = live.write(space, [{ operation: "insert_page", title: "Direct" }])
        assert.deepStrictEqual(yield* outcomes(people, insert), {
          ok: "host create",
          SpaceLocked: "admin review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
        const { id: other } = yield* spaces.create(org, {})
        yield* spaces.update(other, { mergeRules: rules({ rule: "require_at_least_one_review" }) })
        const first = live.write(other, [{ operation: "insert_page", title: "First" }]).pipe(as(people.edit))
        assert.deepStrictEqual([yield* outcome(first), yield* outcome(first)], ["ok", "SpaceLocked"])
      })
    )

    rule("are set by administrators, for members and teams that exist", () =>
      Effect.gen(function* () {
        const { org, people, space, spaces } = yield* proposal
        const organizations = yield* Organizations
        const some = rules({ rule: "require_no_open_comments" }) as Exclude<SpaceMergeRules, { type: "inherit" }>
        assert.deepStrictEqual(yield* outcomes(people, spaces.update(space, { mergeRules: some })), {
          ok: "host admin",
          Forbidden: "create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
        assert.deepStrictEqual(yield* outcomes(people, organizations.update(org, { mergeRules: some })), {
          ok: "host admin",
          Forbidden: "create review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        assert.deepStrictEqual((yield* spaces.get(space).pipe(as(people.read))).mergeRules, some)
        const unknown = yield* Effect.flip(
          spaces.update(space, {
            mergeRules: rules(
              { rule: "require_specific_reviewers", users: [people.admin, people.outsider] },
              { rule: "require_approvals", count: 1, teams: ["gone"] }
            )
          })
        )
        assert.deepStrictEqual(unknown._tag === "InvalidInput" && unknown.issues.map(({ path }) => path), [
          "body.mergeRules.rules[0].users[1]",
          "body.mergeRules.rules[1].teams[0]"
        ])
      })
    )

    rule("count an approval or a check once: a merge that outdates another change request outdates its state", () =>
      Effect.gen(function* () {
        const { people, space, cr, require, changeRequests, contents, reviews } = yield* proposal
        const checks = yield* MergeChecks
        const other = yield* changeRequests.create(space, { subject: "Other", status: "open" }).pipe(as(people.edit))
        yield* contents.write(space, other.id, [{ operation: "insert_page", title: "Other" }]).pipe(as(people.edit))
        yield* require({ rule: "require_at_least_one_approved_review" }, {
          rule: "require_checks",
          checks: ["build"]
        }, { rule: "require_up_to_date_change_request" })
        for (const id of [cr, other.id]) {
          yield* reviews.submit(space, id, { status: "approved" }).pipe(as(people.review))
          yield* checks.set(space, id, "build", { state: "passed" }).pipe(as(people.review))
        }
        const results = yield* Effect.all(
          [cr, other.id].map((id) => outcome(contents.merge(space, id).pipe(as(people.admin)))),
          { concurrency: "unbounded" }
        )
        assert.sameMembers(results, ["ok", "MergeRulesUnmet"])
      })
    )
  })
}

it("are checked again at the end of a merge: a check that fails meanwhile prevents it", async () => {
  let onMerge = async (_: EmbeddedLectern): Promise<unknown> => undefined
  const lectern = await MemoryLectern.open({
    rerunBodies: true,
    background: false,
    logger: () => {},
    before: { merge: (_, handling) => onMerge(handling.lectern).then(() => undefined) }
  })
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
  await lectern.organizations.join(organization, ada, "admin")
  const { id: space } = await lectern.spaces.create(organization, {})
  await lectern.spaces.update(space, { mergeRules: rules({ rule: "require_checks", checks: ["build"] }) })
  const { id: cr } = await lectern.changeRequests.create(space, {})
  const { checks, content } = lectern.changeRequests
  const { revision } = await lectern.changeRequests.get(space, cr)
  await checks.set(space, cr, "build", { state: "passed" })
  onMerge = () => checks.set(space, cr, "build", { state: "failed" })
  const merge = () =>
    lectern
      .as(ada)
      .changeRequests.content.merge(space, cr)
      .then(
        () => "ok",
        ({ name }: Error) => name
      )
  assert.strictEqual(await merge(), "MergeRulesUnmet")
  await checks.set(space, cr, "build", { state: "passed" })
  onMerge = () => content.write(space, cr, [{ operation: "insert_page", title: "Later" }])
  assert.strictEqual(await merge(), "MergeRulesUnmet")
  assert.deepInclude(await lectern.changeRequests.get(space, cr), { status: "draft" })
  assert.notStrictEqual((await lectern.changeRequests.get(space, cr)).revision, revision)
  await lectern.close()
})
