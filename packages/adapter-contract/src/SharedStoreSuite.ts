/**
 * Suites of a store that several processes use at once. `sharedStoreSuite`: their transactions are serializable in one
 * order of commits. `foreignCommitsSuite`: a process learns which rows another one wrote, and not more.
 *
 * They run in real time, since a store may wait between two attempts.
 */
import { assert, describe, it } from "@effect/vitest"
import { CurrentArrival } from "@lectern/core/storage/LearnedCommits"
import { tracked } from "@lectern/core/storage/Reads"
import { Storage, type StorageError, UniqueConflict } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Context, Effect, Schema, type Scope } from "effect"
import type { Ports } from "./Harness.ts"
import { inventName, inventTable, type Item, ids } from "./Invented.ts"

/** Opens a new, empty store in two processes, or in two connections that behave like them. */
export type OpenTwice = Effect.Effect<
  readonly [Context.Context<Ports>, Context.Context<Ports>],
  StorageError,
  Scope.Scope
>

const concurrently = { concurrency: "unbounded" } as const

/** Opens the store twice, with one new table. */
const twoProcesses = (open: OpenTwice) =>
  Effect.map(open, (contexts) => {
    const table = inventTable()
    const [first, second] = contexts.map((context) => {
      const storage = Context.get(context, Storage)
      return { storage, repository: storage.repository(table) }
    })
    return { first: first!, second: second! }
  })

type Process = Effect.Success<ReturnType<typeof twoProcesses>>["first"]

const scenarios =
  (
    title: string,
    define: (
      scenario: (
        name: string,
        body: (both: { readonly first: Process; readonly second: Process }) => Effect.Effect<void, unknown>
      ) => void
    ) => void
  ) =>
  (name: string, open: OpenTwice) => {
    describe(`${name}: ${title}`, () =>
      define((scenario, body) => it.live(scenario, () => Effect.scoped(Effect.flatMap(twoProcesses(open), body)))))
  }

export const sharedStoreSuite = scenarios("shared store", (scenario) => {
  scenario("a process sees what another one has committed", ({ first, second }) =>
    Effect.gen(function* () {
      assert.isUndefined(yield* second.storage.transaction(second.repository.get({ id: "a" })))
      const generation = yield* second.storage.generation
      yield* first.repository.insert({ id: "a", text: "first" })
      assert.notStrictEqual(yield* second.storage.generation, generation)
      assert.deepStrictEqual(yield* second.repository.get({ id: "a" }), { id: "a", text: "first" })
      yield* first.repository.update({ id: "a" }, { text: "second" })
      assert.strictEqual((yield* second.storage.transaction(second.repository.get({ id: "a" })))?.text, "second")
      assert.strictEqual(yield* second.storage.transaction(second.repository.count({ text: "second" })), 1)
    })
  )

  scenario("a process knows all commits before an arrival, or says that it does not", ({ first, second }) =>
    Effect.gen(function* () {
      const { repository, storage } = second
      const read: Effect.Effect<unknown, StorageError> = repository.get({ id: "a" })
      const commit = yield* storage.lastCommit
      const [, reads] = yield* tracked(read)
      storage.changedSince(reads, commit)
      for (let number = 0; number < 20; number++) {
        const early = storage.arrival()
        if (number === 0) yield* first.repository.insert({ id: "a", number })
        else yield* first.repository.update({ id: "a" }, { number })
        const arrival = storage.arrival()
        const before = storage.learnedCommit(arrival)
        // Without an arrival it is about all commits until now.
        const now = storage.learnedCommit(undefined)
        for (const known of [before, now]) if (known !== undefined) assert.isTrue(storage.changedSince(reads, commit))
        const learn = Effect.provideService(storage.lastCommit, CurrentArrival, arrival)
        const learned = yield* number % 2 === 0
          ? learn
          : Effect.map(Effect.all([learn, learn, storage.lastCommit], concurrently), ([last]) => last)
        assert.isTrue(storage.changedSince(reads, commit))
        for (const point of [arrival, early]) assert.strictEqual(storage.learnedCommit(point), learned)
        assert.strictEqual(yield* learn, learned)
        assert.strictEqual((yield* repository.get({ id: "a" }))?.number, number)
      }
    })
  )

  scenario("increments of two processes add up", ({ first, second }) =>
    Effect.gen(function* () {
      yield* first.repository.insert({ id: "a", number: 0 })
      const increment = ({ repository, storage }: Process) =>
        storage.transaction(
          Effect.gen(function* () {
            const row = yield* repository.get({ id: "a" })
            yield* repository.update({ id: "a" }, { number: row!.number! + 1 })
          })
        )
      yield* Effect.forEach(
        Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? first : second)),
        increment,
        concurrently
      )
      assert.strictEqual((yield* first.repository.get({ id: "a" }))?.number, 60)
    })
  )

  scenario("of guarded updates by two processes one wins", ({ first, second }) =>
    Effect.gen(function* () {
      yield* first.repository.insert({ id: "a", number: 1 })
      yield* second.storage.transaction(second.repository.get({ id: "a" }))
      const counts = yield* Effect.all(
        [first, second].map(({ repository }) => repository.update({ id: "a", number: 1 }, { number: 2 })),
        concurrently
      )
      assert.deepStrictEqual(counts.toSorted(), [0, 1])
    })
  )

  scenario("of two removals that each leave one row, one is refused", ({ first, second }) =>
    Effect.gen(function* () {
      for (const id of ["a", "b"]) yield* first.repository.insert({ id, group: "administrators" })
      const remove = ({ repository, storage }: Process, id: string) =>
        storage.transaction(
          Effect.gen(function* () {
            if ((yield* repository.count({ group: "administrators" })) === 1) return false
            return (yield* repository.remove({ id })) === 1
          })
        )
      for (const { repository, storage } of [first, second]) yield* storage.transaction(repository.count({}))
      const removed = yield* Effect.all([remove(first, "a"), remove(second, "b")], concurrently)
      assert.deepStrictEqual(removed.toSorted(), [false, true])
      assert.strictEqual(yield* first.repository.count({}), 1)
    })
  )

  scenario("a body that fails has not judged by old data", ({ first, second }) =>
    Effect.gen(function* () {
      const find = ({ repository, storage }: Process) =>
        storage.transaction(
          Effect.flatMap(repository.get({ id: "a" }), (row) =>
            row === undefined ? Effect.fail("absent") : Effect.succeed(row.id)
          )
        )
      assert.strictEqual(yield* Effect.flip(find(second)), "absent")
      yield* first.repository.insert({ id: "a" })
      assert.strictEqual(yield* find(second), "a")
    })
  )

  scenario("an insert conflicts with the row of another process, in a body that goes on, too", ({ first, second }) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* second.storage.transaction(second.repository.count({})), 0)
      yield* first.repository.insert({ id: "a" })
      const insert = second.repository.insert({ id: "a", text: "second" })
      assert.instanceOf(yield* Effect.flip(insert), UniqueConflict)
      yield* first.repository.insert({ id: "b" })
      const body = Effect.andThen(
        Effect.flip(second.repository.insert({ id: "b" })),
        second.repository.insert({ id: "c" })
      )
      yield* second.storage.transaction(body)
      assert.deepStrictEqual(ids(yield* first.repository.list({ where: {} })), ["a", "b", "c"])
      yield* first.repository.insert({ id: "d" })
      const insertForAWhile = Effect.andThen(
        second.repository.insert({ id: "d" }),
        second.repository.remove({ id: "d" })
      )
      assert.instanceOf(yield* Effect.flip(second.storage.transaction(insertForAWhile)), UniqueConflict)
    })
  )

  scenario("a reader that continues after the last key misses no appended row", ({ first, second }) =>
    Effect.gen(function* () {
      const Entry = Schema.Struct({ id: Schema.String, by: Schema.String })
      const table = Table.make(inventName(), Entry, { key: ["id"] })
      const total = 40
      const next = (last = "i100") => `i${Number(last.slice(1)) + 1}`
      const append = ({ storage }: Process, by: string) =>
        storage.repository(table).append((last) => ({ id: next(last), by }))
      const read = Effect.gen(function* () {
        const seen: Array<string> = []
        while (seen.length < total) {
          const after = seen.length === 0 ? {} : { after: [seen.at(-1)!] }
          const rows = yield* second.storage.repository(table).list({ where: {}, ...after })
          seen.push(...rows.map(({ id }) => id))
          yield* Effect.yieldNow
        }
        return seen
      })
      const appends = Effect.forEach(
        Array.from({ length: total }, (_, i) => i),
        (i) => append(i % 2 === 0 ? first : second, String(i % 2)),
        concurrently
      )
      const [seen] = yield* Effect.all([read, appends], concurrently)
      assert.deepStrictEqual(
        seen,
        Array.from({ length: total }, (_, i) => `i${101 + i}`)
      )
    })
  )
})

