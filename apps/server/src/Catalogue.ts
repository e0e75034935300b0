/**
 * The integrations that come with Lectern. A start publishes those that are not there yet, for all
 * organizations to install, and the next version of those that came with a former version of Lectern;
 * what the operator has unpublished, or published otherwise, it leaves alone.
 *
 * They belong to an organization of their own without members, so that nobody but the operator manages
 * them, or sees where they are installed; and they are marked as the operator's, which nobody else's are.
 */
import { createHash } from "node:crypto"
import { basename } from "node:path"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { type IntegrationPublish, IntegrationTable, keyOf } from "@lectern/core/integration/Integration"
import { Integrations } from "@lectern/core/integration/Integrations"
import { Organizations } from "@lectern/core/organization/Organizations"
import { cannotConflict, Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import * as Shipped from "./Shipped.ts"
import { CatalogueEntryTable, type CatalogueState, stateOf } from "./CatalogueEntry.ts"

export interface Item {
  readonly name: string
  readonly hash: string
  /** Parses what is published: a start seldom has anything to publish. */
  readonly body: () => Omit<IntegrationPublish, "organization">
}

/** Integrations that come with this version; none where nothing was built. */
export const items = (folder?: string) =>
  Effect.sync((): ReadonlyArray<Item> =>
    Shipped.catalogue(folder).map(({ file, text }) => ({
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

/** The organization that the catalogue belongs to, once there is one. */
export const owner = Effect.gen(function* () {
  const [entry] = yield* (yield* rows).entries.list({ where: {}, limit: 1 })
  return entry?.organization
})

export const state = Effect.fnUntraced(function* ({ name, hash }: Pick<Item, "name" | "hash">) {
  const { entries, integrations } = yield* rows
  const key = keyOf(name)
  return stateOf(hash, yield* entries.get({ integration: key }), yield* integrations.get({ key }))
})

/** Publishes the next version of an item, or the first, in whichever of these states it is. */
export const publish = Effect.fnUntraced(function* (
  { name, hash, body }: Item,
  from: ReadonlyArray<CatalogueState> = ["missing", "older"]
) {
  const { storage, entries, integrations } = yield* rows
  const key = { integration: keyOf(name) }
  const begun = yield* storage.transaction(
    Effect.gen(function* () {
      if (!from.includes(yield* state({ name, hash }))) return undefined
      const former = yield* integrations.get({ key: key.integration })
      const known = former?.unpublishedAt === undefined ? former : undefined
      const entry = {
        ...key,
        organization: (yield* owner) ?? (yield* (yield* Organizations).create({ title: "Lectern" })).id,
        version: (known?.version ?? 0) + 1,
        hash,
        isPublished: false
      }
      yield* entries.remove(key)
      yield* entries.insert(entry).pipe(cannotConflict)
      return entry
    })
  )
  if (begun === undefined) return false
  yield* (yield* Integrations).publish(name, { ...body(), organization: begun.organization })
  yield* entries.update(key, { isPublished: true }).pipe(cannotConflict)
  return true
})

/** Brings what is published up to what came with this version. */
export const bring = (folder?: string) =>
  Effect.gen(function* () {
    for (const item of yield* items(folder)) {
      yield* publish(item).pipe(
        // The server is of use without it, and its next start tries again.
        Effect.catch((failure) =>
          Effect.logWarning(`The integration ${item.name} was not published: ${failure.message}`)
        )
      )
    }
  }).pipe(Effect.provideService(CurrentActor, host))
