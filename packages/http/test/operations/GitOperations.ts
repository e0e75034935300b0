/**
 * Git: what its operations answer where no repository can be reached. What they do with one is tested
 * beside the server, which brings the library for it.
 */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace } from "../Steps.ts"

const GitSyncState = Schema.Struct({
  object: Schema.Literal("git-sync"),
  repoName: Schema.String,
  installationStatus: Schema.Literal("active"),
  installationProvider: Schema.String,
  installationId: Shapes.Id,
  url: Shapes.Url,
  operation: Schema.Struct({
    state: Schema.Literals(["running", "success", "failure", "timeout"]),
    direction: Schema.Literals(["import", "export"]),
    startedAt: Shapes.DateTime,
    endedAt: Schema.optionalKey(Shapes.DateTime),
    error: Schema.optionalKey(Schema.String)
  }),
  operationTimeout: Shapes.Count,
  updatedAt: Shapes.DateTime
})

export const gitOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("begins an import or an export, and tells how it went", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const path = `/v1/spaces/${id}/git`
      const place = {
        url: "https://token@github.com/acme/docs.git",
        ref: "refs/heads/main",
        repoProjectDirectory: "docs"
      }
      yield* call("admin", "GET", `${path}/info`).pipe(refused(404))
      for (const direction of ["import", "export"] as const) {
        yield* call("admin", "POST", `${path}/${direction}`, { ...place, commitMessage: "Update" }).pipe(has(204))
        const begun = yield* call("admin", "GET", `${path}/info`).pipe(answers(200, GitSyncState))
        assert.deepInclude(begun.operation, { state: "running", direction })
        assert.deepInclude(begun, {
          repoName: "acme/docs",
          installationProvider: "github",
          url: "https://github.com/acme/docs/tree/main/docs"
        })
        yield* call("admin", "POST", `${path}/import`, place).pipe(refused(409))
        yield* (yield* JobWorker).runDue
        const { operation } = yield* call("admin", "GET", `${path}/info`).pipe(answers(200, GitSyncState))
        assert.strictEqual(operation.state, "failure")
        assert.match(operation.error ?? "", /can.t open repositories/)
      }
    })
  )
}
