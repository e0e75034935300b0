/** The operations of a space with a repository: who may, with what, one at a time, and how they end. */
import { RevisionTable } from "@lectern/core/content/revisions/Revision"
import { Events } from "@lectern/core/event/Events"
import { EventTable } from "@lectern/core/event/Event"
import { operationTimeout } from "@lectern/exchange/git/GitSync"
import { GitCredentialTable, GitSyncTable } from "@lectern/core/exchange/GitSyncRow"
import { JobTable } from "@lectern/core/job/Job"
import { JobWorker } from "@lectern/core/job/JobWorker"
import type { SpaceId } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onEachAdapter, refused } from "../../../packages/http/test/Harness.ts"
import { createSpace, getSpace } from "../../../packages/http/test/Steps.ts"
import { gitServer } from "../../../packages/services-node/test/GitServer.ts"
import {
  ask,
  fails,
  hasGit,
  importedSpace,
  info,
  outside,
  ref,
  repository,
  small,
  succeeds,
  titlesOf
} from "./GitSteps.ts"

describe.skipIf(!hasGit)("Operations with repositories", () => {
  onEachAdapter(
    "Git",
    (it) => {
      it.effect("has credentials for as long as it needs them, and shows them nowhere", () =>
        Effect.gen(function* () {
          const secret = "s3cr3t-token"
          const server = yield* gitServer({ credentials: `me:${secret}` })
          server.init("docs.git")
          server.commit("docs.git", small)
          const storage = yield* Storage
          const credentials = storage.repository(GitCredentialTable)
          const { id: space } = yield* createSpace({ title: "Docs" })
          assert.match(yield* fails(space, "import", server.urlOf("docs.git")), /user name and a token/)
          const url = server.urlOf("docs.git").replace("//", `//me:${secret}@`)
          yield* ask(space, "import", { url }).pipe(has(204))
          assert.strictEqual((yield* credentials.list({ where: { space: space as SpaceId } })).length, 1)
          yield* (yield* JobWorker).runDue
          const state = yield* info(space)
          assert.strictEqual(state.operation.state, "success")
          assert.deepStrictEqual(yield* credentials.list({ where: { space: space as SpaceId } }), [])
          const rows = [
            ...(yield* storage.repository(GitSyncTable).list({ where: { space: space as SpaceId } })),
            ...(yield* storage.repository(JobTable).list({ where: { id: { gte: "" as never } } })),
            ...(yield* storage.repository(EventTable).list({ where: { id: { gte: "" as never } } })),
            ...(yield* storage.repository(RevisionTable).list({ where: { space } })),
            yield* getSpace(space),
            state
          ]
          assert.notInclude(JSON.stringify(rows), secret)
          assert.notInclude(JSON.stringify(rows), "me:")
        })
      )

      it.effect("does one thing at a time, and gives up on what does not end", () =>
        Effect.gen(function* () {
          const { url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* ask(space, "import", { url: url.replace("//", "//me:secret@") }).pipe(has(204))
          const busy = yield* ask(space, "export", { url }).pipe(refused(409))
          assert.match(busy.message, /is running/)
          yield* TestClock.adjust(Duration.millis(operationTimeout))
          const { operation } = yield* info(space)
          assert.deepInclude(operation, { state: "timeout", error: "It took longer than 15 minutes" })
          yield* (yield* JobWorker).runDue
          assert.strictEqual((yield* info(space)).operation.state, "timeout")
          const credentials = (yield* Storage).repository(GitCredentialTable)
          assert.deepStrictEqual(yield* credentials.list({ where: { space: space as SpaceId } }), [])
          assert.deepStrictEqual(yield* titlesOf(space), [])
          yield* succeeds(space, "import", url)
        })
      )

      it.effect("does what a later event asked for, and nothing for an earlier one", () =>
        Effect.gen(function* () {
          const { url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* succeeds(space, "import", url, { timestamp: "2026-01-02T00:00:00Z" })
          yield* ask(space, "import", { url, timestamp: "2026-01-01T23:59:59Z" }).pipe(refused(409))
          yield* succeeds(space, "import", url, { timestamp: "2026-01-02T01:00:00+01:00" })
        })
      )

      it.effect("tells of what it left out, and of why it failed", () =>
        Effect.gen(function* () {
          const { server, url } = yield* repository()
          const { id: space } = yield* createSpace({ title: "Docs" })
          assert.match(yield* fails(space, "import", url), /has no branch refs\/heads\/main/)
          server.commitTree(
            "docs.git",
            server.tree("docs.git", [
              { name: "README.md", content: "# Home\n" },
              { name: "out.md", mode: "120000", content: "../../etc/passwd" },
              { name: "module", mode: "160000", oid: "1".repeat(40) }
            ])
          )
          const { operation } = yield* succeeds(space, "import", url)
          assert.strictEqual(operation.problemCount, 2)
          assert.deepStrictEqual(operation.problems?.map(({ path }) => path).sort(), ["module", "out.md"])
          assert.deepStrictEqual(yield* titlesOf(space), ["Home"])
          assert.match(yield* fails(space, "import", server.urlOf("none.git")), /no such repository/)
          assert.match(yield* fails(space, "import", url, { repoProjectDirectory: "none" }), /nothing to import/)
          assert.deepStrictEqual(yield* titlesOf(space), ["Home"])
        })
      )

      it.effect("is refused with a sentence where it makes no sense, and nothing runs", () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { id: space } = yield* createSpace({ title: "Docs" })
          const url = "https://example.com/docs.git"
          const refusals: ReadonlyArray<Record<string, unknown>> = [
            { url: "" },
            { url: "docs.git" },
            { url: "git@github.com:acme/docs.git" },
            { url: "ssh://git@example.com/docs.git" },
            { url: "file:///etc" },
            { url: "http://10.0.0.1/docs.git" },
            { url: "http://localhost/docs.git" },
            { url: "http://169.254.169.254/latest" },
            { url: `${url}?token=x` },
            { url: `${url}#x` },
            { url: `https://example.com/${"x".repeat(3000)}` },
            { url, ref: "main" },
            { url, ref: "refs/tags/v1" },
            { url, ref: "refs/heads/" },
            { url, ref: "refs/heads/a..b" },
            { url, ref: "refs/heads/a b" },
            { url, ref: "refs/heads/.a" },
            { url, ref: "refs/heads/a.lock" },
            { url, ref: "refs/heads/a\u0007" },
            { url, ref: `refs/heads/${"x".repeat(300)}` },
            { url, repoProjectDirectory: "../docs" },
            { url, repoProjectDirectory: "a\\b" },
            { url, repoTreeURL: "javascript:alert(1)" },
            { url, repoCommitURL: "https://me:secret@example.com/commit" },
            { url, timestamp: "yesterday" },
            { url, force: "yes" },
            { url, standalone: 1 }
          ]
          for (const body of refusals) {
            for (const operation of ["import", "export"] as const) {
              const { message } = yield* ask(space, operation, body).pipe(refused(400))
              assert.notInclude(message, "secret")
            }
          }
          yield* ask(space, "export", { url, commitMessage: "" }).pipe(refused(400))
          yield* call("admin", "POST", `/v1/spaces/${space}/git/export`, { url, ref }).pipe(refused(400))
          yield* call("admin", "GET", `/v1/spaces/${space}/git/info`).pipe(refused(404))
          yield* call("admin", "PATCH", `/v1/spaces/${space}`, { editMode: "locked" }).pipe(has(200))
          yield* ask(space, "import", { url }).pipe(refused(409))
          yield* ask(space, "import", { url, standalone: false }).pipe(refused(409))
          yield* ask("none", "import", { url }).pipe(refused(404))
        })
      )

      it.effect("is for administrators of the space, also once it is begun", () =>
        Effect.gen(function* () {
          const { call, users } = yield* Harness
          const { url } = yield* repository(small)
          const { id: space } = yield* createSpace({ title: "Docs" })
          for (const person of ["create", "review", "edit", "comment", "read"] as const) {
            for (const operation of ["import", "export"] as const) {
              yield* ask(space, operation, { url }, person).pipe(refused(403))
            }
            yield* call(person, "GET", `/v1/spaces/${space}/git/info`).pipe(refused(403))
          }
          yield* ask(space, "import", { url }, "outsider").pipe(refused(404))
          yield* ask(space, "import", { url }, "nobody").pipe(refused(401))
          const grants = `/v1/spaces/${space}/permissions`
          yield* call("admin", "POST", grants, { users: [users.read], role: "admin" }).pipe(has(204))
          yield* ask(space, "import", { url }, "read").pipe(has(204))
          yield* call("admin", "DELETE", `${grants}/users/${users.read}`).pipe(has(204))
          yield* (yield* JobWorker).runDue
          const { operation } = yield* info(space)
          assert.strictEqual(operation.state, "failure")
          assert.match(operation.error ?? "", /you need the role/)
          assert.deepStrictEqual(yield* titlesOf(space), [])
        })
      )

      it.effect("tells of it by events", () =>
        Effect.gen(function* () {
          const { space, head } = yield* importedSpace(small)
          const events = (yield* Storage).repository(EventTable)
          const told = (yield* events.list({ where: { id: { gte: "" as never } } })).filter(
            (event) => "space" in event && event.space === space
          )
          assert.deepStrictEqual(
            told.map(({ type }) => type).filter((type) => type !== "space_created"),
            ["space_gitsync_started", "space_gitsync_commit_known", "space_content_updated", "space_gitsync_completed"]
          )
          assert.deepInclude(told.at(-1), { direction: "import", state: "success", commit: head() })
          assert.isDefined(yield* Events)
        })
      )
    },
    outside
  )
})
