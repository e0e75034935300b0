/** The commits that integrations are told of when a space is imported or exported: they put a status on each. */
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { branch, closed, pushed, remote } from "./BranchInMemory.ts"
import { answers, Harness, has, onMemory } from "./Harness.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { listOf } from "./Shapes.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const url = "https://example.com/docs.git"
const ref = "refs/heads/main"

const files = (text: string) => ({ "SUMMARY.md": "* [Home](home.md)\n", "home.md": `# Home\n\n${text}\n` })

/** A space, and whatever an integration on it is told of Git: the event without `space_gitsync_`, and its commit. */
const world = Effect.gen(function* () {
  const { call } = yield* Harness
  const { id: space } = yield* createSpace()
  const script = program(`log(JSON.stringify(event))
    return new Response("OK")`)
  const { name } = yield* installed({ scopes: ["space:git:sync"], script })
  let seen = 0
  const told = Effect.gen(function* () {
    const { runDue } = yield* JobWorker
    yield* runDue
    yield* (yield* IntegrationRecords).flush
    const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=1000`).pipe(
      answers(200, listOf(Shapes.IntegrationEvent))
    )
    const all = yield* Effect.forEach(items.toReversed(), ({ id }) =>
      Effect.map(
        call("admin", "GET", `/v1/integrations/${name}/events/${id}`).pipe(answers(200, Shapes.TracedEvent)),
        ({ trace }) => JSON.parse(trace.logs[0]?.message ?? "{}")
      )
    )
    const ofGit = all.filter(({ type, spaceId }) => type.startsWith("space_gitsync_") && spaceId === space)
    const fresh = ofGit.slice(seen)
    seen = ofGit.length
    return fresh.map(({ type, state, commitId }) => [state ?? type.slice("space_gitsync_".length), commitId])
  })
  const sync = Effect.fnUntraced(function* (operation: "import" | "export", more: Record<string, unknown> = {}) {
    yield* TestClock.adjust("1 second")
    const message = operation === "export" ? { commitMessage: "Update" } : {}
    yield* call("admin", "POST", `/v1/spaces/${space}/git/${operation}`, { url, ref, ...message, ...more }).pipe(
      has(204)
    )
    return yield* told
  })
  return { space, sync }
})

onMemory(
  "Events of Git",
  (it) => {
    it.effect("name the commit that is imported, from the start", () =>
      Effect.gen(function* () {
        const { sync } = yield* world
        for (const text of ["One.", "Two."]) {
          const commit = pushed(files(text))
          assert.deepStrictEqual(yield* sync("import"), [
            ["started", commit],
            ["success", commit]
          ])
        }
        const aside = pushed(files("Three."))
        assert.deepStrictEqual(yield* sync("import", { standalone: true }), [
          ["started", aside],
          ["success", aside]
        ])
      })
    )

    it.effect("name the commit that an export made, once it is there", () =>
      Effect.gen(function* () {
        const { space, sync } = yield* world
        const before = pushed(files("One."))
        yield* sync("import")
        yield* publish(space, [insertPage("New", "New.")])
        const told = yield* sync("export")
        const made = branch.commits.at(-1)?.oid
        assert.notStrictEqual(made, before)
        assert.deepStrictEqual(told, [
          ["started", made],
          ["success", made]
        ])
        assert.deepStrictEqual(yield* sync("export"), told)
      })
    )

    it.effect("name the commit of a failure, where there is one", () =>
      Effect.gen(function* () {
        const { space, sync } = yield* world
        pushed(files("One."))
        yield* sync("import")
        const empty = pushed({})
        assert.deepStrictEqual(yield* sync("import"), [
          ["started", empty],
          ["failure", empty]
        ])
        yield* publish(space, [insertPage("New", "New.")])
        assert.deepStrictEqual(yield* sync("export"), [["failure", empty]])
        assert.deepStrictEqual(yield* sync("import", { url: closed }), [["failure", ""]])
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer, gitRemote: remote }
)
