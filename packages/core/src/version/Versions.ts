/**
 * Caches data that every request reads and that rarely changes, by the version of its scope (an organization or a
 * site).
 *
 * The cache is consistent with committed data for every process on the same store. A service that writes data of a
 * scope calls `changed` in the same transaction, which stores a new version of the scope. Each lookup reads the
 * version: a row read by key, which adapters cache.
 */
import { Context, Effect, Schema } from "effect"
import { LruCache } from "../storage/LruCache.ts"
import { Ids } from "../identity/Ids.ts"
import * as Reads from "../storage/Reads.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import * as Table from "../storage/Table.ts"
import { wired } from "../wiring/Wired.ts"

const VersionRow = Schema.Struct({ scope: Schema.String, version: Schema.String })
const VersionTable = Table.make("version", VersionRow, { key: ["scope"] })

interface Entry<A> {
  readonly version: string
  readonly value: A
}

/** Returns the cached value of the key if the scope's version is unchanged. Otherwise loads it. */
export type VersionedCache<A> = (
  key: string,
  scope: string,
  load: () => Effect.Effect<A | undefined, StorageError>
) => Effect.Effect<A | undefined, StorageError>

/** Version of a scope without changes. */
const initial = "initial"

export class Versions extends Context.Service<
  Versions,
  {
    /** Stores a new version of the scope. Must run in the transaction of the change. */
    readonly invalidate: (scope: string) => Effect.Effect<void, StorageError>
    /** Creates a cache of at most `limit` values, least recently used evicted first. Missing values are not cached. */
    readonly makeCache: <A>(limit: number) => VersionedCache<A>
  }
>()("@lectern/core/version/Versions") {
  static readonly layer = wired(
    Versions,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const versions = storage.repository(VersionTable)

      return Versions.of({
        invalidate: Effect.fnUntraced(function* (scope) {
          const version = yield* ids.next
          if ((yield* versions.update({ scope }, { version })) > 0) return
          yield* versions.insert({ scope, version })
        }, cannotConflict),

        makeCache: <A>(limit: number): VersionedCache<A> => {
          const cached = new LruCache<string, Entry<A>>(limit)
          const loaded = Effect.fnUntraced(function* (
            key: string,
            version: string,
            load: () => Effect.Effect<A | undefined, StorageError>
          ) {
            // All data of the load belongs to the scope, whose version the caller has just read.
            const value = yield* Reads.untracked(load())
            // Inside a transaction the value is cached only after the commit, since a rollback would invalidate it.
            yield* storage.afterCommit(
              Effect.sync(() => {
                if (value === undefined) cached.delete(key)
                else cached.set(key, { version, value }, 1)
              })
            )
            return value
          })
          return (key, scope, load) =>
            Effect.flatMap(versions.get({ scope }), (row) => {
              const version = row?.version ?? initial
              const entry = cached.get(key)
              return entry?.version === version ? Effect.succeed(entry.value) : loaded(key, version, load)
            })
        }
      })
    })
  )
}
