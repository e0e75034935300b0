/**
 * Records of processed events, written shortly afterwards in groups (see `WriteBatches`). Until then only the record
 * of an event is held in memory, so that pending records do not slow down garbage collection. The records of an
 * integration are limited (see `RecordAllowance`).
 */
import { Context, Effect, Layer } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import * as WriteBatches from "../storage/WriteBatches.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { type IntegrationEventRow, IntegrationEventTable } from "./IntegrationEvent.ts"
import { RecordAllowance } from "./RecordAllowance.ts"
import type { RunLog } from "./RunLog.ts"

/** A processed event: its row, its payload as JSON, and its logs. Payload and logs are not sealed yet. */
export interface ProcessedEvent {
  readonly row: Omit<IntegrationEventRow, "payload" | "logs">
  readonly json: string
  readonly logs: ReadonlyArray<RunLog>
}

export class IntegrationRecords extends Context.Service<
  IntegrationRecords,
  WriteBatches.WriteBatches<ProcessedEvent>
>()("@lectern/core/integration/IntegrationRecords") {
  static readonly layer = Layer.effect(
    IntegrationRecords,
    Effect.gen(function* () {
      const storage = yield* Storage
      const secrets = yield* Secrets
      const allowance = yield* RecordAllowance
      const records = storage.repository(IntegrationEventTable)

      const rowOf = ({ row, json, logs }: ProcessedEvent): Effect.Effect<IntegrationEventRow> => {
        const payload = secrets.sealJson(IntegrationEventTable, row, "payload", json)
        if (logs.length === 0) return Effect.map(payload, (payload) => ({ ...row, payload }))
        return Effect.zipWith(payload, secrets.seal(IntegrationEventTable, row, "logs", logs), (payload, logs) => ({
          ...row,
          payload,
          logs
        }))
      }

      const groupedWrites = yield* WriteBatches.makeOf<ProcessedEvent>(
        "Records of integrations could not be written",
        (processed) =>
          // Records are sealed before the transaction, since a transaction blocks all other writers.
          Effect.flatMap(Effect.forEach(processed, rowOf), (rows) =>
            storage.transaction(Effect.forEach(rows, (row) => cannotConflict(records.insert(row)), { discard: true }))
          )
      )
      return {
        ...groupedWrites,
        add: (processed, rows) => {
          const { json, logs, row } = processed
          return Effect.flatMap(
            allowance.charge(row.integration, row.state, { payload: json.length, logs }),
            (isAllowed) => (isAllowed ? groupedWrites.add(processed, rows) : Effect.void)
          )
        }
      }
    })
  )
}
