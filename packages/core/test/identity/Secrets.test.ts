import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { Cipher } from "@lectern/core/identity/Cipher"
import { Ids } from "@lectern/core/identity/Ids"
import { Instance } from "@lectern/core/identity/Instance"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { type Place, Secrets } from "@lectern/core/identity/Secrets"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"

const here: Place = ["shareLink", "1", "key"]
const there: Place = ["shareLink", "2", "key"]

const given = (key: string) => SecretKey.given(Redacted.make(key), "THE_SETTING")
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
      const store = yield* Layer.build(MemoryStorage.layer)
      const secrets = Context.get(yield* over(store, one), Secrets)
      const [first, second] = [yield* secrets.seal(here, "pässword"), yield* secrets.seal(here, "pässword")]
      assert.notStrictEqual(first, second)
      assert.match(first, /^1\.[\w-]{8}\.[\w-]+$/)
      assert.strictEqual(first.split(".")[1], second.split(".")[1])
      assert.strictEqual(yield* secrets.open(here, first), "pässword")
      for (const [place, sealed] of [
        [there, first],
        [here, first.replace(/^1/, "2")],
        [here, first.slice(0, -1)],
        [here, `${first.slice(0, 3)}xxxxxxxx${first.slice(11)}`],
        [here, "pässword"],
        [here, ""]
      ] as const) {
        const failure = yield* Effect.flip(secrets.open(place, sealed))
        assert.strictEqual(failure._tag, "StorageError")
        assert.notInclude(failure.message, "pässword")
      }
    })
  )

  it.effect("open again with the key that they were sealed with, and refuse every other", () =>
    Effect.gen(function* () {
      const store = yield* Layer.build(MemoryStorage.layer)
      const first = yield* over(store, one)
      const sealed = yield* Context.get(first, Secrets).seal(here, "password")
      const signed = Context.get(first, Instance).sign("test", "text")

      const again = yield* over(store, one)
      assert.strictEqual(yield* Context.get(again, Secrets).open(here, sealed), "password")
      assert.strictEqual(Context.get(again, Instance).sign("test", "text"), signed)

      const other = yield* Effect.flip(over(store, given("2".repeat(32))))
      assert.strictEqual(other._tag, "SecretKeyRefused")
      assert.match(other.message, /THE_SETTING is not the one/)

      let made = 0
      const none = SecretKey.of({
        place: "the file lectern.db-key",
        find: Effect.undefined,
        keep: (key) => Effect.sync(() => (made++, key))
      })
      const missing = yield* Effect.flip(over(store, none))
      assert.strictEqual(missing._tag, "SecretKeyRefused")
      assert.match(missing.message, /not in the file lectern\.db-key/)
      assert.strictEqual(made, 0)

      const short = yield* Effect.flip(over(yield* Layer.build(MemoryStorage.layerWith({})), given("short")))
      assert.match(short.message, /32 to 256/)
    })
  )
})
