/**
 * Common shape of rows that one worker at a time works on: jobs, readers of events, and receivers of deliveries.
 *
 * | row  | claim | fail | release | succeed |
 * | ---- | ----- | ---- | ------- | ------- |
 * | free | held  | -    | -       | -       |
 * | held | held  | free | free    | free    |
 *
 * A claim starts an attempt. `fail` retries after the backoff; `release` is for a worker that shuts down, and does not
 * count the attempt. A killed worker does nothing: its attempt counts, and the row can be claimed when the lease ends.
 */
import { Effect, Schema } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, type Storage, type StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import { backoff } from "./Backoff.ts"
import * as Lease from "./Lease.ts"

export const leasedFields = {
  lease: Lease.Lease,
  /** Number of attempts started since the last success. */
  attempts: Schema.Int,
  /** Message of the last failure, at most 1,000 characters. */
  failure: Schema.optionalKey(Schema.String)
}

export interface LeasedRow {
  readonly lease: Lease.Lease
  readonly attempts: number
  readonly failure?: string
}

/** Table of leased rows. It has an index on `due`, the end of the lease. */
export type LeasedTable = Table<any, any, any, never, any>

/** Starts an attempt. */
export const claim = ({ lease, attempts }: LeasedRow, holder: string, now: Timestamp, duration: number) => ({
  lease: Lease.claim(lease, holder, now, duration),
  attempts: attempts + 1
})

/** Ends a failed attempt. The row can be claimed after the backoff. */
export const fail = ({ lease, attempts }: LeasedRow, now: Timestamp, failure: string) => ({
  lease: Lease.release(lease, Timestamps.after(now, backoff(attempts))),
  failure
})

/** Ends an attempt that does not count. The row can be claimed from `dueAt` on. */
export const release = ({ lease, attempts }: LeasedRow, dueAt: Timestamp) => ({
  lease: Lease.release(lease, dueAt),
  attempts: attempts - 1
})

/** Ends a successful attempt. The row can be claimed from `dueAt` on. */
export const succeed = ({ lease }: LeasedRow, dueAt: Timestamp) => ({
  lease: Lease.release(lease, dueAt),
  attempts: 0,
  failure: undefined
})

/** Renewal and fence of one claim, for the worker that holds it. */
export interface LeaseAccess {
  /** Undefined if no other process can claim the row. */
  readonly fence: Effect.Effect<void, StorageError> | undefined
  /** Renews the lease for a duration in ms. Returns false if the claim no longer holds it. */
  readonly renew: (duration: number) => Effect.Effect<boolean, StorageError>
}

/** Returns access to the lease of a stored row. */
export const leaseAccess = <T extends Table>(
  storage: Storage["Service"],
  table: T,
  key: Table.Key<T>,
  claim: Lease.Claim
): LeaseAccess => {
  const rows = storage.repository<Table>(table)
  const current = Effect.map(rows.get(key), (row: LeasedRow | undefined) => row?.lease)
  return {
    fence: Lease.fence(claim, current),
    renew: (duration) =>
      storage.transaction(
        Effect.gen(function* () {
          const lease = yield* current
          if (lease === undefined || !Lease.isHeld(lease, claim)) return false
          yield* rows.update(key, { lease: Lease.renew(lease, yield* Timestamps.now, duration) })
          return true
        }).pipe(cannotConflict)
      )
  }
}

/** Lets other workers claim the rows of a holder now. */
export const takeOver = (storage: Storage["Service"], table: LeasedTable, holder: string) =>
  storage.transaction(
    Effect.gen(function* () {
      const rows = storage.repository(table)
      const now = yield* Timestamps.now
      for (const row of yield* rows.list({ where: { due: { gt: now } } })) {
        if (row.lease.holder !== holder) continue
        const key = Object.fromEntries(table.key.map((field) => [field, row[field]]))
        yield* rows.update(key, { lease: { ...row.lease, until: now } })
      }
    }).pipe(cannotConflict)
  )

/** Makes a row due now that waits after a failure. Returns false if the row does not exist or has not failed. */
export const retry = (storage: Storage["Service"], table: LeasedTable, key: Record<string, string>) =>
  storage.transaction(
    Effect.gen(function* () {
      const rows = storage.repository(table)
      const row: LeasedRow | undefined = yield* rows.get(key)
      if (row === undefined || row.attempts === 0 || row.lease.holder !== undefined) return false
      yield* rows.update(key, { lease: Lease.release(row.lease, yield* Timestamps.now) })
      return true
    }).pipe(cannotConflict)
  )
