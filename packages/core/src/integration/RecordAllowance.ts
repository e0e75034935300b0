/**
 * Limits the records of an integration, because a program that receives events or calls itself a thousand times a
 * second would fill the shared disk. The events are still delivered, and only some are recorded.
 *
 * Limits: 64 MiB at once, refilled within a day. The last quarter is reserved for failed events. Kept in memory for the
 * 10,000 most recently active integrations; a restart resets it.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { LruCache } from "../storage/LruCache.ts"
import type { IntegrationKey } from "./Integration.ts"
import type { DeliveryState } from "./IntegrationEvent.ts"
import type { RunLog } from "./RunLog.ts"

const capacityBytes = 64 * 1024 * 1024
const perMillisecond = capacityBytes / (24 * 60 * 60 * 1000)
const reservedForFailed = capacityBytes / 4
const trackedIntegrations = 10_000

/** Approximate size of a row without its payload and logs, with its index, in bytes. */
const rowBytes = 512

export interface RecordSize {
  /** Length of the payload; 0 if it is shared with other events. */
  readonly payload: number
  readonly logs: ReadonlyArray<RunLog>
}

const bytesOf = ({ payload, logs }: RecordSize): number =>
  logs.reduce((bytes, { message }) => bytes + message.length, rowBytes + payload)

export class RecordAllowance extends Context.Service<
  RecordAllowance,
  {
    /** Returns true if an event of an integration may be recorded, and charges its size. */
    readonly charge: (integration: IntegrationKey, state: DeliveryState, size: RecordSize) => Effect.Effect<boolean>
  }
>()("@lectern/core/integration/RecordAllowance") {
  static readonly layer = Layer.effect(
    RecordAllowance,
    Effect.sync(() => {
      const allowances = new LruCache<IntegrationKey, { remainingBytes: number; timestamp: number }>(
        trackedIntegrations
      )
      return RecordAllowance.of({
        charge: (integration, state, size) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            let allowance = allowances.get(integration)
            if (allowance === undefined)
              allowances.set(integration, (allowance = { remainingBytes: capacityBytes, timestamp: now }), 1)
            // A clock that is set back counts as no elapsed time.
            const elapsedMillis = Math.max(0, now - allowance.timestamp)
            allowance.remainingBytes = Math.min(
              capacityBytes,
              allowance.remainingBytes + elapsedMillis * perMillisecond
            )
            allowance.timestamp = now
            const remainingBytes = allowance.remainingBytes - bytesOf(size)
            if (remainingBytes < (state === "failed" ? 0 : reservedForFailed)) return false
            allowance.remainingBytes = remainingBytes
            return true
          })
      })
    })
  )
}
