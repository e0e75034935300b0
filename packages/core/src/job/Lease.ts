/**
 * Lease of a row that one holder at a time works on.
 *
 * | lease | claim    | renew | release |
 * | ----- | -------- | ----- | ------- |
 * | free  | held (1) | -     | -       |
 * | held  | held (1) | held  | free    |
 *
 * - (1) from `until` on
 *
 * Each claim increases the fencing number. So a holder that was paused for longer than its lease is recognized after
 * another one has claimed the row, and its writes are refused (see `fence`).
 */
import { Effect, Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { StorageError } from "../storage/Storage.ts"

export const Lease = Schema.Struct({
  /** Fencing number: the number of claims so far. */
  number: Schema.Int,
  /** Absent if the lease is free. */
  holder: Schema.optionalKey(Schema.String),
  /** Held: end of the lease. Free: earliest next claim. */
  until: Timestamp
})
export type Lease = typeof Lease.Type

/** Identity of one claim. */
export interface Claim {
  readonly holder: string
  readonly number: number
}

/** Creates the lease of a new row. */
export const free = (until: Timestamp): Lease => ({ number: 0, until })

export const isExpired = ({ until }: Lease, now: Timestamp): boolean => until <= now

/** Claims an expired lease for `duration` milliseconds. */
export const claim = ({ number }: Lease, holder: string, now: Timestamp, duration: number): Lease & Claim => ({
  number: number + 1,
  holder,
  until: Timestamps.after(now, duration)
})

/** True if the claim still holds the lease, even if the lease has ended. */
export const isHeld = ({ number, holder }: Lease, claim: Claim): boolean =>
  number === claim.number && holder === claim.holder

/** Renews a held lease: it ends `duration` milliseconds after `now`. */
export const renew = (lease: Lease, now: Timestamp, duration: number): Lease => ({
  ...lease,
  until: Timestamps.after(now, duration)
})

/** Frees a lease. It can be claimed from `until` on. */
export const release = ({ number }: Lease, until: Timestamp): Lease => ({ number, until })

/**
 * Returns the fence of a claim (see `storage/Fence.ts`). It fails after another holder has claimed the row, or the row
 * was removed. A row that its holder has released passes.
 */
export const fence = (
  claim: Claim,
  current: Effect.Effect<Lease | undefined, StorageError>
): Effect.Effect<void, StorageError> =>
  Effect.flatMap(current, (lease) =>
    lease?.number === claim.number && (lease.holder ?? claim.holder) === claim.holder
      ? Effect.void
      : new StorageError({
          reason: "lease-lost",
          message: "The lease ended, and another process has claimed the work"
        })
  )
