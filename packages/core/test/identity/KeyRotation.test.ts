/** Changes of keys: all that is sealed is sealed anew, wherever they are stopped in between. */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { Cipher } from "@lectern/core/identity/Cipher"
import { AuditEventTable } from "@lectern/core/audit/AuditEvent"
import { Ids } from "@lectern/core/identity/Ids"
import { Instance } from "@lectern/core/identity/Instance"
import { InstanceTable } from "@lectern/core/identity/InstanceRow"
import { rotate } from "@lectern/core/identity/KeyRotation"
import { keyIdOf } from "@lectern/core/identity/Seal"
import { sealedTables } from "@lectern/core/identity/SealedTables"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { Secrets } from "@lectern/core/identity/Secrets"
import { Hostname, OrganizationId, OrganizationTable } from "@lectern/core/organization/Organization"
import { type ShareLinkRow, ShareLinkTable } from "@lectern/core/publishing/ShareLink"
import type { Sealed } from "@lectern/core/schema/Sealed"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { SiteId } from "@lectern/core/site/Site"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import type { Table } from "@lectern/core/storage/Table"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"

const count = 230
const site = SiteId.make("site")
const ports = Layer.mergeAll(Ids.layer, Hasher.layer, Cipher.layer)

type World = Context.Context<Storage | SecretKey>

const [first, second] = ["1".repeat(32), "2".repeat(32)].map((key) => Redacted.make(key)) as [
  Redacted.Redacted,
  Redacted.Redacted
]

/** A store with its key. Bodies run once, since tests count the writes until the process is killed. */
const world = Effect.map(
  Layer.build(Layer.fresh(Layer.merge(MemoryStorage.layer, SecretKey.layerInMemory))),
  (world): World => world
)

/** The services over a store, as a process that starts on it has them. */
const started = (world: World) =>
  Effect.provide(
    Effect.context<Secrets | Instance>(),
    Instance.layer.pipe(Layer.provideMerge(Secrets.layer), Layer.provide([ports, Layer.succeedContext(world)])),
    { local: true }
  )

const rotated = (world: World) => rotate.pipe(Effect.provide(ports), Effect.provideContext(world))

const fill = Effect.fnUntraced(function* (world: World) {
  const services = yield* started(world)
  const secrets = Context.get(services, Secrets)
  const links = Context.get(world, Storage).repository(ShareLinkTable)
  for (let i = 0; i < count; i++) {
    const key = { site, id: `link-${i}` }
    const sealed = yield* secrets.seal(ShareLinkTable, key, "key", `secret ${i}`)
    const row: ShareLinkRow = { ...key, name: "", key: sealed, mark: "", active: true, createdAt: "2026" as never }
    yield* links.insert(row)
  }
  return Context.get(services, Instance).sign("test", "text")
})

/** Reads everything, as a process that starts on it; gives the ids of the keys that it is sealed with. */
const readAll = Effect.fnUntraced(function* (world: World, signature: string) {
  const services = yield* started(world)
  assert.strictEqual(Context.get(services, Instance).sign("test", "text"), signature)
  const keyIds = new Set<string | undefined>()
  for (const row of yield* Context.get(world, Storage).repository(ShareLinkTable).list({ where: {} })) {
    keyIds.add(keyIdOf(row.key))
    const text = yield* Context.get(services, Secrets).open(ShareLinkTable, row, "key")
    assert.strictEqual(text, `secret ${row.id.slice("link-".length)}`)
  }
  return keyIds
})

/** A store that fails for good at its so-many-th write or transaction, as one whose process is killed. */
const failingAt = (world: World, at: number): World => {
  const storage = Context.get(world, Storage)
  let left = at
  const step = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.suspend((): Effect.Effect<A, E | StorageError, R> =>
      left-- > 0 ? effect : Effect.fail(new StorageError({ reason: "unavailable", message: "The process was killed" }))
    )
  return Context.add(world, Storage, {
    ...storage,
    transaction: (body) => step(storage.transaction(body)),
    repository: ((table: Table) => {
      const rows = storage.repository(table)
      return table === InstanceTable ? { ...rows, update: (...args) => step(rows.update(...args)) } : rows
    }) as Storage["Service"]["repository"]
  })
}

