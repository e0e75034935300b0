/**
 * Queues what programs are told later, in the transaction of what it tells, for whichever installation
 * is on what it is about and may know of it.
 */
import { Context, Effect, Layer } from "effect"
import { Ids } from "../identity/Ids.ts"
import { Jobs } from "../job/Jobs.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { DeliverIntegrationEvents } from "./IntegrationDelivery.ts"
import {
  IntegrationEventId,
  IntegrationEventTable,
  type IntegrationPayload,
  IntegrationQueueTable
} from "./IntegrationEvent.ts"
import type { Setting } from "./IntegrationEnvironments.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"
import type { PlacementKind } from "./Installation.ts"
import { IntegrationRuns } from "./IntegrationRuns.ts"
import { IntegrationsAtWork, mayUse } from "./IntegrationsAtWork.ts"

/** A space or site that something has happened to. */
export interface Subject {
  readonly organization: OrganizationId
  readonly kind: PlacementKind
  readonly id: string
}

export class IntegrationQueue extends Context.Service<
  IntegrationQueue,
  {
    /** Tells one installation, or the integration itself. Nothing is queued where nothing runs. */
    readonly add: (setting: Setting, payload: IntegrationPayload) => Effect.Effect<void, StorageError>
    /** Tells whatever is at work on a space or site and has the scope. */
    readonly tell: (
      subject: Subject,
      scope: IntegrationScope,
      payload: (installation: string) => IntegrationPayload
    ) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/integration/IntegrationQueue") {
  static readonly layer = Layer.effect(
    IntegrationQueue,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const jobs = yield* Jobs
      const runs = yield* IntegrationRuns
      const atWork = yield* IntegrationsAtWork
      const events = storage.repository(IntegrationEventTable)
      const queues = storage.repository(IntegrationQueueTable)

      const add = Effect.fnUntraced(function* (setting: Setting, payload: IntegrationPayload) {
        if (!runs.isThere) return
        const receiver = setting.installation?.id ?? setting.integration.key
        const queue = yield* queues.get({ receiver })
        const id = IntegrationEventId.make(queue === undefined ? yield* ids.next : yield* ids.behind(queue.last))
        yield* events.insert(yield* runs.record(setting, receiver, id, payload)).pipe(cannotConflict)
        yield* (
          queue === undefined
            ? queues.insert({ receiver, last: id, dueAt: yield* Timestamps.now, attempts: 0 })
            : queues.update({ receiver }, { last: id })
        ).pipe(cannotConflict)
        yield* jobs.enqueue(DeliverIntegrationEvents, {}, { key: "all" })
      })

      return IntegrationQueue.of({
        add,

        tell: Effect.fnUntraced(function* ({ organization, kind, id }, scope, payload) {
          if (!runs.isThere) return
          for (const placed of yield* atWork.on(organization, kind, id)) {
            if (!mayUse(placed, scope)) continue
            const { integration, installation } = placed
            yield* add({ integration, installation, content: { kind, id } }, payload(installation.id))
          }
        })
      })
    })
  )
}
