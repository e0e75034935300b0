/** A belonging of a site, which goes with it in the same transaction: it is few rows (see `SiteRemoval`). */
import type { Effect } from "effect"
import type { Condition } from "../storage/Condition.ts"
import type { Storage, StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import type { SiteId } from "./Site.ts"

/** Part of the transaction around it. */
export type SiteBelonging = (storage: Storage["Service"], site: SiteId) => Effect.Effect<unknown, StorageError>

/** The rows of a table that a condition finds for a site. */
export const rowsWhere =
  <T extends Table>(table: T, where: (site: SiteId) => Condition<T>): SiteBelonging =>
  (storage, site) =>
    storage.repository(table).remove(where(site))
