/**
 * Ends development modes automatically: after their time, and after their tunnel becomes unreachable. The audit log
 * records both as actions of Lectern, even if a request of a user found the tunnel unreachable.
 */
import { Effect, Schema } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { IntegrationKey, type IntegrationRow, IntegrationTable } from "./Integration.ts"

const EndDevelopment = Job.kind("end-development", Schema.Struct({ integration: IntegrationKey }))

export const makeDevelopmentTermination = Effect.gen(function* () {
  const storage = yield* Storage
  const jobs = yield* Jobs
  const trail = yield* makeAuditTrail
  const integrations = storage.repository(IntegrationTable)

  return {
    /** Schedules the end of a development mode. Called inside the transaction that starts the mode. */
    scheduleEnd: (integration: IntegrationKey, runAt: Timestamp) =>
      Effect.asVoid(jobs.enqueue(EndDevelopment, { integration }, { key: integration, runAt })),

    /** Ends a development mode. Called inside a transaction. */
    end: Effect.fnUntraced(function* (
      { key, organization, manifest }: IntegrationRow,
      reason: "expired" | "unreachable"
    ) {
      yield* integrations.update({ key }, { development: undefined, tunnelUrl: undefined }).pipe(cannotConflict)
      yield* trail.record({
        organization,
        action: "integration_development_ended",
        isAutomatic: true,
        target: { type: "integration", id: key, label: manifest.title },
        payload: { reason }
      })
    })
  }
})

export const endExpiredDevelopment = Effect.gen(function* () {
  const storage = yield* Storage
  const ends = yield* makeDevelopmentTermination
  const integrations = storage.repository(IntegrationTable)
  return Job.handler(EndDevelopment, ({ payload, complete, continueWith }) =>
    storage.transaction(
      Effect.gen(function* () {
        const integration = yield* integrations.get({ key: payload.integration })
        const endsAt = integration?.development?.endsAt
        if (integration === undefined || endsAt === undefined) return yield* complete
        // Development was started again: there is one job of this kind for each integration.
        if (endsAt > (yield* Timestamps.now)) return yield* continueWith(payload, endsAt)
        yield* ends.end(integration, "expired")
        yield* complete
      })
    )
  )
})
