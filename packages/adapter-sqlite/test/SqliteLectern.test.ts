import { statSync } from "node:fs"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { StorageError } from "@lectern/core/storage/Storage"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { heldTimers } from "../../core/test/HeldTimers.ts"
import { temporaryFile } from "./TemporaryFile.ts"

it.effect("keeps what was written for the next time it is opened", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.promise(async () => {
      const first = await SqliteLectern.open({ file })
      const { id } = await first.users.create({ email: "ada@example.com" })
      await first.close()

      const second = await SqliteLectern.open({ file })
      assert.strictEqual((await second.users.byEmail("ada@example.com"))?.id, id)
      await second.close()
    })
  })
)

it.effect("says what is wrong with a file that can't be opened", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const error = yield* Effect.flip(
      Effect.tryPromise({ try: () => SqliteLectern.open({ file: `${file}/below` }), catch: (error) => error })
    )
    assert.instanceOf(error, StorageError)
  })
)

it.effect("keeps no process from ending when it is not closed, although its index is put together beside", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.promise(async () => {
      const timers = heldTimers()
      try {
        const lectern = await SqliteLectern.open({ file })
        const { id } = await lectern.organizations.create({ title: "Acme" })
        const space = await lectern.spaces.create(id, { title: "Handbook" })
        await lectern.content.live.write(space.id, [
          { operation: "insert_page", title: "Prices", document: { markdown: "Free for one." } }
        ])
        assert.lengthOf((await lectern.search.space(space.id, "free", {})).items, 1)
        assert.strictEqual(await timers.count(), 0)
        await lectern.close()
      } finally {
        timers.restore()
      }
    })
  })
)

it.effect("lets the log grow as far as it is told", () =>
  Effect.gen(function* () {
    const sizes: Array<number> = []
    for (const logPages of [10, 1_000]) {
      const file = yield* temporaryFile
      yield* Effect.promise(async () => {
        const lectern = await SqliteLectern.open({ file, logPages })
        for (let i = 0; i < 20; i++) await lectern.users.create({ email: `${i}@example.com` })
        sizes.push(statSync(`${file}-wal`).size)
        await lectern.close()
      })
    }
    assert.isAbove(sizes[1]!, 3 * sizes[0]!)
  })
)

it.effect("passes every option of the database", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.promise(async () => {
      let commits = 0
      const secretKey = "a-key-of-the-host-that-is-long-enough"
      const first = await SqliteLectern.open({
        file,
        secretKey,
        busyTimeout: 5,
        maxPages: 300,
        onCommit: () => commits++
      })
      const { id } = await first.users.create({ email: "ada@example.com" })
      assert.isAbove(commits, 0)
      const { id: organization } = await first.organizations.create({ title: "Acme" }, id)
      const title = "a".repeat(50)
      const fill = async () => {
        for (;;) await Promise.all(Array.from({ length: 50 }, () => first.spaces.create(organization, { title })))
      }
      assert.deepInclude(await fill().catch((error: unknown) => error), { name: "StorageError", reason: "full" })
      await first.close()

      const reader = await SqliteLectern.open({ file, secretKey, readonly: true })
      assert.strictEqual((await reader.users.byEmail("ada@example.com"))?.id, id)
      const refused = await reader.users.create({ email: "eve@example.com" }).catch((error: unknown) => error)
      assert.deepInclude(refused, { name: "StorageError", reason: "read-only" })
      await reader.close()

      const alone = await SqliteLectern.open({ file, secretKey, exclusive: true })
      const other = await SqliteLectern.open({ file, secretKey, busyTimeout: 1 }).catch((error: unknown) => error)
      assert.deepInclude(other, { name: "StorageError", reason: "unavailable" })
      await alone.close()
    })
  })
)

it("says which option is missing", async () => {
  for (const options of [{}, { file: "" }, { file: 1 }]) {
    const refused = await SqliteLectern.open(options as never).catch((error: unknown) => error)
    assert.strictEqual((refused as Error).name, "StorageError")
    assert.include((refused as Error).message, "needs the option file")
  }
})

it("refuses options that do not exist", async () => {
  for (const [options, problem] of [
    [{ fil: "lectern.db" }, "fil: Unknown option: did you mean file?"],
    [{ databse: "lectern.db" }, "databse: Unknown option. Options: file, readonly, busyTimeout,"],
    [{ file: "lectern.db", filename: "lectern.db" }, "filename: Unknown option. Options: file,"],
    [{ file: "lectern.db", readOnly: true }, "readOnly: Unknown option: did you mean readonly?"],
    [{ file: "lectern.db", before: { merges: () => {} } }, "before.merges: Unknown option: did you mean merge?"],
    [{ file: "lectern.db", jobs: { poll: { second: 1 } } }, "jobs.poll.second: Unknown option: did you mean seconds?"]
  ] as const) {
    const refused = await SqliteLectern.open(options as never).catch((error: unknown) => error)
    assert.strictEqual((refused as Error).name, "InvalidInput")
    assert.include((refused as Error).message, `The input can't be accepted: ${problem}`)
  }
  assert.throws(
    () => SqliteStorage.layer({ file: "lectern.db" } as never),
    "file: Unknown option: did you mean filename?"
  )
})

it.effect("names the option of a secret key that can't be one", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const opened = SqliteLectern.open({ file, secretKey: "short" })
    const refused = yield* Effect.promise(() => opened.catch((error: unknown) => error))
    assert.include((refused as Error).message, "The key in the option secretKey must have")
  })
)
