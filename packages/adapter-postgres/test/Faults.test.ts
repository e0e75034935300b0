/**
 * Lost connections and crashes of the server: an acknowledged write exists once, a failed one does not happen later, and
 * the store works again without a restart.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { inventTable } from "@lectern/adapter-contract/Invented"
import { openStore } from "@lectern/adapter-postgres/PostgresStorage"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Context, Effect } from "effect"
import { PostgresServer } from "./PostgresServer.ts"
import { Proxy } from "./Proxy.ts"

const server = Effect.acquireRelease(
  Effect.promise(() => PostgresServer.start()),
  (server) => Effect.promise(() => server.stop())
)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pg-proxy-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const storeBehindProxy = (timeout: number) =>
  Effect.gen(function* () {
    const target = yield* server
    const socketFolder = yield* folder
    const proxy = yield* Effect.acquireRelease(
      Effect.promise(() => Proxy.start(socketFolder, target.folder)),
      (proxy) => Effect.promise(() => proxy.stop())
    )
    const url = `postgres://lectern@/postgres?host=${encodeURIComponent(socketFolder)}`
    const { stores } = yield* openStore({ url, timeout })
    return { target, proxy, storage: Context.get(stores, Storage) }
  })

/**
 * Inserts rows and counts them in another row, until `isOver`. `onAcknowledged` receives the number of rows so far. No
 * insert may fail, and each row exists once.
 */
const insertUntil = (
  storage: Storage["Service"],
  isOver: () => boolean,
  onAcknowledged: (count: number) => Effect.Effect<void>
) =>
  Effect.gen(function* () {
    const repository = storage.repository(inventTable())
    yield* repository.insert({ id: "count", number: 0 })
    const acknowledged: Array<string> = []
    const insert = (id: string) =>
      storage.transaction(
        Effect.gen(function* () {
          const { number } = (yield* repository.get({ id: "count" }))!
          yield* repository.update({ id: "count" }, { number: number! + 1 })
          yield* repository.insert({ id, group: "g" })
        })
      )
    const writer = (writer: number) =>
      Effect.gen(function* () {
        for (let i = 0; !isOver(); i++) {
          const id = `${writer}/${i}`
          yield* insert(id)
          acknowledged.push(id)
          yield* onAcknowledged(acknowledged.length)
        }
      })
    yield* Effect.forEach([1, 2, 3, 4], writer, { concurrency: "unbounded" })
    const rows = yield* repository.list({ where: { group: "g" } })
    assert.sameMembers(
      rows.map(({ id }) => id),
      acknowledged
    )
    assert.strictEqual((yield* repository.get({ id: "count" }))!.number, acknowledged.length)
  })

it.live("connections that are cut lose no write, and repeat none", () =>
  Effect.gen(function* () {
    const { proxy, storage } = yield* storeBehindProxy(60_000)
    let cuts = 0
    const cut = (count: number) =>
      Effect.sync(() => {
        if (count % 7 !== 0) return
        cuts++
        // Other writers have sent their commits by then, or not.
        setImmediate(() => proxy.cut())
      })
    yield* insertUntil(storage, () => cuts >= 20, cut)
  }).pipe(Effect.scoped)
)

it.live("a server that crashes and starts again loses no write, and repeats none", () =>
  Effect.gen(function* () {
    const { storage, target } = yield* storeBehindProxy(60_000)
    let crashes = 0
    const crash = (count: number) =>
      count % 20 === 0
        ? Effect.promise(async () => {
            crashes++
            await target.kill()
            await target.run()
          })
        : Effect.void
    yield* insertUntil(storage, () => crashes >= 3, crash)
  }).pipe(Effect.scoped)
)

for (const when of ["before", "after"] as const) {
  it.live(`a commit whose connection is cut ${when} the server commits counts once`, () =>
    Effect.gen(function* () {
      const { proxy, storage } = yield* storeBehindProxy(60_000)
      const repository = storage.repository(inventTable())
      yield* repository.insert({ id: "a", number: 1 })
      for (let i = 0; i < 3; i++) {
        proxy.cutAt = { text: 'INSERT INTO "lectern".lectern_change', when }
        const [row] = yield* repository.list({ where: {} })
        assert.strictEqual(yield* repository.update({ id: "a", number: row!.number! }, { number: row!.number! + 1 }), 1)
        assert.strictEqual(proxy.cuts, i + 1)
      }
      assert.strictEqual((yield* repository.get({ id: "a" }))?.number, 4)
    }).pipe(Effect.scoped)
  )
}

it.live("a server that does not respond is unavailable, and available again later", () =>
  Effect.gen(function* () {
    const { proxy, storage } = yield* storeBehindProxy(5_000)
    const repository = storage.repository(inventTable())
    yield* repository.insert({ id: "a" })
    proxy.isHeld = true
    const uses: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
      repository.insert({ id: "b" }),
      repository.count({}),
      storage.probe,
      storage.generation
    ]
    const errors = yield* Effect.forEach(uses, Effect.flip, { concurrency: "unbounded" })
    assert.deepStrictEqual(
      errors.map((error) => (error instanceof StorageError ? error.reason : error)),
      uses.map(() => "unavailable")
    )
    proxy.isHeld = false
    assert.strictEqual(yield* repository.count({}), 1)
    yield* repository.insert({ id: "b" })
    assert.strictEqual(yield* repository.count({}), 2)
  }).pipe(Effect.scoped)
)