describe("A change of keys", () => {
  it.effect("seals everything anew, and leaves nothing of the old key", () =>
    Effect.gen(function* () {
      const here = yield* world
      const signature = yield* fill(here)
      const [before] = yield* readAll(here, signature)
      const [oldKey] = yield* Context.get(here, SecretKey).find
      // One more is the instance's own.
      assert.deepStrictEqual(yield* rotated(here), { sealed: count + 1, unreadable: 0 })
      const [after, ...others] = yield* readAll(here, signature)
      assert.isEmpty(others)
      assert.notStrictEqual(after, before)
      const [newKey, ...more] = yield* Context.get(here, SecretKey).find
      assert.isEmpty(more)
      assert.notStrictEqual(Redacted.value(newKey!), Redacted.value(oldKey!))
      const row = yield* Context.get(here, Storage).repository(InstanceTable).get({ id: "instance" })
      assert.isUndefined(row?.formerKey)
      assert.strictEqual(keyIdOf(row!.secret), after)
    })
  )

  it.effect("is told of in the audit log of each organization", () =>
    Effect.gen(function* () {
      const here = yield* world
      yield* fill(here)
      const storage = Context.get(here, Storage)
      const ids = Array.from({ length: 201 }, (_, i) => OrganizationId.make(`org-${String(i).padStart(3, "0")}`))
      for (const id of ids) {
        yield* storage.repository(OrganizationTable).insert({
          id,
          title: "Acme",
          hostname: Hostname.make(id),
          emailDomains: [],
          defaultRole: null,
          sso: false,
          ai: false,
          inviteLinks: false,
          createdAt: Timestamps.at(0)
        })
      }
      const done = yield* rotated(here)
      const events = yield* storage.repository(AuditEventTable).list({ where: { action: "key_rotated" } })
      assert.deepStrictEqual(events.map(({ organization }) => organization).toSorted(), ids)
      for (const { payload } of events) assert.deepStrictEqual(payload, { ...done })
    })
  )

  it.effect("is read by whoever starts after it was stopped anywhere, and goes on from there", () =>
    Effect.gen(function* () {
      let stopped = 0
      for (let at = 0; ; at++) {
        const here = yield* world
        const signature = yield* fill(here)
        const done = yield* Effect.result(rotated(failingAt(here, at)))
        yield* readAll(here, signature)
        if (done._tag === "Success") break
        stopped++
        yield* rotated(here)
        assert.strictEqual((yield* readAll(here, signature)).size, 1)
      }
      assert.isAtLeast(stopped, 5)
    })
  )

  it.effect("wants a new key from a host that gives its own, and tells one that gives the old one why", () =>
    Effect.gen(function* () {
      const store = yield* Layer.build(MemoryStorage.testLayer)
      const over = (...keys: [Redacted.Redacted, Redacted.Redacted?]): World =>
        Context.add(store, SecretKey, SecretKey.fromKeys(keys[0], "THE_SETTING", keys[1]))
      const signature = yield* fill(over(first))
      const missing = yield* Effect.flip(rotated(over(first)))
      assert.match(missing.message, /No next key is given for THE_SETTING/)
      // The key is kept, tables before are done, and so is a part of the share links.
      const partWay = sealedTables.indexOf(ShareLinkTable) + 2
      yield* Effect.flip(rotated(failingAt(over(first, second), partWay)))
      const halfway = yield* Effect.flip(started(over(first)))
      assert.match(halfway.message, /it is the new one by now/)
      assert.strictEqual((yield* readAll(over(second), signature)).size, 2)
      assert.isTrue(Context.get(yield* started(over(second)), Secrets).isChanging)
      yield* rotated(over(first, second))
      assert.strictEqual((yield* readAll(over(second), signature)).size, 1)
      assert.isFalse(Context.get(yield* started(over(second)), Secrets).isChanging)
      const over2 = yield* Effect.flip(started(over(first)))
      assert.match(over2.message, /Put back the one/)
    })
  )

  it.effect("leaves what can't be read as it is, and counts it", () =>
    Effect.gen(function* () {
      const here = yield* world
      yield* fill(here)
      const links = Context.get(here, Storage).repository(ShareLinkTable)
      yield* links.update({ site, id: "link-7" }, { key: "1.xxxxxxxx.abc" as Sealed<string> })
      assert.deepStrictEqual(yield* rotated(here), { sealed: count, unreadable: 1 })
      assert.strictEqual((yield* links.get({ site, id: "link-7" }))?.key, "1.xxxxxxxx.abc")
    })
  )

  it.effect("makes no key for data that is not there", () =>
    Effect.gen(function* () {
      const here = yield* world
      assert.strictEqual((yield* Effect.flip(rotated(here)))._tag, "InvalidSecretKey")
      assert.isEmpty(yield* Context.get(here, SecretKey).find)
    })
  )
})
