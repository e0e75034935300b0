/**
 * Bounds the records that an integration leaves: a program that is asked, or asks itself, a thousand times a second
 * would fill the disk that it shares with everybody else. It is told all the same, and some of it is not recorded.
 *
 * Limits: 64 MiB at once, which come back within a day. The last quarter is for what failed. A restart begins anew, as
 * does an integration that 10,000 others were told of since.
 */
import { Clock, Context, Effect } from "effect"
import { LruCache } from "../storage/LruCache.ts"
import { wired } from "../wiring/Wired.ts"
import type { IntegrationKey } from "./Integration.ts"
import type { DeliveryState } from "./IntegrationEvent.ts"
import type { RunLog } from "./RunLog.ts"

const most = 64 * 1024 * 1024
const perMillisecond = most / (24 * 60 * 60 * 1000)
const forFailed = most / 4
const countedIntegrations = 10_000

/** About as much as a row takes beside its payload and logs, its index included. */
const rowBytes = 512

export interface RecordSize {
  /** Length of the payload, 0 where it is shared with others. */
  readonly payload: number
  readonly logs: ReadonlyArray<RunLog>
}

const bytesOf = ({ payload, logs }: RecordSize): number =>
  logs.reduce((bytes, { message }) => bytes + message.length, rowBytes + payload)

export class RecordAllowance extends Context.Service<
  RecordAllowance,
  {
    /** Tells whether an event of an integration may be recorded, and counts it then. */
    readonly take: (integration: IntegrationKey, state: DeliveryState, size: RecordSize) => Effect.Effect<boolean>
  }
>()("@lectern/core/integration/RecordAllowance") {
  static readonly layer = wired(
    RecordAllowance,
    Effect.sync(() => {
      const allowances = new LruCache<IntegrationKey, { left: number; at: number }>(countedIntegrations)
      return RecordAllowance.of({
        take: (integration, state, size) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            let allowance = allowances.get(integration)
            if (allowance === undefined) allowances.set(integration, (allowance = { left: most, at: now }), 1)
            // Clocks are set back.
            const passed = Math.max(0, now - allowance.at)
            allowance.left = Math.min(most, allowance.left + passed * perMillisecond)
            allowance.at = now
            const left = allowance.left - bytesOf(size)
            if (left < (state === "failed" ? 0 : forFailed)) return false
            allowance.left = left
            return true
          })
      })
    })
  )
}
