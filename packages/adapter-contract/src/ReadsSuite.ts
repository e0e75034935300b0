/**
 * Suite of cached results: if a result could differ now, `changedSince` reports a change. Reads of an unchanged row by its
 * key return one object.
 */
import { assert } from "@effect/vitest"
import type { Condition } from "@lectern/core/storage/Condition"
import { readsEverything, tracked, type Reads } from "@lectern/core/storage/Reads"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { Storage, type StorageError, type UniqueConflict } from "@lectern/core/storage/Storage"
import { Effect, Schema } from "effect"
import { suite } from "./Harness.ts"
import { inventTable, items, type ItemTable } from "./Invented.ts"

const Id = Schema.Literals(["i0", "i1", "i2", "i3", "new"])

/** Few distinct values, so that rows enter and leave the results. */
const group = Schema.Literals(["a", "b"])
const text = Schema.Literals(["one", "two", "three"])
const number = Schema.Literals([1, 2])
const tags = Schema.Array(Schema.Literals(["x", "yy"])).check(Schema.isMaxLength(2))

const Row = Schema.Struct({
  group: Schema.optionalKey(group),
  text: Schema.optionalKey(text),
  number: Schema.optionalKey(number),
  tags: Schema.optionalKey(tags)
})

const Where = Schema.Array(
  Schema.Struct({
    group: Schema.optionalKey(Schema.Union([group, Schema.Struct({ in: Schema.Array(group) }), Schema.Null])),
    text: Schema.optionalKey(Schema.Union([text, Schema.Struct({ prefix: Schema.Literal("t") })])),
    number: Schema.optionalKey(Schema.Union([number, Schema.Struct({ gt: number })])),
    tags: Schema.optionalKey(Schema.Struct({ any: tags }))
  })
).check(Schema.isMaxLength(2))

const Read = Schema.Union([
  Schema.Struct({ read: Schema.Literal("list"), where: Where }),
  Schema.Struct({ read: Schema.Literal("count"), where: Where }),
  Schema.Struct({ read: Schema.Literal("get"), id: Id })
])

const Write = Schema.Union([
  Schema.Struct({ write: Schema.Literal("insert"), row: Row }),
  Schema.Struct({ write: Schema.Literal("update"), where: Where, patch: Row }),
  Schema.Struct({ write: Schema.Literal("change"), id: Id, patch: Row, fails: Schema.Boolean }),
  Schema.Struct({ write: Schema.Literal("remove"), where: Where }),
  Schema.Struct({ write: Schema.Literal("take"), id: Id })
])

const Story = Schema.Struct({
  rows: Schema.Array(Row).check(Schema.isMinLength(4), Schema.isMaxLength(4)),
  reads: Schema.Array(Read).check(Schema.isMinLength(8), Schema.isMaxLength(12)),
  writes: Schema.Array(Write).check(Schema.isMinLength(8), Schema.isMaxLength(12))
})

interface CachedRead {
  readonly rerun: Effect.Effect<unknown, StorageError>
  readonly result: unknown
  readonly reads: Reads
  readonly generation: number
}

