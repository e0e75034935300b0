/** Opens payloads of events: sealed in their own row, or shared with other events (see `SharedEvent`). */
import { Effect } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import { type IntegrationEventRow, IntegrationEventTable, type IntegrationPayload } from "./IntegrationEvent.ts"
import { SharedEventTable } from "./SharedEvent.ts"

export const makeEventPayloads = Effect.gen(function* () {
  const secrets = yield* Secrets
  const sharedEvents = (yield* Storage).repository(SharedEventTable)

  return {
    open: Effect.fnUntraced(function* (row: IntegrationEventRow) {
      const sharedEvent = row.told === undefined ? undefined : yield* sharedEvents.get({ id: row.told })
      const payload =
        sharedEvent === undefined
          ? yield* secrets.open(IntegrationEventTable, row, "payload")
          : ({ ...sharedEvent.payload, installationId: row.installation } as unknown as IntegrationPayload)
      return payload ?? (yield* new StorageError({ reason: "failed", message: "The payload of an event is missing" }))
    })
  }
})
