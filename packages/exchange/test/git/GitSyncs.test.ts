import * as Exchange from "@lectern/exchange/Exchange"
import { GitFailed, GitRemote } from "@lectern/exchange/git/GitRemote"
import { type GitImportRequest, operationTimeout } from "@lectern/exchange/git/GitSync"
import { GitCredentialTable } from "@lectern/core/exchange/GitSyncRow"
import { GitSyncs } from "@lectern/exchange/git/GitSyncs"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { emitted, members, outcome, outcomes, ruleOn } from "../../../core/test/Actors.ts"
import { onEach } from "../../../core/test/Adapters.ts"
import { adaptersWith } from "../../../core/test/Instances.ts"

/** A repository with one page at every URL except one that ends in `closed`. */
const remote = Layer.succeed(
  GitRemote,
  GitRemote.of({
    open: ({ url }, credentials) =>
      url.endsWith("closed") && credentials === undefined
        ? Effect.fail(new GitFailed({ reason: "unauthorized", message: "It is closed" }))
        : Effect.succeed({
            head: { oid: "c".repeat(40), message: "Initial commit" },
            files: [{ path: "README.md", oid: "e".repeat(40), size: 6 }],
            problems: [],
            read: () => Effect.succeed(new TextEncoder().encode("# Home")),
            write: () => Effect.void,
            remove: () => Effect.void,
            commit: () => Effect.succeed("d".repeat(40)),
            push: Effect.void
          })
  })
)

const from: GitImportRequest = { url: "https://git.example/acme/docs.git", ref: "refs/heads/main" }
const commitMessage = "Update"

const ready = Effect.gen(function* () {
  const { org, people } = yield* members
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const syncs = yield* GitSyncs
  const state = Effect.map(syncs.info(space), ({ operation }) => operation.state)
  const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)
  return { org, people, space, syncs, state, work }
})

for (const [name, services] of onEach(adaptersWith({ extensions: [Exchange.extension({ gitRemote: remote })] }))) {
  describe(`GitSyncs (${name})`, () => {
    const rule = ruleOn(services)

    rule("run in the background, one at a time", () =>
      Effect.gen(function* () {
        const { space, syncs, state, work } = yield* ready
        assert.strictEqual(yield* outcome(syncs.info(space)), "GitSyncNotFound")
        yield* syncs.import(space, from)
        assert.strictEqual(yield* state, "running")
        for (const second of [syncs.import(space, from), syncs.export(space, { ...from, commitMessage })]) {
          assert.strictEqual(yield* outcome(second), "GitSyncBusy")
        }
        yield* work
        assert.strictEqual(yield* state, "success")
        assert.strictEqual(yield* outcome(syncs.export(space, { ...from, commitMessage })), "ok")
      })
    )

    rule("are for administrators of the space only", () =>
      Effect.gen(function* () {
        const { people, space, syncs, work } = yield* ready
        const expected = {
          ok: "host admin",
          Forbidden: "create review edit comment read",
          SpaceNotFound: "guest outsider"
        }
        for (const start of [syncs.import(space, from), syncs.export(space, { ...from, commitMessage })]) {
          assert.deepStrictEqual(yield* outcomes(people, Effect.ensuring(start, Effect.ignore(work))), expected)
        }
        assert.deepStrictEqual(yield* outcomes(people, syncs.info(space)), expected)
      })
    )

    rule("describe the repository without credentials, which are removed afterwards", () =>
      Effect.gen(function* () {
        const { space, syncs, state, work } = yield* ready
        yield* syncs.import(space, { ...from, url: "https://user:secret@github.com/acme/closed" })
        const { repoName, installationProvider, url } = yield* syncs.info(space)
        assert.deepStrictEqual(
          [repoName, installationProvider, url],
          ["acme/closed", "github", "https://github.com/acme/closed/tree/main"]
        )
        const credentials = (yield* Storage).repository(GitCredentialTable)
        const rows = yield* credentials.list({ where: {} })
        assert.strictEqual(rows.length, 1)
        assert.notInclude(JSON.stringify(rows), "secret")
        yield* work
        assert.strictEqual(yield* state, "success")
        assert.strictEqual(yield* credentials.count({}), 0)
      })
    )

    rule("report the error of a failed operation, and may be started again", () =>
      Effect.gen(function* () {
        const { space, syncs, state, work } = yield* ready
        yield* syncs.import(space, { ...from, url: "https://git.example/closed" })
        yield* work
        assert.strictEqual(yield* state, "failure")
        assert.isNotEmpty((yield* syncs.info(space)).operation.error)
        assert.strictEqual(yield* outcome(syncs.import(space, from)), "ok")
      })
    )

    rule("time out if they do not end", () =>
      Effect.gen(function* () {
        const { space, syncs, state } = yield* ready
        yield* syncs.import(space, from)
        yield* TestClock.adjust(operationTimeout)
        assert.strictEqual(yield* state, "timeout")
        assert.strictEqual(yield* outcome(syncs.import(space, from)), "ok")
      })
    )

    rule("reject invalid requests, before anything starts", () =>
      Effect.gen(function* () {
        const { space, syncs } = yield* ready
        for (const [patch, error] of [
          [{ ref: "main" }, "InvalidInput"],
          [{ ref: "refs/heads/a..b" }, "InvalidInput"],
          [{ repoProjectDirectory: "../up" }, "InvalidInput"],
          [{ url: "git@git.example:acme/docs" }, "InvalidGitRequest"],
          [{ url: "https://git.example/docs?token=x" }, "InvalidGitRequest"],
          [{ url: "http://127.0.0.1/docs" }, "InvalidGitRequest"],
          [{ repoTreeURL: "javascript:alert(1)" }, "InvalidGitRequest"]
        ] as const) {
          assert.strictEqual(yield* outcome(syncs.import(space, { ...from, ...patch })), error, JSON.stringify(patch))
        }
        assert.strictEqual(yield* outcome(syncs.export(space, { ...from, commitMessage: "" })), "InvalidInput")
        assert.strictEqual(yield* outcome(syncs.info(space)), "GitSyncNotFound")
      })
    )

    rule("ignore an event that is older than the last one", () =>
      Effect.gen(function* () {
        const { space, syncs, work } = yield* ready
        yield* syncs.import(space, { ...from, timestamp: "2026-01-02T00:00:00Z" })
        yield* work
        const older = syncs.import(space, { ...from, timestamp: "2026-01-01T00:00:00Z" })
        assert.strictEqual(yield* outcome(older), "GitSyncBusy")
        assert.strictEqual(yield* outcome(syncs.import(space, from)), "ok")
      })
    )

    rule("do not import into a locked space", () =>
      Effect.gen(function* () {
        const { space, syncs } = yield* ready
        yield* (yield* Spaces).update(space, { editMode: "locked" })
        assert.strictEqual(yield* outcome(syncs.import(space, from)), "SpaceLocked")
        assert.strictEqual(yield* outcome(syncs.export(space, { ...from, commitMessage })), "ok")
      })
    )

    rule("emit an event when they start", () =>
      Effect.gen(function* () {
        const { space, syncs } = yield* ready
        assert.deepStrictEqual(yield* emitted(syncs.import(space, from)), ["space_gitsync_started"])
      })
    )
  })
}
