/** Rows that are removed with a site in the same transaction. There are few of them (see `SiteRemoval`). */
import type { Effect } from "effect"
import type { Condition } from "../storage/Condition.ts"
import type { Storage, StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import type { SiteId } from "./Site.ts"

/** Removes rows of a site. Called inside a transaction. */
export type SiteDependent = (storage: Storage["Service"], site: SiteId) => Effect.Effect<unknown, StorageError>

/** Returns the removal of the rows that match a condition for the site. */
export const rowsWhere =
  <T extends Table>(table: T, where: (site: SiteId) => Condition<T>): SiteDependent =>
  (storage, site) =>
    storage.repository(table).remove(where(site))