export const foreignCommitsSuite = scenarios("commits of other processes", (scenario) => {
  scenario("are told by what they wrote, and not more", ({ first, second }) =>
    Effect.gen(function* () {
      const { repository, storage } = second
      for (const id of ["a", "b"]) yield* first.repository.insert({ id, group: id, tags: [id] })
      const generation = (yield* storage.generation)!
      const reads = yield* Effect.forEach(
        [
          repository.get({ id: "a" }),
          repository.list({ where: { group: "a" } }),
          repository.count({ tags: { any: ["a"] } })
        ],
        (read) => Effect.map(tracked(read as Effect.Effect<unknown, StorageError>), ([, reads]) => reads)
      )
      const changed = Effect.map(storage.generation, () => reads.map((read) => storage.changedSince(read, generation)))
      yield* changed
      yield* first.repository.update({ id: "b" }, { text: "other" })
      yield* first.repository.insert({ id: "c", group: "c" })
      assert.deepStrictEqual(yield* changed, [false, false, false])
      yield* first.repository.update({ id: "a" }, { text: "changed" })
      assert.deepStrictEqual(yield* changed, [true, true, true])
    })
  )

  scenario("leave rows that they did not write the same objects", ({ first, second }) =>
    Effect.gen(function* () {
      const { repository, storage } = second
      for (const id of ["a", "b"]) yield* first.repository.insert({ id, group: "g" })
      const read: Effect.Effect<Item | undefined, StorageError> = repository.get({ id: "a" })
      const before = yield* read
      yield* first.repository.update({ id: "b" }, { text: "other" })
      yield* storage.generation
      assert.strictEqual(yield* read, before)
      assert.strictEqual((yield* repository.getMany([{ id: "a" }]))[0], before)
      assert.strictEqual(yield* storage.transaction(read), before)
      yield* first.repository.update({ id: "a" }, { text: "changed" })
      assert.deepStrictEqual(yield* read, { id: "a", group: "g", text: "changed" })
    })
  )
})
