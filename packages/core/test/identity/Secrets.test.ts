import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { Cipher } from "@lectern/core/identity/Cipher"
import { dataFormat } from "@lectern/core/identity/DataFormat"
import { Ids } from "@lectern/core/identity/Ids"
import { Instance } from "@lectern/core/identity/Instance"
import { InstanceTable } from "@lectern/core/identity/InstanceRow"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { Secrets } from "@lectern/core/identity/Secrets"
import { ShareLinkRow, ShareLinkTable } from "@lectern/core/publishing/ShareLink"
import type { Sealed } from "@lectern/core/schema/Sealed"
import { SiteId } from "@lectern/core/site/Site"
import { Hasher } from "@lectern/core/storage/Hasher"
import * as Table from "@lectern/core/storage/Table"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted } from "effect"

const here = { site: SiteId.make("site"), id: "1" }
const there = { site: SiteId.make("site"), id: "2" }

type Place = typeof here

const sealing = (secrets: Secrets["Service"], place: Place, text: string) =>
  secrets.seal(ShareLinkTable, place, "key", text)

const opening = (secrets: Secrets["Service"], place: Place, sealed: string) =>
  secrets.open(ShareLinkTable, { ...place, key: sealed as Sealed<string> }, "key")

const given = (key: string) => SecretKey.fromKeys(Redacted.make(key), "THE_SETTING")
const one = given("1".repeat(32))

const storageOf = (store: Context.Context<Storage>) => Layer.succeed(Storage, Context.get(store, Storage))

/** An instance over a store, with a key. */
const over = (store: Context.Context<Storage>, key: SecretKey["Service"]) =>
  Effect.provide(
    Effect.context<Secrets | Instance>(),
    Instance.layer.pipe(
      Layer.provideMerge(Secrets.layer),
      Layer.provide([Ids.layer, Hasher.layer, Cipher.layer, Layer.succeed(SecretKey, key), storageOf(store)])
    ),
    { local: true }
  )

describe("Secrets", () => {
  it.effect("are sealed otherwise each time, and open where they stand alone", () =>
    Effect.gen(function* () {
      const store = yield* Layer.build(MemoryStorage.testLayer)
      const secrets = Context.get(yield* over(store, one), Secrets)
      const [first, second] = [yield* sealing(secrets, here, "pässword"), yield* sealing(secrets, here, "pässword")]
      assert.notStrictEqual(first, second)
      assert.match(first, /^1\.[\w-]{8}\.[\w-]+$/)
      assert.strictEqual(first.split(".")[1], second.split(".")[1])
      assert.strictEqual(yield* opening(secrets, here, first), "pässword")
      for (const [place, sealed] of [
        [there, first],
        [here, first.replace(/^1/, "2")],
        [here, first.slice(0, -1)],
        [here, `${first.slice(0, 3)}xxxxxxxx${first.slice(11)}`],
        [here, "pässword"],
        [here, ""]
      ] as const) {
        const failure = yield* Effect.flip(opening(secrets, place, sealed))
        assert.strictEqual(failure._tag, "StorageError")
        assert.notInclude(failure.message, "pässword")
      }
    })
  )

  it.effect("are fields that their tables declare, and nothing else", () =>
    Effect.gen(function* () {
      const secrets = Context.get(yield* over(yield* Layer.build(MemoryStorage.testLayer), one), Secrets)
      const name = "name" as "key"
      assert.isTrue(Exit.hasDies(yield* Effect.exit(secrets.seal(ShareLinkTable, here, name, "text"))))
      const undeclared = Table.make("undeclared", ShareLinkRow, { key: ["id"], sealed: ["key"] })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(secrets.seal(undeclared, here, "key", "text"))))
    })
  )

  it.effect("open again with the key that they were sealed with, and refuse every other", () =>
    Effect.gen(function* () {
      const store = yield* Layer.build(MemoryStorage.testLayer)
      const first = yield* over(store, one)
      const sealed = yield* sealing(Context.get(first, Secrets), here, "password")
      const signed = Context.get(first, Instance).sign("test", "text")

      const again = yield* over(store, one)
      assert.strictEqual(yield* opening(Context.get(again, Secrets), here, sealed), "password")
      assert.strictEqual(Context.get(again, Instance).sign("test", "text"), signed)

      const other = yield* Effect.flip(over(store, given("2".repeat(32))))
      assert.strictEqual(other._tag, "InvalidSecretKey")
      assert.match(other.message, /THE_SETTING did not encrypt/)

      let made = 0
      const none = SecretKey.of({
        ...one,
        location: "the file lectern.db-key",
        find: Effect.succeed([]),
        store: (key) => Effect.sync(() => (made++, key))
      })
      const missing = yield* Effect.flip(over(store, none))
      assert.strictEqual(missing._tag, "InvalidSecretKey")
      assert.match(missing.message, /not in the file lectern\.db-key/)
      assert.strictEqual(made, 0)

      const short = yield* Effect.flip(over(yield* Layer.build(MemoryStorage.layerWith({})), given("short")))
      assert.match(short.message, /32 to 256/)
    })
  )
})

describe("The data of an instance", () => {
  it.effect("is refused where its documents have another format, and left as it is", () =>
    Effect.gen(function* () {
      const store = yield* Layer.build(MemoryStorage.testLayer)
      yield* over(store, one)
      const rows = Context.get(store, Storage).repository(InstanceTable)
      const { format, ...first } = (yield* rows.get({ id: "instance" }))!
      assert.strictEqual(format, dataFormat)
      for (const other of [first, { ...first, format: dataFormat + 1 }]) {
        yield* rows.remove({ id: "instance" })
        yield* rows.insert(other)
        const refused = yield* Effect.flip(over(store, one))
        assert.strictEqual(refused._tag === "StorageError" && refused.reason, "other-format")
        assert.match(refused.message, /format \d+.*lectern export.*lectern import/)
        assert.deepStrictEqual(yield* rows.get({ id: "instance" }), other)
      }
    })
  )
})
