import { join } from "node:path"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import * as Job from "@lectern/core/job/Job"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Jobs } from "@lectern/core/job/Jobs"
import { IndexSpace } from "@lectern/core/search/indexing/SearchIndexing"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect, References, Schema } from "effect"
import { cleanUp, lectern, lecternJson, temporaryFolder } from "./LecternProcess.ts"

/** A kind of the server's with a payload that none of its can have: such a job fails at once. */
const broken = Job.kind(IndexSpace.name, Schema.Json)

/** Runs due jobs, without a word about failures. */
const runDue = Effect.flatMap(JobWorker, (worker) => worker.runDue).pipe(
  Effect.provideService(References.MinimumLogLevel, "None")
)

/** Data with two jobs that failed and one that waits for its day. */
const dataWithJobs = async () => {
  const data = temporaryFolder()
  const open = () => SqliteLectern.open({ file: join(data, "lectern.db"), background: false })
  const instance = await open()
  const enqueue = (options?: { readonly runAt: string }) =>
    instance.run(Effect.flatMap(Jobs, (jobs) => jobs.enqueue(broken, 7, options as never)))
  const failed = [await enqueue(), await enqueue()]
  await instance.run(runDue)
  const waiting = await enqueue({ runAt: "2100-01-01T00:00:00.000Z" })
  await instance.close()
  return { data, failed, waiting, open }
}

describe("lectern jobs", () => {
  afterEach(cleanUp)

  it("lists what waits and what failed, and tries it again", async () => {
    const { data, failed, waiting, open } = await dataWithJobs()
    const { jobs } = await lecternJson(["jobs", "--kind", broken.name, "--data", data])
    assert.sameMembers(
      jobs.map(({ id }: { id: string }) => id),
      [...failed, waiting]
    )
    for (const { id, kind, status, attempts, failure, nextRunAt } of jobs) {
      assert.deepStrictEqual(
        { kind, status, attempts, failure, nextRunAt },
        id === waiting
          ? {
              kind: broken.name,
              status: "waiting",
              attempts: 0,
              failure: undefined,
              nextRunAt: "2100-01-01T00:00:00.000Z"
            }
          : {
              kind: broken.name,
              status: "failed",
              attempts: 1,
              failure: 'The payload does not match the schema of the kind "index-space"',
              nextRunAt: undefined
            }
      )
    }
    const shown = await lectern(["jobs", "--status", "failed", "--data", data])
    assert.strictEqual(shown.code, 0)
    const lines = shown.stdout.trim().split("\n")
    assert.lengthOf(lines, 2)
    for (const line of lines) assert.match(line, /failed {2}index-space {2}1 attempt {2}last failure: The payload/)

    const one = await lecternJson(["jobs", "retry", failed[0]!, "--data", data])
    assert.deepStrictEqual(
      one.retried.map(({ id, status, attempts }: Job.JobRow) => [id, status, attempts]),
      [[failed[0], "waiting", 0]]
    )
    const others = await lecternJson(["jobs", "retry", "--all", "--data", data])
    assert.deepStrictEqual(
      others.retried.map(({ id }: Job.JobRow) => id),
      [failed[1]]
    )
    assert.deepStrictEqual(await lecternJson(["jobs", "retry", "--all", "--data", data]), { retried: [] })

    // They are due, and whoever works on the data runs them.
    const instance = await open()
    await instance.run(runDue)
    const again = await instance.run(Effect.flatMap(Jobs, (jobs) => jobs.list({ status: "failed" })))
    assert.sameMembers(
      again.map(({ id }) => id as string),
      failed
    )
    await instance.close()
  })

  it("refuses what can't be meant in a sentence", async () => {
    const { data, waiting } = await dataWithJobs()
    const refused: ReadonlyArray<readonly [args: ReadonlyArray<string>, about: string]> = [
      [["jobs", "retry"], "Specify the id of a job"],
      [["jobs", "retry", waiting, "--all"], "Specify the id of a job"],
      [["jobs", "retry", "nothing"], "There is no job nothing"],
      [["jobs", "retry", waiting], "The job is waiting"],
      [["jobs", "--status", "lost"], "lost"]
    ]
    for (const [args, about] of refused) {
      const { code, stdout } = await lectern([...args, "--json", "--data", data])
      assert.strictEqual(code, 1)
      assert.include(JSON.parse(stdout).error.message, about)
    }
  })
})
