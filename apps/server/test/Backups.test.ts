/** When a running server makes backups by itself, and which it keeps. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { BackupFailed, manifestOf } from "@lectern/adapter-sqlite/durability/BackupManifest"
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Logger, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as Backups from "../src/Backups.ts"

const start = Date.UTC(2026, 0, 1)

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-backups-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const finish = (folder: string, hashes: ReadonlyArray<string> = []) => {
  mkdirSync(folder, { recursive: true })
  const begunAt = `${basename(folder).slice(0, 13)}:00:00.000Z`
  const blobs = hashes.map((hash) => ({ hash, bytes: 1 }))
  const manifest = manifestOf({ begunAt, database: { bytes: 0, sha256: "" }, blobs })
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest))
}

const finishing: Backups.Make = ({ folder }) =>
  Effect.as(
    Effect.sync(() => finish(folder)),
    []
  )

/** Metrics of backups, without what all their names begin with. */
const measured = Effect.map(Metric.snapshot, (all) =>
  Object.fromEntries(
    all.flatMap(({ id, type, state }) =>
      type === "Gauge" && id.startsWith("lectern_backup_") ? [[id.slice("lectern_backup_".length), state.value]] : []
    )
  )
)

const warned: Array<string> = []
const logged = Logger.layer([
  Logger.make(({ logLevel, message }) => {
    if (logLevel === "Warn") warned.push(String(message))
  })
])

it.effect("makes one when it is due, keeps so many, links the last, and touches nothing else", () =>
  Effect.gen(function* () {
    const folder = yield* temporary
    writeFileSync(join(folder, "notes.txt"), "mine")
    const made: Array<string> = []
    let failing = false
    const make: Backups.Make = ({ folder, previous: since }) =>
      Effect.gen(function* () {
        if (failing) return yield* new BackupFailed({ message: "no room" })
        finish(folder)
        const name = basename(folder).replace("-unfinished", "")
        made.push(since === undefined ? name : `${name} since ${basename(since)}`)
        return []
      })
    const next = Backups.due({ folder, hours: 6, maxCount: 2 }, "lectern.db", make)
    const at = (hours: number) => TestClock.setTime(start + hours * 3_600_000)
    const hour = 3_600_000

    yield* at(0)
    assert.strictEqual(yield* next, 6 * hour)
    yield* at(2)
    assert.strictEqual(yield* next, 4 * hour)
    yield* at(6)
    failing = true
    assert.strictEqual((yield* Effect.flip(next)).message, "no room")
    assert.deepStrictEqual(readdirSync(folder).sort(), ["2026-01-01T00-00-00Z", "notes.txt"])
    failing = false
    yield* at(7)
    yield* next
    yield* at(13)
    yield* next
    assert.deepStrictEqual(made, [
      "2026-01-01T00-00-00Z",
      "2026-01-01T07-00-00Z since 2026-01-01T00-00-00Z",
      "2026-01-01T13-00-00Z since 2026-01-01T07-00-00Z"
    ])
    assert.deepStrictEqual(readdirSync(folder).sort(), ["2026-01-01T07-00-00Z", "2026-01-01T13-00-00Z", "notes.txt"])
  })
)

it.effect("keeps an old one that names a blob which the new one lacks", () =>
  Effect.gen(function* () {
    const folder = yield* temporary
    finish(join(folder, "2025-12-29T00-00-00Z"), ["one", "two"])
    finish(join(folder, "2025-12-30T00-00-00Z"), ["one"])
    yield* TestClock.setTime(start)
    const make: Backups.Make = ({ folder }) =>
      Effect.sync(() => {
        finish(folder, ["one"])
        return [{ hash: "two", damaged: true }]
      })
    yield* Backups.due({ folder, hours: 6, maxCount: 1 }, "lectern.db", make)
    assert.deepStrictEqual(readdirSync(folder).sort(), ["2025-12-29T00-00-00Z", "2026-01-01T00-00-00Z"])
  })
)

it.effect("removes what a server left behind, and nothing else that it can't use, of which it warns once", () =>
  Effect.gen(function* () {
    const folder = yield* temporary
    const put = (name: string, manifest?: string) => {
      mkdirSync(join(folder, name))
      if (manifest !== undefined) writeFileSync(join(folder, name, "manifest.json"), manifest)
      return join(folder, name)
    }
    put("2025-12-01T00-00-00Z")
    put("2025-12-02T00-00-00Z", "{}")
    put("2025-12-03T00-00-00Z", JSON.stringify({ format: 2 }))
    mkdirSync(join(put("2025-12-04T00-00-00Z"), "manifest.json"))
    const [old, written] = [new Date(start - 7 * 3_600_000), new Date(start - 3_600_000)]
    const leave = (name: string, blob: Date) => {
      const blobs = join(put(name), "lectern.db-blobs")
      mkdirSync(blobs)
      writeFileSync(join(blobs, "blob"), "half")
      utimesSync(join(blobs, "blob"), blob, blob)
      for (const path of [blobs, join(folder, name)]) utimesSync(path, old, old)
    }
    leave("2025-12-31T00-00-00Z-unfinished", old)
    leave("2025-12-31T01-00-00Z-unfinished", written)
    const stays = readdirSync(folder).filter((name) => name !== "2025-12-31T00-00-00Z-unfinished")
    warned.length = 0
    const told = new Set<string>()
    const plan = { folder, hours: 6, maxCount: 1 }
    for (const time of [start, start + 6 * 3_600_000 - 1]) {
      yield* TestClock.setTime(time)
      yield* Effect.provide(Backups.due(plan, "lectern.db", finishing, told), logged)
    }
    assert.deepStrictEqual(readdirSync(folder).sort(), [...stays, "2026-01-01T00-00-00Z"].sort())
    assert.strictEqual(warned.length, 5)
    for (const name of stays) assert.include(warned.join(), name)
  })
)

