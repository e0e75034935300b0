/** Random transactions of two processes are serializable in the order of their commits. */
import { assert, it } from "@effect/vitest"
import { inventName, inventTable, type Item } from "@lectern/adapter-contract/Invented"
import { Storage, UniqueConflict } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Context, Effect, Schema } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/Runs.ts"
import { openTwice, useServer } from "./OpenedStore.ts"

useServer()

const keys = ["a", "b", "c"]
const groups = ["g", "h"]

/** Operations of a transaction. Each has a result that depends on the rows. */
const operation = fc.oneof(
  fc.record({ type: fc.constant("get" as const), id: fc.constantFrom(...keys) }),
  fc.record({ type: fc.constant("count" as const), group: fc.constantFrom(...groups) }),
  fc.record({ type: fc.constant("insert" as const), id: fc.constantFrom(...keys), group: fc.constantFrom(...groups) }),
  fc.record({ type: fc.constant("move" as const), group: fc.constantFrom(...groups), to: fc.constantFrom(...groups) }),
  fc.record({ type: fc.constant("remove" as const), id: fc.constantFrom(...keys) })
)
type Operation = typeof operation extends fc.Arbitrary<infer A> ? A : never

const transaction = fc.record({
  process: fc.constantFrom(0, 1),
  operations: fc.array(operation, { minLength: 1, maxLength: 4 }),
  fails: fc.boolean()
})

/** Runs an operation on a map of rows. */
const onMap = (rows: Map<string, Item>, operation: Operation): unknown => {
  const inGroup = (group: string) => [...rows.values()].filter((row) => row.group === group)
  switch (operation.type) {
    case "get":
      return rows.get(operation.id) ?? null
    case "count":
      return inGroup(operation.group).length
    case "insert": {
      const { group, id } = operation
      if (rows.has(id)) return "conflict"
      rows.set(id, { id, group })
      return "inserted"
    }
    case "move":
      return inGroup(operation.group).map((row) => rows.set(row.id, { ...row, group: operation.to })).length
    case "remove":
      return rows.delete(operation.id) ? 1 : 0
  }
}

const Entry = Schema.Struct({ id: Schema.String, number: Schema.Number, results: Schema.Array(Schema.Json) })

it.live("random transactions of two processes are serializable", () =>
  Effect.gen(function* () {
    const storages = (yield* openTwice).map((stores) => Context.get(stores, Storage))
    const check = fc.asyncProperty(fc.array(transaction, { minLength: 2, maxLength: 16 }), (transactions) =>
      Effect.runPromise(
        Effect.gen(function* () {
          const table = inventTable()
          const log = Table.make(inventName(), Entry, { key: ["id"] })
          const next = (last = "i1000") => `i${Number(last.slice(1)) + 1}`
          const run = ({ fails, operations, process }: (typeof transactions)[number], number: number) => {
            const storage = storages[process]!
            const repository = storage.repository(table)
            const perform = (operation: Operation): Effect.Effect<Schema.Json, unknown> => {
              switch (operation.type) {
                case "get":
                  return Effect.map(repository.get({ id: operation.id }), (row) => (row ?? null) as Schema.Json)
                case "count":
                  return repository.count({ group: operation.group })
                case "insert": {
                  const { group, id } = operation
                  return repository.insert({ id, group }).pipe(
                    Effect.as("inserted"),
                    Effect.catchIf(
                      (error) => error instanceof UniqueConflict,
                      () => Effect.succeed("conflict")
                    )
                  )
                }
                case "move":
                  return repository.update({ group: operation.group }, { group: operation.to })
                case "remove":
                  return repository.remove({ id: operation.id })
              }
            }
            const body = Effect.gen(function* () {
              const results = yield* Effect.forEach(operations, perform)
              yield* storage.repository(log).append((last) => ({ id: next(last), number, results }))
              if (fails) yield* Effect.fail("rolled back")
            })
            return Effect.exit(storage.transaction(body))
          }
          yield* Effect.forEach(transactions, run, { concurrency: "unbounded" })
          const rows = new Map<string, Item>()
          const entries = yield* storages[0]!.repository(log).list({ where: {} })
          assert.strictEqual(entries.length, transactions.filter(({ fails }) => !fails).length)
          for (const { number, results } of entries) {
            assert.deepStrictEqual(
              transactions[number]!.operations.map((operation) => onMap(rows, operation)),
              results as Array<unknown>
            )
          }
          for (const storage of storages) {
            const stored = yield* storage.repository(table).list({ where: {} })
            assert.sameDeepMembers([...stored], [...rows.values()])
          }
        })
      )
    )
    yield* Effect.promise(async () => fc.assert(check, runs(25, 250)))
  }).pipe(Effect.scoped)
)
