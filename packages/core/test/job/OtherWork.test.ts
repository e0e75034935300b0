/** Readers of events and deliveries to integrations, as `HostJobs` lists and retries them. */
import { EventSubscriptions } from "@lectern/core/event/EventSubscriptions"
import { IntegrationTasks } from "@lectern/core/integration/IntegrationTasks"
import { HostJobs } from "@lectern/core/job/host/HostJobs"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect, References } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adaptersWith, organization } from "../Instances.ts"
import { installed } from "../integration/IntegrationMembers.ts"
import { programs } from "../integration/Programs.ts"
import { turns } from "../Turns.ts"

/** Response to the next task. "broken": the runtime throws. */
let fate: number | "broken" = 200
const types: Array<string> = []

const options = programs(({ type }) => {
  types.push(type)
  if (type === "task" && fate === "broken") throw new Error("The moon is full")
  return { status: type === "task" ? (fate as number) : 200 }
})

const runDue = Effect.flatMap(JobWorker, (worker) => worker.runDue).pipe(
  Effect.provideService(References.MinimumLogLevel, "None")
)

/** Delivers a task with an outcome. */
const task = Effect.fnUntraced(function* (outcome: number | "broken") {
  fate = outcome
  yield* (yield* IntegrationTasks).queue("weather", { task: {} })
  yield* runDue
})

for (const [name, services] of onEach(adaptersWith(options))) {
  describe(`Other work than jobs (${name})`, () => {
    const rule = ruleOn(services)

    rule("is a failed delivery, which is delivered again", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        yield* installed()
        yield* task(500)
        yield* task(200)
        const [failed, ...others] = yield* jobs.list({ status: "failed" })
        assert.isEmpty(others)
        assert.deepInclude(failed, {
          kind: "delivery",
          status: "failed",
          integration: "weather",
          failure: "The program responded with status 500"
        })
        const id = failed!.id
        assert.deepStrictEqual(yield* jobs.list({ status: "failed", kind: "delivery" }), [failed!])
        assert.deepStrictEqual(yield* jobs.list({ status: "failed", kind: "index-space" }), [])
        types.length = 0
        yield* runDue
        assert.isEmpty(types)
        assert.isTrue(yield* jobs.retry(id))
        assert.isFalse(yield* jobs.retry(id))
        assert.deepInclude(yield* jobs.get(id), { id, status: "waiting" })
        yield* runDue
        assert.deepStrictEqual(types, ["task"])
        assert.deepInclude(yield* jobs.get(id), { id, status: "done" })
        assert.isFalse(yield* jobs.retry(id))
        assert.isEmpty(yield* jobs.list({ status: "failed" }))
      })
    )

    rule("is a receiver that waits after a failure, and is tried at once", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        yield* installed()
        yield* runDue
        yield* task("broken")
        const [receiver, ...others] = yield* jobs.list({ status: "waiting", kind: "delivery" })
        assert.isEmpty(others)
        assert.deepInclude(receiver, { attempts: 1, integration: "weather", waiting: 1, failure: "The moon is full" })
        assert.strictEqual(receiver!.nextRunAt, "1970-01-01T00:00:05.000Z")
        fate = 200
        types.length = 0
        yield* runDue
        assert.isEmpty(types)
        assert.isTrue(yield* jobs.retry(receiver!.id))
        yield* runDue
        assert.deepStrictEqual(types, ["task"])
        assert.isUndefined(yield* jobs.get(receiver!.id))
        assert.isFalse(yield* jobs.retry(receiver!.id))
        assert.isFalse(yield* jobs.retry("event:none"))
      })
    )

    rule("is a reader of events, with its position and lag", () =>
      Effect.gen(function* () {
        const jobs = yield* HostJobs
        const spaces = yield* Spaces
        const here = yield* organization
        const handled: Array<string> = []
        let isOffline = true
        const handle = ({ id }: { readonly id: string }) =>
          Effect.suspend(() => (isOffline ? Effect.fail("offline") : Effect.sync(() => void handled.push(id))))
        const quiet = Effect.provideService(References.MinimumLogLevel, "None")
        yield* (yield* EventSubscriptions).on(["space_created"], handle, { reader: "deployments" }).pipe(quiet)
        const reader = Effect.map(jobs.list({ status: "waiting", kind: "event-reader" }), (items) =>
          items.find(({ id }) => id === "reader:host:deployments")
        )
        const before = (yield* reader)!
        assert.deepInclude(before, { attempts: 0, lag: 0 })
        assert.isFalse(yield* jobs.retry(before.id))
        yield* spaces.create(here, { title: "one" })
        yield* spaces.create(here, { title: "two" })
        yield* turns(20)
        assert.deepInclude(yield* reader, { attempts: 1, lag: 2, position: before.position!, failure: "offline" })
        isOffline = false
        assert.isTrue(yield* jobs.retry(before.id))
        yield* turns(20)
        assert.strictEqual(handled.length, 2)
        const after = yield* jobs.get(before.id)
        assert.deepInclude(after, { status: "waiting", attempts: 0, lag: 0, position: handled.at(-1)! })
        assert.isUndefined(after?.failure)
        assert.isUndefined(yield* jobs.get("reader:none"))
      })
    )
  })
}
