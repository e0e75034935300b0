/**
 * Catalogue of the integrations that are shipped with Lectern. A start publishes missing integrations for all
 * organizations, and the new version of integrations that an earlier version of Lectern published. Integrations that the
 * operator unpublished or replaced are left unchanged.
 *
 * The integrations belong to a separate organization without members, so that only the operator manages them and sees
 * their installations. They are marked as integrations of the operator.
 */
import { createHash } from "node:crypto"
import { basename } from "node:path"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { type IntegrationPublish, IntegrationTable, keyOf } from "@lectern/core/integration/Integration"
import { Integrations } from "@lectern/core/integration/Integrations"
import { Organizations } from "@lectern/core/organization/Organizations"
import { cannotConflict, Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import * as ShippedFiles from "./ShippedFiles.ts"
import { CatalogueEntryTable, type CatalogueState, stateOf } from "./CatalogueEntry.ts"

/** A shipped integration. */
export interface Item {
  readonly name: string
  /** SHA-256 of the source. */
  readonly hash: string
  /** Parses the source. Lazy, since most starts publish nothing. */
  readonly body: () => Omit<IntegrationPublish, "organization">
}

/** Returns the integrations that are shipped with this version. Empty if the catalogue was not built. */
export const items = (folder?: string) =>
  Effect.sync((): ReadonlyArray<Item> =>
    ShippedFiles.catalogue(folder).map(({ file, text }) => ({
      name: basename(file, ".json"),
      hash: createHash("sha256").update(text).digest("hex"),
      body: () => JSON.parse(text) as ReturnType<Item["body"]>
    }))
  )

const rows = Effect.map(Storage, (storage) => ({
  storage,
  entries: storage.repository(CatalogueEntryTable),
  integrations: storage.repository(IntegrationTable)
}))

/** Returns the organization that owns the catalogue, or undefined before the first publication. */
export const owner = Effect.gen(function* () {
  const [entry] = yield* (yield* rows).entries.list({ where: {}, limit: 1 })
  return entry?.organization
})

export const state = Effect.fnUntraced(function* ({ name, hash }: Pick<Item, "name" | "hash">) {
  const { entries, integrations } = yield* rows
  const key = keyOf(name)
  return stateOf(hash, yield* entries.get({ integration: key }), yield* integrations.get({ key }))
})

/** Publishes the first or next version of an item if its state is in `from`. Returns true if it was published. */
export const publish = Effect.fnUntraced(function* (
  { name, hash, body }: Item,
  from: ReadonlyArray<CatalogueState> = ["missing", "older"]
) {
  const { storage, entries, integrations } = yield* rows
  const key = { integration: keyOf(name) }
  const newEntry = yield* storage.transaction(
    Effect.gen(function* () {
      if (!from.includes(yield* state({ name, hash }))) return undefined
      const former = yield* integrations.get({ key: key.integration })
      const publishedVersion = former?.unpublishedAt === undefined ? former : undefined
      const entry = {
        ...key,
        organization: (yield* owner) ?? (yield* (yield* Organizations).create({ title: "Lectern" })).id,
        version: (publishedVersion?.version ?? 0) + 1,
        hash,
        isPublished: false
      }
      yield* entries.remove(key)
      yield* entries.insert(entry).pipe(cannotConflict)
      return entry
    })
  )
  if (newEntry === undefined) return false
  yield* (yield* Integrations).publish(name, { ...body(), organization: newEntry.organization })
  yield* entries.update(key, { isPublished: true }).pipe(cannotConflict)
  return true
})

/** Publishes missing and outdated integrations of the catalogue. */
export const publishAll = (folder?: string) =>
  Effect.gen(function* () {
    for (const item of yield* items(folder)) {
      yield* publish(item).pipe(
        // The server works without the integration, and the next start tries again.
        Effect.catch((failure) =>
          Effect.logWarning(`The integration ${item.name} was not published: ${failure.message}`)
        )
      )
    }
  }).pipe(Effect.provideService(CurrentActor, host))
