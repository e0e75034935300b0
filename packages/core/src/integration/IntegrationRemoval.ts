/**
 * Removes the installations of an unpublished integration, in short transactions, since an integration may have very
 * many. For users the integration no longer exists at once.
 */
import { Effect, Schema } from "effect"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import { Storage } from "../storage/Storage.ts"
import { InstallationTable } from "./Installation.ts"
import { makeInstallationRemoval } from "./InstallationRemoval.ts"
import { IntegrationKey, type IntegrationRow, IntegrationTable, isPublished } from "./Integration.ts"

/** Approximate number of rows that one transaction removes. */
const sliceSize = 100

const RemoveInstallations = Job.kind("remove-installations", Schema.Struct({ integration: IntegrationKey }), {
  attempts: 100
})

export const makeIntegrationRemoval = Effect.gen(function* () {
  const jobs = yield* Jobs
  const removal = yield* makeInstallationRemoval
  const installations = (yield* Storage).repository(InstallationTable)

  /** Removes about 100 rows. Called inside a transaction. Returns true if no rows are left. */
  const removeSlice = Effect.fnUntraced(function* (integration: IntegrationRow) {
    const rows = yield* installations.list({ where: { integration: integration.key }, limit: sliceSize })
    let remainingRows = sliceSize
    for (const row of rows) {
      const { removed, isRemoved } = yield* removal.removeSlice(integration, row)
      remainingRows -= removed
      if (!isRemoved || remainingRows <= 0) return false
    }
    return true
  })

  return {
    removeSlice,

    /**
     * Removes a first slice of installations, and queues a job for the rest. Called inside the transaction that
     * unpublishes the integration.
     */
    begin: Effect.fnUntraced(function* (integration: IntegrationRow) {
      if (yield* removeSlice(integration)) return
      yield* jobs.enqueue(RemoveInstallations, { integration: integration.key }, { key: integration.key })
    })
  }
})

export const removeInstallations = Effect.gen(function* () {
  const storage = yield* Storage
  const removal = yield* makeIntegrationRemoval
  const integrations = storage.repository(IntegrationTable)

  return Job.handler(RemoveInstallations, ({ payload: { integration: key } }) => {
    const slice = storage.transaction(
      Effect.gen(function* () {
        const integration = yield* integrations.get({ key })
        return integration === undefined || isPublished(integration) || (yield* removal.removeSlice(integration))
      })
    )
    return Effect.gen(function* () {
      while (!(yield* slice)) yield* Effect.yieldNow
    })
  })
})
