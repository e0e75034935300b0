/**
 * Keeps in memory what is read at every request and seldom changes, by the version of the scope it
 * belongs to: an organization, a site.
 *
 * What is kept is right within the commit that changes it, for every process on the same data.
 * Whoever writes something of a scope calls `changed` in the same transaction, which gives the
 * scope a new version; the version is looked up whenever what is kept is asked for. It is a row that
 * is read by its key, which adapters have in memory where it was read before.
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

/** The value kept under the key, if its version is still the scope's; else it is loaded now. */
export type Kept<A> = (
  key: string,
  scope: string,
  load: () => Effect.Effect<A | undefined, StorageError>
) => Effect.Effect<A | undefined, StorageError>

/** Nothing of the scope has changed yet. */
const initial = "initial"

export class Versions extends Context.Service<
  Versions,
  {
    /** Something of the scope is about to change, in this transaction. */
    readonly changed: (scope: string) => Effect.Effect<void, StorageError>
    /** A place to keep the values used last, at most so many. What is not there is never kept. */
    readonly keep: <A>(limit: number) => Kept<A>
  }
>()("@lectern/core/version/Versions") {
  static readonly layer = wired(
    Versions,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const versions = storage.repository(VersionTable)

      return Versions.of({
        changed: Effect.fnUntraced(function* (scope) {
          const version = yield* ids.next
          if ((yield* versions.update({ scope }, { version })) > 0) return
          yield* versions.insert({ scope, version })
        }, cannotConflict),

        keep: <A>(limit: number): Kept<A> => {
          const kept = new LruCache<string, Entry<A>>(limit)
          const loaded = Effect.fnUntraced(function* (
            key: string,
            version: string,
            load: () => Effect.Effect<A | undefined, StorageError>
          ) {
            // All of it belongs to the scope, whose version was read just now.
            const value = yield* Reads.untracked(load())
            // What a transaction sees is kept once it is committed: rolled back, it has never been.
            yield* storage.afterCommit(
              Effect.sync(() => {
                if (value === undefined) kept.delete(key)
                else kept.set(key, { version, value }, 1)
              })
            )
            return value
          })
          return (key, scope, load) =>
            Effect.flatMap(versions.get({ scope }), (row) => {
              const version = row?.version ?? initial
              const known = kept.get(key)
              return known?.version === version ? Effect.succeed(known.value) : loaded(key, version, load)
            })
        }
      })
    })
  )
}
