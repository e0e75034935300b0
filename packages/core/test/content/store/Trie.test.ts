import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Trie from "@lectern/core/content/store/Trie"
import * as TrieDifferences from "@lectern/core/content/store/TrieDifferences"
import * as TrieUpdate from "@lectern/core/content/store/TrieUpdate"
import { emptyStore, layer } from "./MemoryObjects.ts"
import { runs } from "../../Runs.ts"

const key = fc.oneof(
  fc.integer({ min: 0, max: 200 }).map((n) => `key${n}`),
  fc.tuple(fc.constantFrom("", "a", "b", "c"), fc.integer({ min: 0, max: 60 })).map(([group, n]) => `${group}/${n}`)
)
const change = fc.tuple(key, fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 2 }))
const changes = fc.array(change, { maxLength: 120 })

const applyTo = (model: ReadonlyMap<string, number>, edits: ReadonlyArray<readonly [string, number | undefined]>) => {
  const next = new Map(model)
  for (const [name, value] of edits) {
    if (value === undefined) next.delete(name)
    else next.set(name, value)
  }
  return next
}

const sorted = (model: ReadonlyMap<string, number>) => Array.from(model).sort(([a], [b]) => (a < b ? -1 : 1))

const property = <A>(arbitrary: fc.Arbitrary<A>, check: (value: A) => Effect.Effect<void, unknown, Objects>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Objects>()
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(arbitrary, (value) => Effect.runPromiseWith(context)(check(value))),
        runs(100)
      )
    )
  })

const numbered = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`key${i}`, i]))

describe("Trie", () => {
  it.effect("does what a map does, whatever the order and the batches", () =>
    property(fc.array(changes, { maxLength: 6 }), (batches) =>
      Effect.gen(function* () {
        const draft = (yield* Objects).draft()
        let root: Parameters<typeof Trie.get>[1] = null
        let model: ReadonlyMap<string, number> = new Map()
        for (const batch of batches) {
          root = yield* TrieUpdate.update(draft, root, new Map(batch))
          model = applyTo(model, Array.from(new Map(batch)))
        }
        assert.deepStrictEqual(yield* Trie.entries<number>(draft, root), sorted(model))
        assert.strictEqual(yield* Trie.size(draft, root), model.size)
        assert.strictEqual(yield* TrieUpdate.update(draft, null, new Map(sorted(model).reverse())), root)
        const asked = [...batches.flat().map(([name]) => name), "nothing", "nothing/at all"]
        assert.deepStrictEqual(
          yield* Trie.getMany<number>(draft, root, asked),
          asked.map((name) => model.get(name))
        )
        for (const name of asked.slice(0, 5)) {
          assert.strictEqual(yield* Trie.get<number>(draft, root, name), model.get(name))
        }
        const groups = ["", "a", "b", "none"]
        assert.deepStrictEqual(
          yield* Trie.entriesOfGroups<number>(draft, root, groups),
          groups.map((group) =>
            sorted(model)
              .filter(([name]) => name.startsWith(`${group}/`))
              .map(([name, value]) => [name.slice(group.length + 1), value] as const)
          )
        )
      })
    ).pipe(Effect.provide(layer()))
  )

  it.effect("tells exactly what differs, and leaves the map it came from as it was", () =>
    property(fc.tuple(changes, changes), ([first, second]) =>
      Effect.gen(function* () {
        const draft = (yield* Objects).draft()
        const before = applyTo(new Map(), first)
        const after = applyTo(before, second)
        const old = yield* TrieUpdate.update(draft, null, before)
        const root = yield* TrieUpdate.update(draft, old, new Map(second))
        const expected = Array.from(new Set([...before.keys(), ...after.keys()]))
          .sort()
          .filter((name) => before.get(name) !== after.get(name))
          .map((name) => ({ key: name, before: before.get(name), after: after.get(name) }))
        assert.deepStrictEqual(yield* TrieDifferences.all<number>(draft, old, root), expected)
        assert.deepStrictEqual(yield* Trie.entries<number>(draft, old), sorted(before))
      })
    ).pipe(Effect.provide(layer()))
  )

  it.effect("writes one path for an edit, however large the map is", () =>
    Effect.gen(function* () {
      const objects = yield* Objects
      const staged: Array<number> = []
      for (const count of [10, 10_000]) {
        const first = objects.draft()
        const root = yield* TrieUpdate.update(first, null, numbered(count))
        yield* first.flush
        const second = objects.draft()
        yield* TrieUpdate.update(second, root, new Map([["key7", -1]]))
        staged.push(second.staged().length)
      }
      assert.strictEqual(staged[0], 1)
      assert.isAtMost(staged[1]!, 4)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("reads level by level, 128 nodes at once, and only what differs", () => {
    const store = emptyStore()
    return Effect.gen(function* () {
      const objects = yield* Objects
      const draft = objects.draft()
      const root = yield* TrieUpdate.update(draft, null, numbered(10_000))
      const edited = yield* TrieUpdate.update(draft, root, new Map([["key7", -1]]))
      yield* draft.flush
      Object.assign(store.reads, { batches: 0, objects: 0 })
      yield* Trie.entries(objects, root)
      assert.isAtMost(store.reads.batches, 5 + Math.floor(store.reads.objects / 128))
      Object.assign(store.reads, { batches: 0, objects: 0 })
      assert.lengthOf(yield* TrieDifferences.all(objects, root, edited), 1)
      assert.isAtMost(store.reads.objects, 10)
    }).pipe(Effect.provide(layer(store, { cacheBytes: 0 })))
  })

  it.effect("reaches every node and what the values refer to, once each, and skips what was seen", () =>
    Effect.gen(function* () {
      const objects = yield* Objects
      const draft = objects.draft()
      const root = yield* TrieUpdate.update(draft, null, numbered(2_000))
      yield* draft.flush
      const nodes = yield* Stream.runCollect(Trie.reachable(objects, [root, null]))
      assert.deepStrictEqual(
        nodes.toSorted(),
        draft
          .staged()
          .map(({ hash }) => hash)
          .toSorted()
      )
      const seen = new Set(nodes)
      const again = Trie.reachable(objects, [root], { skip: (hash) => seen.has(hash) })
      assert.deepStrictEqual(yield* Stream.runCollect(again), [])
      const refs = yield* Stream.runCollect(
        Trie.reachable<number>(objects, [root], { refs: (value) => (value === 5 ? [root!] : []) })
      )
      assert.strictEqual(refs.length, nodes.length + 1)
    }).pipe(Effect.provide(layer()))
  )
})
