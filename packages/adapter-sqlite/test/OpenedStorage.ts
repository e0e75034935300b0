/** Storage in a file, as one process uses it. */
import { inventTable, type Item } from "@lectern/adapter-contract/Invented"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import { Effect, type Layer, type Scope } from "effect"

type Options = Parameters<typeof SqliteStorage.layer>[0]

/** Runs a body over a database that is open for as long as the body runs. */
export const using = <A, E>(
  options: Options,
  body: Effect.Effect<A, E, Scope.Scope | Layer.Success<ReturnType<typeof SqliteStorage.layer>>>
) => Effect.provide(body, SqliteStorage.layer(options), { local: true })

/** A table, and the operations on its rows that most tests need. */
export const table = inventTable("item")
export const repository = Effect.map(Storage, (storage) => storage.repository(table))
export const insert = (row: Item) => Effect.flatMap(repository, (items) => items.insert(row))
export const count = Effect.flatMap(repository, (items) => items.count({}))

/** Returns the reason of a storage error, or the tag of any other error. */
export const reasonOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error._tag === "StorageError" ? (error as unknown as StorageError).reason : error._tag
  )
