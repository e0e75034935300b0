/** A change of keys that is killed, again and again: whatever it had done, a server starts on it and reads every secret. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Ids } from "@lectern/core/identity/Ids"
import { Instance } from "@lectern/core/identity/Instance"
import { keyIdOf } from "@lectern/core/identity/Seal"
import { Secrets } from "@lectern/core/identity/Secrets"
import { type ShareLinkRow, ShareLinkTable } from "@lectern/core/publishing/ShareLink"
import { SiteId } from "@lectern/core/site/Site"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { temporaryFolder } from "./LecternProcess.ts"

const count = 10_000
const kills = 12
const site = SiteId.make("site")

const main = inject("bundledServer") ?? join(import.meta.dirname, "../src/main.ts")

/** Services of a process that starts on the data. */
const process = (data: string) =>
  Instance.layer.pipe(
    Layer.provideMerge(Secrets.layer),
    Layer.provideMerge(SqliteStorage.layer({ filename: join(data, "lectern.db") })),
    Layer.provide([Ids.layer, NodeHasher.layer, NodeCipher.layer])
  )

const on = <A, E>(data: string, effect: Effect.Effect<A, E, Storage | Secrets | Instance>) =>
  Effect.runPromise(Effect.provide(effect, process(data), { local: true }))

const fill = Effect.gen(function* () {
  const storage = yield* Storage
  const secrets = yield* Secrets
  const links = storage.repository(ShareLinkTable)
  for (let done = 0; done < count; done += 1000) {
    yield* storage.transaction(
      Effect.gen(function* () {
        for (let i = done; i < done + 1000; i++) {
          const id = { site, id: `link-${i}` }
          const key = yield* secrets.seal(ShareLinkTable, id, "key", `secret ${i}`)
          const row: ShareLinkRow = { ...id, name: "", key, mark: "", active: true, createdAt: "2026" as never }
          yield* Effect.orDie(links.insert(row))
        }
      })
    )
  }
})

/** Opens everything, and counts what is sealed with which key. */
const readAll = Effect.gen(function* () {
  const secrets = yield* Secrets
  const keyIds = new Map<string, number>()
  const rows = yield* (yield* Storage).repository(ShareLinkTable).list({ where: {} })
  assert.strictEqual(rows.length, count)
  for (const row of rows) {
    assert.strictEqual(yield* secrets.open(ShareLinkTable, row, "key"), `secret ${row.id.slice("link-".length)}`)
    const keyId = keyIdOf(row.key)!
    keyIds.set(keyId, (keyIds.get(keyId) ?? 0) + 1)
  }
  return keyIds
})

const rotate = (data: string) => {
  const child = spawn(globalThis.process.execPath, [main, "key", "rotate", "--data", data], { stdio: "ignore" })
  return { child, ended: once(child, "close").then(([code]) => code as number | null) }
}

describe("A change of keys that is killed", () => {
  it("leaves data that starts, with all its secrets", async () => {
    const data = temporaryFolder()
    await on(data, fill)
    // A machine that meanwhile got slower or faster is measured anew.
    for (let halfway = 0; halfway === 0;) {
      const begun = performance.now()
      assert.strictEqual(await rotate(data).ended, 0)
      const takes = performance.now() - begun
      for (let kill = 1; kill <= kills; kill++) {
        const { child, ended } = rotate(data)
        // Everywhere between its start and its end, whatever the machine.
        await new Promise((done) => setTimeout(done, (takes * kill) / (kills + 1)))
        child.kill("SIGKILL")
        await ended
        if ((await on(data, readAll)).size > 1) halfway++
      }
    }
    assert.strictEqual(await rotate(data).ended, 0)
    assert.strictEqual((await on(data, readAll)).size, 1)
    assert.isFalse(existsSync(join(data, "lectern.db-key-next")))
  })
})