it.effect("removes nothing where somebody else is making one of the same name", () =>
  Effect.gen(function* () {
    const folder = yield* temporary
    mkdirSync(join(folder, "2026-01-01T00-00-00Z-unfinished"))
    yield* TestClock.setTime(start)
    const { message } = yield* Effect.flip(Backups.due({ folder, hours: 6, maxCount: 1 }, "lectern.db", finishing))
    assert.match(message, /another file or folder has its name/)
    assert.deepStrictEqual(readdirSync(folder), ["2026-01-01T00-00-00Z-unfinished"])
  })
)

it.effect("makes one where all that are there are yet to come, warns once, and counts and removes none of them", () =>
  Effect.gen(function* () {
    const folder = yield* temporary
    const hour = 3_600_000
    finish(join(folder, "2099-01-01T00-00-00Z"))
    warned.length = 0
    const told = new Set<string>()
    const next = Effect.provide(Backups.due({ folder, hours: 6, maxCount: 1 }, "lectern.db", finishing, told), logged)
    for (const [at, wait] of [
      [0, 6],
      [2, 4],
      [6, 6]
    ] as const) {
      yield* TestClock.setTime(start + at * hour)
      assert.strictEqual(yield* next, wait * hour)
    }
    assert.deepStrictEqual(readdirSync(folder).sort(), ["2026-01-01T06-00-00Z", "2099-01-01T00-00-00Z"])
    assert.strictEqual(warned.length, 1)
    assert.match(warned[0]!, /2099-01-01T00-00-00Z has the future time 2099-01-01T00:00:00.000Z/)
  })
)

it.effect("waits by the clock for the next, also where the machine slept or its clock was put right", () =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    let ahead = 0
    const now = () => clock.currentTimeMillisUnsafe() + ahead
    const shifted: Clock.Clock = { ...clock, currentTimeMillisUnsafe: now, currentTimeMillis: Effect.sync(now) }
    const day = 24 * 3_600_000
    const waiting = Effect.forkChild(Effect.provideService(Backups.waitFor(day), Clock.Clock, shifted))
    const usual = yield* waiting
    yield* TestClock.adjust(day - 1)
    assert.isUndefined(usual.pollUnsafe())
    yield* TestClock.adjust(1)
    assert.isDefined(usual.pollUnsafe())
    // Back means that nobody knows how long to wait.
    for (const jump of [32 * 3_600_000, -400 * day]) {
      const jumped = yield* waiting
      yield* TestClock.adjust("1 hour")
      assert.isUndefined(jumped.pollUnsafe())
      ahead += jump
      yield* TestClock.adjust("1 minute")
      assert.isDefined(jumped.pollUnsafe())
    }
  })
)

it.effect("tells in metrics how old the last one is, whoever made it, and what it lacks", () =>
  Effect.gen(function* () {
    const folder = yield* temporary
    const plan = { folder, hours: 6, maxCount: 2 }
    const interval_seconds = 6 * 3_600
    const before = yield* Deferred.make<unknown>()
    const making: Backups.Make = () =>
      Effect.andThen(
        Effect.flatMap(measured, (all) => Deferred.succeed(before, all)),
        Effect.never
      )
    const running = yield* Effect.forkChild(Backups.run(plan, "lectern.db", making))
    // Whoever has none, and can't make one, has to hear of it.
    assert.deepStrictEqual(yield* Deferred.await(before), { begun_time_seconds: 0, interval_seconds, lost_blobs: 0 })
    yield* Fiber.interrupt(running)

    yield* TestClock.setTime(start)
    const lacking: Backups.Make = (options) => Effect.as(finishing(options), [{ hash: "gone" }])
    yield* Backups.due(plan, "lectern.db", lacking)
    assert.deepStrictEqual(yield* measured, { begun_time_seconds: start / 1_000, interval_seconds, lost_blobs: 1 })

    finish(join(folder, "2026-01-01T03-00-00Z"))
    yield* TestClock.adjust("4 hours")
    yield* Backups.due(plan, "lectern.db", lacking)
    const begun_time_seconds = start / 1_000 + 3 * 3_600
    assert.deepStrictEqual(yield* measured, { begun_time_seconds, interval_seconds, lost_blobs: 0 })
  })
)
