import { HostJobs } from "@lectern/core/job/host/HostJobs"
import * as Job from "@lectern/core/job/Job"
import { JobHandlers } from "@lectern/core/job/JobHandlers"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, describe } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { invalidPaths } from "../Issues.ts"

const Input = Schema.Struct({ user: Schema.String })
const Digest = Job.kind("acme/send-digest", Input)

const Greeting = Context.Reference<string>("test/Greeting", { defaultValue: () => "none" })

for (const [name, services] of onEach(adapters)) {
  describe(`JobHandlers (${name})`, () => {
    const rule = ruleOn(services)

    rule("are registered by the host only", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const handlers = yield* JobHandlers
        assert.deepStrictEqual(
          yield* outcomes(
            people,
            handlers.handle(Digest, () => Effect.void)
          ),
          { ok: "host", Forbidden: "admin create review edit comment read guest outsider" }
        )
      })
    )

    rule("are one per kind, and 100 in total", () =>
      Effect.gen(function* () {
        const handlers = yield* JobHandlers
        assert.isFalse(handlers.hasHostHandlers())
        const handle = (kind: string) => outcome(handlers.handle(Job.kind(kind, Input), () => Effect.void))
        assert.strictEqual(yield* handle("acme/0"), "ok")
        assert.isTrue(handlers.hasHostHandlers())
        assert.strictEqual(yield* handle("acme/0"), "KindRegistered")
        for (let i = 1; i < 100; i++) yield* handle(`acme/${i}`)
        assert.strictEqual(yield* handle("acme/100"), "KindRegistered")
      })
    )

    rule("have valid names and numbers of attempts, and no kinds of the core", () =>
      Effect.gen(function* () {
        const handlers = yield* JobHandlers
        const paths = (kind: string, attempts: number) =>
          invalidPaths(handlers.handle(Job.kind(kind, Input, { attempts }), () => Effect.void))
        assert.strictEqual(yield* paths("remove-space", 1), "name")
        assert.strictEqual(yield* paths("acme/send digest", 1), "name")
        assert.strictEqual(yield* paths("acme/send", 0), "attempts")
        assert.strictEqual(yield* paths("acme/send", 101), "attempts")
        assert.strictEqual(yield* paths("acme/send", 100), "ok")
        assert.isTrue(handlers.byKind.has("remove-space"))
      })
    )

    rule("run in the context in which they were registered", () =>
      Effect.gen(function* () {
        const handlers = yield* JobHandlers
        let greeting: string | undefined
        const handle = handlers.handle(Digest, () => Effect.map(Greeting, (value) => void (greeting = value)))
        yield* Effect.provideService(handle, Greeting, "hello")
        yield* (yield* HostJobs).enqueue(Digest, { user: "1" })
        yield* (yield* JobWorker).runDue
        assert.strictEqual(greeting, "hello")
      })
    )

    rule("fail the attempt with any failure, also a thrown one", () =>
      Effect.gen(function* () {
        const handlers = yield* JobHandlers
        const jobs = yield* HostJobs
        const failures = {
          "acme/fail": () => Effect.fail("failed"),
          "acme/die": () => Effect.die(new Error("died")),
          "acme/throw": (): Effect.Effect<void> => {
            throw new Error("thrown")
          }
        }
        const ids: Array<Job.JobId> = []
        for (const [kind, run] of Object.entries(failures)) {
          yield* handlers.handle(Job.kind(kind, Input, { attempts: 1 }), run)
          ids.push(yield* jobs.enqueue(Job.kind(kind, Input), { user: "1" }))
        }
        yield* (yield* JobWorker).runDue
        assert.deepStrictEqual(
          (yield* Effect.forEach(ids, (id) => jobs.get(id))).map((job) => [job?.status, job?.failure]),
          [
            ["failed", "failed"],
            ["failed", "died"],
            ["failed", "thrown"]
          ]
        )
      })
    )

    rule("of a recurring kind create their job, which runs once per interval", () =>
      Effect.gen(function* () {
        const { runDue } = yield* JobWorker
        let runs = 0
        yield* (yield* JobHandlers).handle(Job.recurring("acme/clean", { days: 1 }), () =>
          Effect.sync(() => void runs++)
        )
        yield* runDue
        assert.strictEqual(runs, 0)
        for (const expected of [1, 2]) {
          yield* TestClock.adjust("1 day")
          yield* runDue
          yield* runDue
          assert.strictEqual(runs, expected)
        }
      })
    )
  })
}
