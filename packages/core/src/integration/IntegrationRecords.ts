/**
 * Records of events that programs have answered, written a moment later in groups (see `WriteBatches`). Until then
 * no more of an event is kept than its record: a hundred answers that wait for theirs are found by every collection
 * of what is young. Of an integration no more are written than it may leave (see `RecordAllowance`).
 */
import { Context, Effect } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import * as WriteBatches from "../storage/WriteBatches.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { wired } from "../wiring/Wired.ts"
import { type IntegrationEventRow, IntegrationEventTable } from "./IntegrationEvent.ts"
import { RecordAllowance } from "./RecordAllowance.ts"
import type { RunLog } from "./RunLog.ts"

/** An event that was answered: its row, with the payload as JSON and the logs as they are. */
export interface AnsweredEvent {
  readonly row: Omit<IntegrationEventRow, "payload" | "logs">
  readonly json: string
  readonly logs: ReadonlyArray<RunLog>
}

export class IntegrationRecords extends Context.Service<IntegrationRecords, WriteBatches.WriteBatches<AnsweredEvent>>()(
  "@lectern/core/integration/IntegrationRecords"
) {
  static readonly layer = wired(
    IntegrationRecords,
    Effect.gen(function* () {
      const storage = yield* Storage
      const secrets = yield* Secrets
      const allowance = yield* RecordAllowance
      const records = storage.repository(IntegrationEventTable)

      const rowOf = ({ row, json, logs }: AnsweredEvent): Effect.Effect<IntegrationEventRow> => {
        const payload = secrets.sealJson(IntegrationEventTable, row, "payload", json)
        if (logs.length === 0) return Effect.map(payload, (payload) => ({ ...row, payload }))
        return Effect.zipWith(payload, secrets.seal(IntegrationEventTable, row, "logs", logs), (payload, logs) => ({
          ...row,
          payload,
          logs
        }))
      }

      const written = yield* WriteBatches.makeOf<AnsweredEvent>(
        "Records of integrations could not be written",
        (answered) =>
          // Sealed ahead of the transaction: nobody else writes as long as that lasts.
          Effect.flatMap(Effect.forEach(answered, rowOf), (rows) =>
            storage.transaction(Effect.forEach(rows, (row) => cannotConflict(records.insert(row)), { discard: true }))
          )
      )
      return {
        ...written,
        add: (answered, rows) => {
          const { json, logs, row } = answered
          return Effect.flatMap(
            allowance.take(row.integration, row.state, { payload: json.length, logs }),
            (isAllowed) => (isAllowed ? written.add(answered, rows) : Effect.void)
          )
        }
      }
    }),
    [RecordAllowance.layer, Secrets.layer]
  )
}