export const readsSuite = suite("reads", (scenario) => {
  scenario.law("what is not told as changed is answered as it was", Story, ({ rows, reads, writes }) =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      for (const [i, row] of rows.entries()) yield* repository.insert({ ...row, id: `i${i}` })
      const execute = (read: typeof Read.Type): Effect.Effect<unknown, StorageError> => {
        if (read.read === "get") return repository.getMany([{ id: read.id }, { id: "i0" }])
        const where = read.where as Condition<ItemTable>
        return read.read === "list" ? repository.list({ where, order: ["text"], limit: 3 }) : repository.count(where)
      }
      const recordReads = Effect.fnUntraced(function* (rerun: Effect.Effect<unknown, StorageError>) {
        const generation = (yield* storage.generation)!
        const [result, reads] = yield* tracked(rerun)
        storage.changedSince(reads, generation)
        return { rerun: rerun, result: result, reads, generation } satisfies CachedRead
      })
      let inserted = 0
      const run = (write: typeof Write.Type): Effect.Effect<unknown, UniqueConflict | StorageError> => {
        if (write.write === "insert") {
          return repository.insert({ ...write.row, id: inserted++ === 0 ? "new" : `new${inserted}` })
        }
        if (write.write === "take") return repository.remove({ id: write.id })
        if (write.write === "remove") return repository.remove(write.where as Condition<ItemTable>)
        if (write.write === "update") return repository.update(write.where as Condition<ItemTable>, write.patch)
        const change = repository.update({ id: write.id }, write.patch)
        return Effect.exit(storage.transaction(write.fails ? Effect.andThen(change, Effect.fail("no")) : change))
      }
      let cachedReads = yield* Effect.forEach(reads, (read) => recordReads(execute(read)))
      for (const write of writes) {
        yield* run(write)
        yield* storage.generation
        cachedReads = yield* Effect.forEach(cachedReads, (one) =>
          Effect.gen(function* () {
            if (storage.changedSince(one.reads, one.generation)) return yield* recordReads(one.rerun)
            assert.deepStrictEqual(yield* one.rerun, one.result)
            return one
          })
        )
      }
    })
  )

  scenario("a row that is read by its key is the same object while it has not changed", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      for (const id of ["a", "b"]) yield* repository.insert({ id, group: "g", body: { deep: [1] } })
      const reads: ReadonlyArray<Effect.Effect<unknown, StorageError>> = [
        repository.get({ id: "a" }),
        Effect.map(repository.getMany([{ id: "b" }, { id: "a" }]), (rows) => rows[1])
      ]
      const row = yield* reads[0]!
      for (const read of reads) {
        assert.strictEqual(yield* read, row)
        assert.strictEqual(yield* storage.transaction(read), row)
        yield* repository.update({ id: "b" }, { text: "other" })
        assert.strictEqual(yield* read, row)
      }
      yield* repository.update({ id: "a" }, { text: "changed" })
      for (const read of reads) assert.notStrictEqual(yield* read, row)
    })
  )

  scenario("a write that began before anybody asked is told", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "a", number: 1 })
      const generation = (yield* storage.generation)!
      const [, reads] = yield* tracked(repository.get({ id: "a" }))
      yield* storage.inSteps((step) =>
        Effect.gen(function* () {
          yield* step(repository.update({ id: "a" }, { number: 2 }))
          storage.changedSince(reads, generation)
        })
      )
      yield* storage.generation
      assert.isTrue(storage.changedSince(reads, generation))
    })
  )

  scenario("a write of another process, or of a table that is described anew, is told", () =>
    Effect.gen(function* () {
      const { repository, storage, table } = yield* items
      yield* repository.insert({ id: "a", number: 1 })
      const generation = (yield* storage.generation)!
      const [, reads] = yield* tracked(repository.list({ where: { number: 1 } }))
      storage.changedSince(reads, generation)
      yield* storage.repository(inventTable(table.name)).insert({ id: "b", number: 1 })
      yield* storage.generation
      assert.isTrue(storage.changedSince(reads, generation))
    })
  )

  scenario("inside a transaction, its own writes count as changes, and the last commit is known", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "a", group: "one" })
      const generation = (yield* storage.generation)!
      const [, reads] = yield* tracked(repository.list({ where: { group: "one" } }))
      storage.changedSince(reads, generation)
      const generationBefore = (yield* storage.generation)!
      yield* storage.transaction(
        Effect.gen(function* () {
          assert.strictEqual(yield* storage.lastCommit, generationBefore)
          yield* repository.update({ id: "a" }, { text: "second" })
          assert.isTrue(storage.changedSince(reads, generationBefore))
          assert.strictEqual(yield* storage.lastCommit, generationBefore)
        })
      )
      assert.isAbove(yield* storage.lastCommit, generationBefore)
      assert.isTrue(storage.changedSince(reads, generationBefore))
    })
  )

  scenario("a question of which nobody knows what it is answered from is a read of everything", () =>
    Effect.gen(function* () {
      const { repository, storage } = yield* items
      yield* repository.insert({ id: "a" })
      for (const unrecordedRead of [storage.generation, repository.insert({ id: "b" }), readsEverything]) {
        const [, reads] = yield* tracked(unrecordedRead)
        assert.isTrue(reads.isEverything)
        assert.isTrue(storage.changedSince(reads, (yield* storage.generation)!))
      }
    })
  )

  scenario("what is read of the search index is told as changed with it", () =>
    Effect.gen(function* () {
      const storage = yield* Storage
      const index = yield* SearchIndex
      const lookup = { word: "word", match: "whole" } as const
      const queries: ReadonlyArray<Effect.Effect<unknown, StorageError>> = [
        index.read([{ space: "s", lookups: [lookup], hidden: new Set() }]),
        index.similar([{ space: "s", word: "words" }]),
        index.pagesByNumber([{ space: "s", number: 1 }]),
        index.pages("s", { limit: 9 })
      ]
      // Recording starts with the first call; earlier commits count as everything.
      storage.changedSince((yield* tracked(readsEverything))[1], (yield* storage.generation)!)
      yield* index.change("other", [{ page: "p", words: [["word"]] }])
      for (const [i, question] of queries.entries()) {
        const generation = (yield* storage.generation)!
        const [, reads] = yield* tracked(question)
        storage.changedSince(reads, generation)
        yield* index.change("s", [{ page: `p${i}`, words: [["word"]] }])
        yield* storage.generation
        assert.isTrue(storage.changedSince(reads, generation))
      }
    })
  )
})
