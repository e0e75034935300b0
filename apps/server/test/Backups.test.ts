/** When a running server makes backups by itself, and which it keeps. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { BackupFailed, manifestOf } from "@lectern/adapter-sqlite/backup/BackupManifest"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as Backups from "../src/Backups.ts"

const start = Date.UTC(2026, 0, 1)

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "lectern-backups-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

it.effect("makes one when it is due, keeps so many, links the last, and touches nothing else", () =>
  Effect.gen(function* () {
    const folder = yield* temporary
    writeFileSync(join(folder, "notes.txt"), "mine")
    mkdirSync(join(folder, "2025-12-31T23-00-00Z"))
    const made: Array<string> = []
    let failing = false
    const make: Backups.Make = ({ folder, since }) =>
      Effect.gen(function* () {
        mkdirSync(folder)
        if (failing) return yield* new BackupFailed({ message: "no room" })
        const begunAt = `${basename(folder).slice(0, 13)}:00:00.000Z`
        const manifest = manifestOf({ begunAt, database: { bytes: 0, sha256: "" }, blobs: [] })
        writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest))
        made.push(since === undefined ? basename(folder) : `${basename(folder)} since ${basename(since)}`)
        return []
      })
    const next = Backups.due({ folder, hours: 6, keep: 2 }, "lectern.db", make)
    const at = (hours: number) => TestClock.setTime(start + hours * 3_600_000)
    const hour = 3_600_000

    yield* at(0)
    assert.strictEqual(yield* next, 6 * hour)
    yield* at(2)
    assert.strictEqual(yield* next, 4 * hour)
    yield* at(6)
    failing = true
    assert.strictEqual((yield* Effect.flip(next)).message, "no room")
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
    const finish = (folder: string, hashes: ReadonlyArray<string>) => {
      mkdirSync(folder, { recursive: true })
      const begunAt = `${basename(folder).slice(0, 13)}:00:00.000Z`
      const blobs = hashes.map((hash) => ({ hash, bytes: 1 }))
      const manifest = manifestOf({ begunAt, database: { bytes: 0, sha256: "" }, blobs })
      writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest))
    }
    finish(join(folder, "2025-12-29T00-00-00Z"), ["one", "two"])
    finish(join(folder, "2025-12-30T00-00-00Z"), ["one"])
    yield* TestClock.setTime(start)
    const make: Backups.Make = ({ folder }) =>
      Effect.sync(() => {
        finish(folder, ["one"])
        return [{ hash: "two", damaged: true }]
      })
    yield* Backups.due({ folder, hours: 6, keep: 1 }, "lectern.db", make)
    assert.deepStrictEqual(readdirSync(folder).sort(), ["2025-12-29T00-00-00Z", "2026-01-01T00-00-00Z"])
  })
)
