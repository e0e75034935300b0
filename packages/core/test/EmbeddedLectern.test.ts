/** Surroundings of a Lectern without Effect: where it logs, and what time it is. */
import { assert, describe, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import type { HostLogger } from "@lectern/core/HostLogger"
import * as Job from "@lectern/core/job/Job"
import { Storage } from "@lectern/core/storage/Storage"
import { UserTable } from "@lectern/core/user/User"
import { Effect, Schema } from "effect"
import { vi } from "vitest"
import { heldTimers } from "./HeldTimers.ts"

const Digest = Job.kind("acme/send-digest", Schema.Struct({ user: Schema.String }), { attempts: 1 })

type Entry = Parameters<HostLogger>

/** Everything that is written to the console or past it while the function runs. */
const printed = async (body: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  const spies = [
    ...(["log", "info", "warn", "error", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...said) => void lines.push(said.join(" ")))
    ),
    ...[process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation((said) => lines.push(String(said)) > 0)
    )
  ]
  try {
    await body()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return lines
}

const failing = async (logger: HostLogger) => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, logger })
  await lectern.handle(Digest, () => {
    throw new Error("the mail server is gone")
  })
  await lectern.jobs.enqueue(Digest, { user: "ada" })
  await lectern.jobs.worker.runDue()
  return lectern
}

describe("The logger of a host", () => {
  it("hears of a job that fails, and the console does not", async () => {
    const entries: Array<Entry> = []
    const lines = await printed(async () => {
      const lectern = await failing((...entry) => entries.push(entry))
      await lectern.run(Effect.logInfo("A word", { of: "the host's" }).pipe(Effect.annotateLogs("request", "7")))
      await lectern.close()
    })
    assert.deepStrictEqual(lines, [])
    const [level, message, { job, kind }] = entries[0]!
    assert.deepStrictEqual(
      [level, message, kind],
      ["warn", "A job failed: the mail server is gone", "acme/send-digest"]
    )
    assert.isString(job)
    assert.deepStrictEqual(entries.at(-1), ["info", 'A word {"of":"the host\'s"}', { request: "7" }])
  })

  it("hears of what is done in the background, too, with the text of what went wrong", async () => {
    const heard = Promise.withResolvers<Entry>()
    const lines = await printed(async () => {
      const lectern = await MemoryLectern.open({ rerunBodies: true, logger: (...entry) => heard.resolve(entry) })
      const handled = Job.kind("acme/log", Schema.Struct({}))
      await lectern.handle(handled, (_, { lectern: own }) => own.run(Effect.logError("A word", new Error("at fault"))))
      await lectern.jobs.enqueue(handled, {})
      const [level, message, { error, kind }] = await heard.promise
      assert.deepStrictEqual([level, message, kind], ["error", "A word", undefined])
      assert.match(String(error), /at fault[^]*EmbeddedLectern\.test/)
      await lectern.close()
    })
    assert.deepStrictEqual(lines, [])
  })

  it("may be silent, or throw", async () => {
    const lines = await printed(async () => {
      await (await failing(() => {})).close()
      const throwing = await failing(() => {
        throw new Error("no room to log")
      })
      assert.strictEqual((await throwing.jobs.list({ status: "failed" })).length, 1)
      await throwing.close()
    })
    assert.deepStrictEqual(lines, [])
  })
})

describe("The clock of a host", () => {
  const day = 24 * 60 * 60 * 1000

  it("tells the time to services, jobs and the effects of the host", async () => {
    let now = Date.UTC(2030, 0, 1)
    const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, clock: () => now })
    const { id: ada } = await lectern.users.create({ email: "ada@example.com" })
    const organization = await lectern.organizations.create({ title: "Acme" }, ada)
    assert.strictEqual(organization.createdAt, "2030-01-01T00:00:00.000Z")

    const { token } = await lectern.tokens.create(ada, { expires: { hours: 1 } })
    const done: Array<string> = []
    await lectern.handle(Digest, ({ user }) => done.push(user))
    await lectern.jobs.enqueue(Digest, { user: "ada" }, { runAt: new Date(now + day) })
    await lectern.jobs.worker.runDue()
    assert.deepStrictEqual(done, [])
    now += day
    await lectern.jobs.worker.runDue()
    assert.deepStrictEqual(done, ["ada"])
    assert.strictEqual(
      (await lectern.tokens.authenticate(String(token)).catch(({ _tag }) => _tag)) as unknown,
      "Unauthorized"
    )
    const clock = await lectern.run(Effect.clockWith(Effect.succeed))
    assert.strictEqual(clock.currentTimeMillisUnsafe(), now)
    assert.strictEqual(clock.currentTimeNanosUnsafe(), BigInt(now) * 1_000_000n)
    await lectern.close()
  })
})

describe("A job of a host", () => {
  it("can't write after another run has taken it over", async () => {
    let now = Date.UTC(2030, 0, 1)
    const lectern = await MemoryLectern.open({ rerunBodies: true, background: false, clock: () => now })
    const Greeting = Job.kind("acme/greet", Schema.Struct({ user: Schema.String }))
    const begun = Promise.withResolvers<void>()
    const continued = Promise.withResolvers<void>()
    const reasons: Array<unknown> = []
    const refused = (write: Promise<unknown>) => write.catch(({ reason }) => reasons.push(reason))
    await lectern.handle(Greeting, async ({ user }, { lectern: own, attempt }) => {
      const create = (name: string) => own.users.create({ email: `${name}@example.com` })
      if (attempt > 1) return create(user)
      begun.resolve()
      await continued.promise
      await refused(create("late"))
      await refused(own.transaction((inside) => inside.users.create({ email: "later@example.com" })))
      await refused(own.run(Effect.flatMap(Storage, (storage) => storage.transaction(Effect.void))))
      return undefined
    })
    await lectern.jobs.enqueue(Greeting, { user: "ada" })
    const first = lectern.jobs.worker.runDue()
    await begun.promise
    now += 16_000
    await lectern.jobs.worker.runDue()
    continued.resolve()
    await first
    assert.deepStrictEqual(reasons, ["lease-lost", "lease-lost", "lease-lost"])
    const users = await lectern.run(
      Effect.flatMap(Storage, (storage) => storage.repository(UserTable).list({ where: {} }))
    )
    assert.deepStrictEqual(
      users.map(({ email }) => email),
      ["ada@example.com"]
    )
    assert.strictEqual((await lectern.jobs.list({ status: "done" })).length, 1)
    await lectern.close()
  })
})

describe("A Lectern that is not closed", () => {
  it("keeps no process from ending, until the host handles jobs or follows events", async () => {
    const timers = heldTimers()
    try {
      const lectern = await MemoryLectern.open({ rerunBodies: true })
      const { id } = await lectern.organizations.create({ title: "Acme" })
      await lectern.spaces.create(id, { title: "Handbook" })
      assert.strictEqual(await timers.count(), 0)
      const subscription = await lectern.on(["space_removed"], () => undefined)
      assert.strictEqual(await timers.count(), 1)
      await subscription.close()
      assert.strictEqual(await timers.count(), 0)
      await lectern.handle(Digest, () => undefined)
      assert.strictEqual(await timers.count(), 1)
      await lectern.close()
      assert.strictEqual(await timers.count(), 0)
    } finally {
      timers.restore()
    }
  })
})
