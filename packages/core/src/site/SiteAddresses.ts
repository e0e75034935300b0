/** Finds sites by their addresses, and keeps addresses unique. */
import { Context, Effect, Layer } from "effect"
import * as Timestamps from "../schema/Timestamps.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { AddressTaken, type SiteId } from "./Site.ts"
import { type AddressKind, type AddressRow, AddressTable } from "./SiteAddress.ts"
import { derivedPath } from "./SiteStructure.ts"

const maxFormer = 10
const maxCachedHosts = 10_000
const hostOf = (kind: AddressKind, name: string) => (kind === "basename" ? "" : name.split("/", 1)[0]!)

export class SiteAddresses extends Context.Service<
  SiteAddresses,
  {
    /**
     * Assigns an address to a site, or removes the address of the kind (null). Called inside the transaction that
     * changes the site.
     */
    readonly assign: (
      site: SiteId,
      kind: AddressKind,
      name: string | null
    ) => Effect.Effect<void, AddressTaken | StorageError>
    /** Fails if another site has this address. */
    readonly requireFree: (
      site: SiteId,
      kind: AddressKind,
      name: string
    ) => Effect.Effect<void, AddressTaken | StorageError>
    /** Returns a free basename derived from a title. */
    readonly freeBasename: (title: string) => Effect.Effect<string, StorageError>
    /** Removes all addresses of a deleted site. */
    readonly removeAll: (site: SiteId) => Effect.Effect<void, StorageError>
    /** Returns the addresses of a host. */
    readonly atHost: (host: string) => Effect.Effect<ReadonlyArray<AddressRow>, StorageError>
    readonly atBasename: (basename: string) => Effect.Effect<AddressRow | undefined, StorageError>
  }
>()("@lectern/core/site/SiteAddresses") {
  static readonly layer = Layer.effect(
    SiteAddresses,
    Effect.gen(function* () {
      const storage = yield* Storage
      const addresses = storage.repository(AddressTable)
      const cachedAddresses = yield* ReadCache.make<ReadonlyArray<AddressRow>>(maxCachedHosts)

      const listCached = (where: Parameters<typeof addresses.list>[0]["where"], key: string) =>
        cachedAddresses(key, addresses.list({ where }))

      const requireFree = Effect.fnUntraced(function* (site: SiteId, kind: AddressKind, name: string) {
        const existingAddress = yield* addresses.get({ kind, name: name.toLowerCase() })
        if (existingAddress?.current === true && existingAddress.site !== site) {
          return yield* new AddressTaken({ message: `Another site has the ${kind} ${name}` })
        }
      })

      return SiteAddresses.of({
        requireFree,

        assign: Effect.fnUntraced(function* (site, kind, address) {
          const name = address?.toLowerCase()
          const [, addressRows] = yield* storage.all([
            address === null ? Effect.void : requireFree(site, kind, address),
            addresses.list({ where: { site, kind }, order: ["changedAt"], descending: true })
          ])
          if (name !== undefined) yield* addresses.remove({ kind, name })
          const formerRows = addressRows.filter((row) => row.name !== name)
          for (const [i, row] of formerRows.entries()) {
            const key = { kind, name: row.name }
            if (i >= maxFormer) yield* addresses.remove(key)
            else if (row.current) yield* addresses.update(key, { current: false })
          }
          if (name === undefined) return
          const row = { kind, name, host: hostOf(kind, name), site, current: true, changedAt: yield* Timestamps.now }
          yield* addresses.insert(row).pipe(cannotConflict)
        }),

        freeBasename: Effect.fnUntraced(function* (title) {
          const base = derivedPath(title, "site").slice(0, 50).replace(/-+$/, "")
          const usedNames = new Set(
            (yield* addresses.list({ where: { kind: "basename", name: { prefix: base } } })).map(({ name }) => name)
          )
          for (let i = 1; ; i++) {
            const name = i === 1 ? base : `${base}-${i}`
            if (!usedNames.has(name)) return name
          }
        }),

        removeAll: Effect.fnUntraced(function* (site) {
          yield* addresses.remove({ site })
        }),

        atHost: (host) => listCached({ host }, `host ${host}`),
        atBasename: (basename) =>
          Effect.map(listCached({ kind: "basename", name: basename }, `basename ${basename}`), ([row]) => row)
      })
    })
  )
}
