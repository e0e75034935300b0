/**
 * Limits the total size of the tasks of an integration; `maxWaitingTasks` limits their number. 10,000 large tasks would
 * take more than half a gigabyte. Sizes are summed up in memory. If the sum exceeds the limit, the stored tasks are
 * summed again, since most may be done.
 *
 * Limits: 64 MiB of stored size for each integration, read again at most every ten seconds. Sums are kept for the
 * 10,000 most recently active integrations; a restart resets them.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Throttle } from "../time/Throttle.ts"
import { LruCache } from "../storage/LruCache.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import type { IntegrationKey } from "./Integration.ts"
import { IntegrationEventTable, taskReceiverPrefix } from "./IntegrationEvent.ts"
import { IntegrationTaskTable } from "./IntegrationTask.ts"

const capacityBytes = 64 * 1024 * 1024
const trackedIntegrations = 10_000
const pageSize = 100

export class TaskAllowance extends Context.Service<
  TaskAllowance,
  {
    /** Returns true if a task of this size may be stored, and adds its size. */
    readonly charge: (integration: IntegrationKey, bytes: number) => Effect.Effect<boolean, StorageError>
  }
>()("@lectern/core/integration/TaskAllowance") {
  static readonly layer = Layer.effect(
    TaskAllowance,
    Effect.gen(function* () {
      const storage = yield* Storage
      const tasks = storage.repository(IntegrationTaskTable)
      const events = storage.repository(IntegrationEventTable)
      const sums = new LruCache<IntegrationKey, { bytes: number; readonly throttle: Throttle }>(trackedIntegrations)

      /** Returns the total size of scheduled and queued tasks in bytes. */
      const storedBytes = Effect.fnUntraced(function* (integration: IntegrationKey) {
        let bytes = 0
        for (const read of [
          (cursor: ReadonlyArray<string>) =>
            Effect.map(
              tasks.list({ where: { integration }, order: ["id"], after: cursor, limit: pageSize }),
              (rows): ReadonlyArray<readonly [string, string]> => rows.map(({ id, task }) => [id, task])
            ),
          (cursor: ReadonlyArray<string>) =>
            Effect.map(
              events.list({
                where: { queue: { prefix: taskReceiverPrefix(integration) } },
                order: ["id"],
                after: cursor,
                limit: pageSize
              }),
              (rows): ReadonlyArray<readonly [string, string]> => rows.map(({ id, payload = "" }) => [id, payload])
            )
        ]) {
          for (let rows = yield* read([""]); rows.length > 0; rows = yield* read([rows.at(-1)![0]])) {
            for (const [, text] of rows) bytes += text.length
            yield* Effect.yieldNow
          }
        }
        return bytes
      })

      return TaskAllowance.of({
        charge: Effect.fnUntraced(function* (integration, bytes) {
          let sum = sums.get(integration)
          if (sum === undefined) sums.set(integration, (sum = { bytes: 0, throttle: new Throttle("10 seconds") }), 1)
          if (sum.bytes + bytes > capacityBytes && sum.throttle.isDue(yield* Clock.currentTimeMillis)) {
            sum.bytes = yield* storedBytes(integration)
          }
          if (sum.bytes + bytes > capacityBytes) return false
          sum.bytes += bytes
          return true
        })
      })
    })
  )
}
