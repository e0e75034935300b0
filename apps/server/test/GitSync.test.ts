/** A space and a branch that are kept in step, over HTTP on each adapter. */
import { GitSyncTable } from "@lectern/core/exchange/GitSyncRow"
import { JobWorker } from "@lectern/core/job/JobWorker"
import type { SpaceId } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, onEachAdapter, refused } from "../../../packages/http/test/Harness.ts"
import { installed } from "../../../packages/http/test/IntegrationSteps.ts"
import { UnsafeRuntime } from "../../../packages/http/test/UnsafeRuntime.ts"
import * as Shapes from "../../../packages/http/test/Shapes.ts"
import { createSpace, insertPage, publish, spaceWith } from "../../../packages/http/test/Steps.ts"
import {
  edit,
  fails,
  hasGit,
  importedSpace,
  markdownOf,
  outside,
  pagesOf,
  ref,
  repository,
  revisionOf,
  small,
  succeeds,
  summary,
  titlesOf
} from "./GitSteps.ts"

describe.skipIf(!hasGit)("A space in step with a branch", () => {
  onEachAdapter(
    "Git",
    (it) => {
      it.effect("imports a branch as one revision, and what did not change as none", () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { url, head, server } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* call("admin", "GET", `/v1/spaces/${space}/git/info`).pipe(refused(404))
          const state = yield* succeeds(space, "import", url)
          assert.strictEqual(state.commit, head())
          assert.strictEqual(state.repoName, "docs")
          assert.deepStrictEqual(yield* titlesOf(space), ["Home", "Guide"])
          const { revision, gitSync } = yield* call("admin", "GET", `/v1/spaces/${space}`).pipe(
            answers(200, Schema.Struct({ revision: Shapes.Id, gitSync: Schema.Any }))
          )
          assert.strictEqual(gitSync.installationId, state.installationId)
          const { git } = yield* call("admin", "GET", `/v1/spaces/${space}/content`).pipe(
            answers(200, Schema.Struct({ git: Schema.Any }))
          )
          assert.deepStrictEqual(git, { oid: head(), message: "Change\n", createdByService: false, ref })
          yield* succeeds(space, "import", url)
          assert.strictEqual(yield* revisionOf(space), revision)
          // A commit that has nothing to do with the documentation.
          server.commit("docs.git", { ...small, "src/index.ts": "1" })
          const after = yield* succeeds(space, "import", url)
          assert.strictEqual(after.commit, head())
          assert.strictEqual(yield* revisionOf(space), revision)
        })
      )

      it.effect("stores blocks of integrations as code where they say so, as a change request does", () =>
        Effect.gen(function* () {
          const { name } = yield* installed({
            target: "space",
            blocks: [{ id: "diagram", title: "Diagram", markdown: { codeblock: "mermaid", body: "content" } }]
          })
          const { id: space } = yield* createSpace({ title: "Docs" })
          const { call } = yield* Harness
          const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/installations`).pipe(
            answers(200, Schema.Any)
          )
          const path = `/v1/integrations/${name}/installations/${items[0].id}/spaces`
          yield* call("admin", "POST", path, { space }).pipe(answers(201, Schema.Any))
          const tag = `{% @${name}/diagram content="graph TD" theme="dark" %}`
          const { url, server } = yield* repository({ ...small, "guide.md": `# Guide\n\n${tag}\n` })
          yield* succeeds(space, "import", url)
          const code = '```mermaid theme="dark"\ngraph TD\n```'
          assert.strictEqual(yield* markdownOf(space, "Guide"), `${code}\n`)
          // What was imported before and changes there is merged as code, too.
          yield* edit(space, "Guide", `${code}\n\nHere.\n`)
          server.commit("docs.git", { ...small, "guide.md": `# Guide\n\n${tag.replace("dark", "light")}\n` })
          yield* succeeds(space, "import", url)
          assert.strictEqual(yield* markdownOf(space, "Guide"), `${code.replace("dark", "light")}\n\nHere.\n`)
        })
      )

      it.effect("merges what changed there with what changed here", () =>
        Effect.gen(function* () {
          const { space, url, server } = yield* importedSpace(small)
          const before = yield* pagesOf(space)
          yield* edit(space, "Guide", "One.\n\nTwo.\n\nThree, edited here.\n")
          yield* publish(space, [insertPage("Local", "Only here.")])
          server.commit("docs.git", {
            ...small,
            "guide.md": "# Guide\n\nOne, edited there.\n\nTwo.\n\nThree.\n",
            "new.md": "# New\n\nNew.\n",
            "SUMMARY.md": `${summary}* [New](new.md)\n`
          })
          const { operation } = yield* succeeds(space, "import", url)
          assert.notProperty(operation, "problems")
          assert.sameMembers(yield* titlesOf(space), ["Home", "Guide", "New", "Local"])
          assert.strictEqual(yield* markdownOf(space, "Guide"), "One, edited there.\n\nTwo.\n\nThree, edited here.\n")
          const after = yield* pagesOf(space)
          for (const { id, title } of before) assert.strictEqual(after.find((page) => page.id === id)?.title, title)
          // The same on both sides: the repository's version counts, and it is told of.
          yield* edit(space, "Home", "Welcome here.\n")
          server.commit("docs.git", { ...small, "README.md": "# Home\n\nWelcome there.\n" })
          const conflicting = yield* succeeds(space, "import", url)
          assert.deepStrictEqual(
            conflicting.operation.problems?.map(({ path }) => path),
            ["README.md"]
          )
          assert.strictEqual(yield* markdownOf(space, "Home"), "Welcome there.\n")
          // What is gone there goes, and what is only here stays.
          assert.sameMembers(yield* titlesOf(space), ["Home", "Guide", "Local"])
        })
      )

      it.effect("exports into a repository that changes, back and forth", () =>
        Effect.gen(function* () {
          const { server, url, log } = yield* repository({ LICENSE: "MIT", "src/a.ts": "1" })
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One.\n\nTwo." })
          yield* publish(space, [{ operation: "insert_page", type: "group", title: "Part", ref: "Part" }])
          yield* succeeds(space, "export", url)
          const pages = yield* pagesOf(space)
          const files = server.files("docs.git")
          assert.strictEqual(files["LICENSE"], "MIT")

          yield* edit(space, "Guide", "One.\n\nTwo, here.")
          const { "guide.md": guide = "", ...others } = files
          server.commit(
            "docs.git",
            { ...others, "guide.md": guide.replace("One.", "One, there.") },
            { message: "There" }
          )
          const moved = yield* fails(space, "export", url)
          assert.match(moved, /has commits that were not imported/)

          yield* succeeds(space, "import", url)
          assert.strictEqual(yield* markdownOf(space, "Guide"), "One, there.\n\nTwo, here.\n")
          assert.deepStrictEqual(
            (yield* pagesOf(space)).map(({ id, title }) => [id, title]),
            pages.map(({ id, title }) => [id, title])
          )
          yield* succeeds(space, "export", url)
          assert.strictEqual(server.files("docs.git")["guide.md"], "# Guide\n\nOne, there.\n\nTwo, here.\n")
          assert.deepStrictEqual(log("%s").split("\n"), ["Change", "Update the docs", "There", "Update the docs"])
          const head = log("%H")
          yield* succeeds(space, "import", url)
          yield* succeeds(space, "export", url)
          assert.strictEqual(log("%H"), head)
        })
      )

      it.effect("goes on from a push whose end nobody has heard of", () =>
        Effect.gen(function* () {
          const { url, log } = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome." })
          yield* succeeds(space, "export", url)
          const syncs = (yield* Storage).repository(GitSyncTable)
          const row = yield* syncs.get({ space: space as SpaceId })
          const lost = { common: undefined, pushing: row!.common }
          yield* syncs.update({ space: space as SpaceId }, lost)
          yield* edit(space, "Home", "Welcome again.")
          yield* succeeds(space, "export", url)
          assert.strictEqual(log("%s").split("\n").length, 2)
          yield* syncs.update({ space: space as SpaceId }, { common: undefined, pushing: row!.common })
          assert.match(yield* fails(space, "export", url), /were not imported/)
        })
      )

      it.effect("keeps what it compares with, however much garbage is collected meanwhile", () =>
        Effect.gen(function* () {
          const { server, url } = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One.\n\nTwo." })
          yield* succeeds(space, "export", url)
          yield* edit(space, "Guide", "One.\n\nTwo, here.")
          for (let day = 0; day < 4; day++) {
            yield* TestClock.adjust("25 hours")
            yield* (yield* JobWorker).runDue
          }
          const files = server.files("docs.git")
          server.commit("docs.git", { ...files, "guide.md": "# Guide\n\nOne, there.\n\nTwo.\n" })
          yield* succeeds(space, "import", url)
          assert.strictEqual(yield* markdownOf(space, "Guide"), "One, there.\n\nTwo, here.\n")
          yield* succeeds(space, "export", url)
        })
      )

      it.effect("keeps to the root, the table of contents and the directory that a repository names", () =>
        Effect.gen(function* () {
          const { server, url } = yield* repository({
            "product/.gitbook.yaml": "root: ./docs\nstructure:\n  readme: start.md\n  summary: toc.md\n",
            "product/docs/start.md": "# Start\n\nHere.\n",
            "product/docs/more.md": "# More\n\nThere.\n",
            "product/docs/toc.md": "# Contents\n\n* [More](more.md)\n",
            "product/other.md": "# Other\n",
            "other.md": "# Other\n"
          })
          const { id: space } = yield* createSpace({ title: "Docs" })
          const at = { repoProjectDirectory: "/product/" }
          yield* succeeds(space, "import", url, at)
          assert.deepStrictEqual(yield* titlesOf(space), ["Start", "More"])
          yield* publish(space, [insertPage("Last", "Last.")])
          yield* succeeds(space, "export", url, at)
          assert.deepInclude(server.files("docs.git"), {
            "product/docs/last.md": "# Last\n\nLast.\n",
            "product/docs/more.md": "# More\n\nThere.\n",
            "product/docs/toc.md": "# Contents\n\n* [Start](start.md)\n* [More](more.md)\n* [Last](last.md)\n"
          })
          assert.notProperty(server.files("docs.git"), "product/docs/SUMMARY.md")
          const { id: copy } = yield* createSpace({ title: "Copy" })
          yield* succeeds(copy, "import", url, at)
          assert.deepStrictEqual(yield* titlesOf(copy), ["Start", "More", "Last"])
        })
      )
    },
    { ...outside, integrationRuntime: UnsafeRuntime.layer }
  )
})
