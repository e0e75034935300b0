/** Unusual ways of space and branch: copies, revisions that are not the space's, and one side that wins. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { belowTitle } from "../../../packages/core/test/content/BelowTitle.ts"
import { answers, Harness, has, onEachAdapter, refused } from "../../../packages/http/test/Harness.ts"
import * as Shapes from "../../../packages/http/test/Shapes.ts"
import { createSpace, insertPage, publish, spaceWith } from "../../../packages/http/test/Steps.ts"
import {
  edit,
  fails,
  hasGit,
  importedSpace,
  outside,
  pagesOf,
  repository,
  revisionOf,
  small,
  succeeds,
  summary,
  titlesOf
} from "./GitSteps.ts"

const Space = Schema.Struct({ revision: Shapes.Id, gitSync: Schema.Any })

describe.skipIf(!hasGit)("Repositories beside the usual way", () => {
  onEachAdapter(
    "Git",
    (it) => {
      it.effect("adds to a repository what it is asked to copy there, and remembers nothing of it", () =>
        Effect.gen(function* () {
          const { url, server } = yield* repository(small)
          const { space } = yield* spaceWith({ Other: "Text." })
          const state = yield* succeeds(space, "export", url, { standalone: true })
          assert.notProperty(state, "commit")
          assert.hasAllKeys(server.files("docs.git"), ["README.md", "SUMMARY.md", "guide.md", "other.md"])
          yield* succeeds(space, "export", url, { standalone: true })
          assert.strictEqual(server.git("docs.git", ["rev-list", "--count", "main"]).trim(), "2")
        })
      )

      it.effect("makes a revision of a branch, and leaves the space as it is", () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { server, url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          const { commit, operation: first } = yield* succeeds(space, "import", url)
          yield* publish(space, [insertPage("Local", "Only here.")])
          const before = yield* call("admin", "GET", `/v1/spaces/${space}`).pipe(answers(200, Space))
          assert.notStrictEqual(first.revision, before.revision)

          const head = server.commit(
            "docs.git",
            {
              ...small,
              "guide.md": "# Guide\n\nProposed.\n",
              "new.md": "# New\n\nNew.\n",
              "SUMMARY.md": `${summary}* [New](new.md)\n`
            },
            { branch: "proposal", message: "Propose" }
          )
          const proposal = { standalone: true, ref: "refs/heads/proposal" }
          // What is live does not change, so a locked space is no obstacle.
          yield* call("admin", "PATCH", `/v1/spaces/${space}`, { editMode: "locked" }).pipe(has(200))
          const { operation } = yield* succeeds(space, "import", url, proposal)
          const shown = yield* call("admin", "GET", `/v1/spaces/${space}/revisions/${operation.revision}`).pipe(
            answers(
              200,
              Schema.Struct({ parents: Schema.Array(Shapes.Id), git: Schema.Any, pages: Schema.Array(Schema.Any) })
            )
          )
          assert.deepStrictEqual(shown.parents, [before.revision])
          assert.deepInclude(shown.git, { oid: head, message: "Propose\n", ref: "refs/heads/proposal" })
          assert.deepStrictEqual(
            shown.pages.map(({ title }) => title),
            ["Home", "Guide", "Local", "New"]
          )
          // Pages are the space's own, so that both can be compared.
          const guide = (yield* pagesOf(space)).find(({ title }) => title === "Guide")
          const proposed = shown.pages.find(({ title }) => title === "Guide")
          assert.strictEqual(proposed.id, guide.id)
          const Page = Schema.Struct({ markdown: Schema.String })
          const at = `/v1/spaces/${space}/revisions/${operation.revision}/page/${guide.id}`
          assert.strictEqual(
            (yield* call("read", "GET", at).pipe(answers(200, Page))).markdown,
            "# Guide\n\nProposed.\n"
          )
          yield* call("outsider", "GET", at).pipe(refused(404))

          const after = yield* call("admin", "GET", `/v1/spaces/${space}`).pipe(answers(200, Space))
          assert.deepStrictEqual([after.revision, after.gitSync], [before.revision, before.gitSync])
          assert.deepStrictEqual(yield* titlesOf(space), ["Home", "Guide", "Local"])
          yield* call("admin", "PATCH", `/v1/spaces/${space}`, { editMode: "live" }).pipe(has(200))
          // The same branch as it is in the space: a revision as well, and what is in step stays so.
          const again = yield* succeeds(space, "import", url, { standalone: true })
          assert.notStrictEqual(again.operation.revision, before.revision)
          assert.strictEqual(again.commit, commit)
          yield* succeeds(space, "export", url)
          assert.property(server.files("docs.git"), "local.md")
        })
      )

      it.effect("keeps a revision beside the space's own, however much garbage is collected", () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          const { operation } = yield* succeeds(space, "import", url, { standalone: true })
          assert.deepStrictEqual(yield* titlesOf(space), [])
          for (let day = 0; day < 4; day++) {
            yield* TestClock.adjust("25 hours")
            yield* (yield* JobWorker).runDue
          }
          const Pages = Schema.Struct({ pages: Schema.Array(Schema.Any) })
          const at = `/v1/spaces/${space}/revisions/${operation.revision}`
          const { pages } = yield* call("admin", "GET", at).pipe(answers(200, Pages))
          const { markdown } = yield* call("admin", "GET", `${at}/page/${pages[1].id}`).pipe(
            answers(200, Schema.Struct({ markdown: Schema.String }))
          )
          assert.strictEqual(belowTitle(markdown), "One.\n\nTwo.\n\nThree.\n")
        })
      )

      it.effect("lets the space win over a branch that moved, and loses no commit of it", () =>
        Effect.gen(function* () {
          const { log, server, url } = yield* repository({
            ...small,
            LICENSE: "MIT",
            "guide.md": "# Guide\n\n*One.*\n"
          })
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* succeeds(space, "import", url)
          yield* edit(space, "Home", "Welcome here.\n")
          yield* publish(space, [insertPage("Local", "Only here.")])
          const theirs = server.commit("docs.git", {
            ...small,
            LICENSE: "ISC",
            "README.md": "# Home\n\nWelcome there.\n",
            "guide.md": "# Guide\n\n*One.*\n",
            "new.md": "# New\n\nNew.\n",
            "SUMMARY.md": `${summary}* [New](new.md)\n`
          })
          assert.match(yield* fails(space, "export", url), /were not imported/)
          const { commit, operation } = yield* succeeds(space, "export", url, { force: true })
          assert.strictEqual(operation.revision, yield* revisionOf(space))
          const [, parent, head] = log("%H").split("\n")
          assert.deepStrictEqual([parent, head], [theirs, commit])
          assert.deepStrictEqual(server.files("docs.git"), {
            // What the space knows nothing of stays as the branch has it.
            LICENSE: "ISC",
            "new.md": "# New\n\nNew.\n",
            "README.md": "# Home\n\nWelcome here.\n",
            // Nobody changed it, so it is not written anew.
            "guide.md": "# Guide\n\n*One.*\n",
            "local.md": "# Local\n\nOnly here.\n",
            "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Local](local.md)\n"
          })
          // From here on both are in step.
          yield* succeeds(space, "import", url)
          yield* succeeds(space, "export", url)
          assert.strictEqual(log("%H").split("\n").length, 3)
          assert.deepStrictEqual(yield* titlesOf(space), ["Home", "Guide", "Local"])
        })
      )

      it.effect("writes again what a branch lost, where the space is to win", () =>
        Effect.gen(function* () {
          const { space, server, url } = yield* importedSpace(small)
          // The guide is removed there and, of the space's pages, another here.
          const { "guide.md": _, ...others } = small
          server.commit("docs.git", { ...others, "SUMMARY.md": "# Contents\n\n* [Home](README.md)\n" })
          const home = (yield* pagesOf(space)).find(({ title }) => title === "Home")
          yield* publish(space, [{ operation: "delete_page", page: home.id }])
          yield* succeeds(space, "export", url, { force: true })
          assert.hasAllKeys(server.files("docs.git"), ["guide.md", "SUMMARY.md"])
          assert.strictEqual(server.files("docs.git")["guide.md"], small["guide.md"])
          // A branch that is gone is made anew.
          server.git("docs.git", ["update-ref", "-d", "refs/heads/main"])
          assert.match(yield* fails(space, "export", url), /is gone/)
          yield* succeeds(space, "export", url, { force: true })
          assert.hasAllKeys(server.files("docs.git"), ["guide.md", "SUMMARY.md"])
          assert.strictEqual(server.git("docs.git", ["rev-list", "--count", "main"]).trim(), "1")
        })
      )
    },
    outside
  )
})
