/** Commits that last: what a crash leaves, and what a full disk or a damaged file refuses. */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Cause, Effect, Exit } from "effect"
import { count, insert, reasonOf, repository, using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

const body = "x".repeat(3_000)
const probe = Effect.flatMap(Storage, (storage) => storage.probe)

describe("DurableTransactions", () => {
  it.effect("commits what waits in one go", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const groups: Array<number> = []
      const onCommit = (transactions: number) => void groups.push(transactions)
      const all = Effect.gen(function* () {
        yield* insert({ id: "first" })
        groups.length = 0
        yield* Effect.forEach(
          Array.from({ length: 100 }, (_, i) => `i${i}`),
          (id) => insert({ id }),
          { concurrency: "unbounded" }
        )
      })
      // The clock of the test stands still, so only the size bounds a group.
      yield* using({ filename, onCommit }, all)
      assert.deepStrictEqual(groups, [64, 36])
    })
  )

  it.effect("fails as full where there is no room, keeps what was there, and goes on when there is", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const body = "x".repeat(50_000)
      const written = yield* using(
        { filename, maxPages: 60 },
        Effect.gen(function* () {
          const items = yield* repository
          let fitted = 0
          let failure: unknown
          while (failure === undefined) {
            const exit = yield* Effect.exit(items.insert({ id: `i${fitted}`, body, tags: ["x"] }))
            if (Exit.isSuccess(exit)) fitted++
            else failure = Cause.squash(exit.cause)
          }
          assert.isAbove(fitted, 0)
          assert.strictEqual((failure as StorageError).reason, "full")
          assert.strictEqual(yield* items.count({ tags: { any: ["x"] } }), fitted)
          assert.strictEqual(yield* reasonOf(items.insert({ id: "again", body })), "full")

          // A transaction that succeeded is in the database, whether or not others of its group failed.
          const storage = yield* Storage
          yield* items.remove({ id: "i0" })
          for (const [alone, names] of [
            [false, ["a", "b", "c", "d", "e", "f"]],
            [true, ["g", "h", "c", "i", "j", "k"]]
          ] as const) {
            const exits = yield* Effect.forEach(
              names,
              (id) => {
                const insert = items.insert({ id, body: id === "c" ? body + body : id })
                return Effect.exit(alone ? insert : storage.transaction(insert))
              },
              { concurrency: "unbounded" }
            )
            assert.isTrue(Exit.isFailure(exits[2]!))
            const told = names.filter((_, i) => Exit.isSuccess(exits[i]!))
            const found = yield* items.list({ where: { id: { in: names } } })
            assert.deepStrictEqual(
              found.map(({ id }) => id),
              told
            )
            assert.include(told, names[5])
          }
          return yield* items.count({})
        })
      )
      assert.strictEqual(yield* using({ filename }, count), written)
    })
  )

  it.effect("fails over a damaged file, and crashes nothing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const many = Effect.forEach(
        Array.from({ length: 200 }, (_, i) => `i${i}`),
        (id) => insert({ id, body: "x".repeat(3_000) })
      )
      yield* using({ filename }, many)
      const file = openSync(filename, "r+")
      const noise = new Uint8Array(4096).fill(0xa5)
      for (let page = 6; page < 100; page++) writeSync(file, noise, 0, noise.length, page * 4096)
      const all = Effect.flatMap(repository, (items) => items.list({ where: {} }))
      assert.strictEqual(yield* reasonOf(using({ filename }, all)), "damaged")
      const write = Effect.flatMap(repository, (items) => items.update({}, { text: "x" }))
      assert.strictEqual(yield* reasonOf(using({ filename }, write)), "damaged")
    })
  )

  it.effect("a copy of the files of a store in use opens, with what was committed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const copy = `${filename}.copy`
      yield* using(
        { filename },
        Effect.gen(function* () {
          yield* insert({ id: "a" })
          const storage = yield* Storage
          // The copy is made in the middle of a transaction, so it is what a crash would leave.
          yield* storage.transaction(
            Effect.andThen(
              insert({ id: "b" }),
              Effect.sync(() => {
                copyFileSync(filename, copy)
                copyFileSync(`${filename}-wal`, `${copy}-wal`)
              })
            )
          )
        })
      )
      assert.strictEqual(yield* using({ filename: copy }, count), 1)
    })
  )
})

/** Mounts a small file system, which tests fill. Only root can mount it. */
const small = (size: string) =>
  Effect.acquireRelease(
    Effect.map(temporaryFile, (file) => {
      const folder = `${dirname(file)}/small`
      mkdirSync(folder, { mode: 0o700 })
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder], { stdio: "ignore" })
      return folder
    }),
    (folder) => Effect.sync(() => execFileSync("umount", [folder]))
  )

const canMount = await Effect.runPromise(
  Effect.scoped(small("1m")).pipe(
    Effect.as(true),
    Effect.catchCause(() => Effect.succeed(false))
  )
)
if (!canMount) console.warn("SKIPPED: a full disk, as nothing can be mounted here")

describe.skipIf(!canMount)("A full disk", () => {
  it.effect("is told of, keeps what was answered, and is got over", () =>
    Effect.gen(function* () {
      const folder = yield* small("4m")
      const filename = `${folder}/lectern.db`
      yield* using(
        { filename },
        Effect.gen(function* () {
          yield* insert({ id: "one", body })
          yield* probe
          const room = `${folder}/other`
          try {
            writeFileSync(room, new Uint8Array(8 * 1024 * 1024))
          } catch {
            // The disk is full now.
          }
          assert.strictEqual(yield* reasonOf(probe), "full")
          assert.strictEqual(
            yield* reasonOf(
              Effect.forEach(
                Array.from({ length: 2_000 }, (_, i) => `f${i}`),
                (id) => insert({ id, body })
              )
            ),
            "full"
          )
          rmSync(room)
          yield* probe
          yield* insert({ id: "two", body })
          assert.isAtLeast(yield* count, 2)
        })
      )
    })
  )

  for (const [kind, logPages, rowsAtOnce] of [
    ["many writes", 1_000, 1],
    ["many writes of a command", 16_384, 1],
    ["large writes of a command", 16_384, 900]
  ] as const) {
    it.live(`leaves no log that can't be folded into the database: ${kind}`, () =>
      Effect.gen(function* () {
        const folder = yield* small("16m")
        const filename = `${folder}/lectern.db`
        let written = 0
        const write = Effect.gen(function* () {
          const storage = yield* Storage
          const from = written
          yield* storage.transaction(
            Effect.forEach(
              Array.from({ length: rowsAtOnce }, (_, i) => `n${from + i}`),
              (id) => insert({ id, body })
            )
          )
          written += rowsAtOnce
        })
        yield* using(
          { filename, logPages },
          Effect.gen(function* () {
            assert.strictEqual(yield* reasonOf(Effect.forever(write)), "full")
            assert.isAtLeast(written * 4_096, 3 * 1024 * 1024)
          })
        )
        // The last process to close the database merged the write-ahead log and deleted it.
        assert.deepStrictEqual(
          readdirSync(folder).filter((name) => name.endsWith("-wal")),
          []
        )
        yield* using(
          { filename },
          Effect.gen(function* () {
            assert.strictEqual(yield* count, written)
            const rows = yield* repository
            for (let i = 0; i < written; i += 2) yield* rows.remove({ id: `n${i}` })
            yield* write
          })
        )
      })
    )
  }
})
