import { Storage } from "@lectern/core/storage/Storage"
import { Versions } from "@lectern/core/version/Versions"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters, twoOnOneFile } from "../Instances.ts"

/** A cache in front of `state`, which counts its loads. */
const cached = Effect.gen(function* () {
  const versions = yield* Versions
  const cache = versions.makeCache<string>(2)
  const state = { value: "first" as string | undefined, loads: 0 }
  const get = (key = "key", scope = "scope") =>
    cache(key, scope, () =>
      Effect.sync(() => {
        state.loads++
        return state.value
      })
    )
  const invalidate = (yield* Storage).transaction(versions.invalidate("scope"))
  return { state, get, invalidate }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Versions (${name})`, () => {
    const rule = ruleOn(services)

    rule("keep a value until its scope is invalidated", () =>
      Effect.gen(function* () {
        const { state, get, invalidate } = yield* cached
        assert.deepStrictEqual([yield* get(), yield* get(), state.loads], ["first", "first", 1])
        state.value = "second"
        assert.strictEqual(yield* get(), "first")
        yield* invalidate
        assert.deepStrictEqual([yield* get(), yield* get(), state.loads], ["second", "second", 2])
      })
    )

    rule("keep values of other scopes", () =>
      Effect.gen(function* () {
        const { state, get, invalidate } = yield* cached
        yield* get("key", "other")
        yield* invalidate
        yield* get("key", "other")
        assert.strictEqual(state.loads, 1)
      })
    )

    rule("load missing values again", () =>
      Effect.gen(function* () {
        const { state, get } = yield* cached
        state.value = undefined
        assert.isUndefined(yield* get())
        state.value = "created"
        assert.strictEqual(yield* get(), "created")
      })
    )

    rule("evict the least recently used value above the limit", () =>
      Effect.gen(function* () {
        const { state, get } = yield* cached
        for (const key of ["a", "b", "a", "c", "a"]) yield* get(key)
        assert.strictEqual(state.loads, 3)
        yield* get("b")
        assert.strictEqual(state.loads, 4)
      })
    )

    rule("keep nothing that a transaction read before its rollback", () =>
      Effect.gen(function* () {
        const { state, get } = yield* cached
        const versions = yield* Versions
        const { transaction } = yield* Storage
        yield* get()
        const undone = Effect.gen(function* () {
          yield* versions.invalidate("scope")
          assert.strictEqual(yield* Effect.suspend(() => ((state.value = "uncommitted"), get())), "uncommitted")
          return yield* Effect.fail("undone" as const)
        })
        yield* Effect.flip(transaction(undone))
        state.value = "committed"
        assert.notStrictEqual(yield* get(), "uncommitted")
      })
    )
  })
}

it.effect("Versions of another process invalidate cached values", () =>
  Effect.gen(function* () {
    const [first, second] = yield* twoOnOneFile
    const { state, get } = yield* Effect.provideContext(cached, first!)
    yield* get()
    state.value = "second"
    yield* Effect.flatMap(Effect.all([Storage, Versions]), ([storage, versions]) =>
      storage.transaction(versions.invalidate("scope"))
    ).pipe(Effect.provideContext(second!))
    assert.strictEqual(yield* get(), "second")
  }).pipe(Effect.scoped)
)
