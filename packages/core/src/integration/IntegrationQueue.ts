/**
 * Queues events for programs in the transaction that causes them, for each installation that covers the content and has
 * the scope.
 */
import { Context, Effect, Layer } from "effect"
import { Ids } from "../identity/Ids.ts"
import { WorkSignal } from "../job/WorkSignal.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { type IntegrationPayload, taskReceiverPrefix } from "./IntegrationEvent.ts"
import type { RunTarget } from "./IntegrationEnvironments.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"
import type { PlacementKind } from "./Installation.ts"
import { IntegrationRuns } from "./IntegrationRuns.ts"
import { ActiveIntegrations, mayUse } from "./ActiveIntegrations.ts"
import { ReceiverQueues, type QueuedRow } from "./ReceiverQueues.ts"
import type { SharedPayload } from "./SharedEvent.ts"
import { SharedEvents } from "./SharedEvents.ts"

/** A space or site that an event is about. */
export interface EventContent {
  readonly organization: OrganizationId
  readonly kind: PlacementKind
  readonly id: string
}

/** An event to queue, and the scope that its receivers need. */
export interface ScopedEvent {
  readonly scope: IntegrationScope
  readonly payload: (installation: string) => IntegrationPayload
}

export class IntegrationQueue extends Context.Service<
  IntegrationQueue,
  {
    /**
     * Queues an event for one installation, or a task for the integration itself. Does nothing if no runtime is
     * available.
     */
    readonly add: (setting: RunTarget, payload: IntegrationPayload) => Effect.Effect<void, StorageError>
    /** Queues an event for all active integrations on a space or site that have the scope. */
    readonly notify: (
      subject: EventContent,
      scope: IntegrationScope,
      payload: SharedPayload
    ) => Effect.Effect<void, StorageError>
    /**
     * Queues several events, up to `maxQueued` queued events for one receiver. Returns the largest number of events
     * that a receiver did not get.
     */
    readonly notifyAll: (
      subject: EventContent,
      sharedEvents: ReadonlyArray<ScopedEvent>,
      options: { readonly maxQueued: number }
    ) => Effect.Effect<number, StorageError>
    /** Opens after this process has queued an event. */
    readonly signal: WorkSignal
  }
>()("@lectern/core/integration/IntegrationQueue") {
  static readonly layer = Layer.effect(
    IntegrationQueue,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const runs = yield* IntegrationRuns
      const activeIntegrations = yield* ActiveIntegrations
      const queues = yield* ReceiverQueues
      const sharedEvents = yield* SharedEvents

      const signal = new WorkSignal()
      const announce = signal.announce(storage)

      /** Queues events after all earlier events. */
      const insert = Effect.fnUntraced(function* (setting: RunTarget, payloads: ReadonlyArray<IntegrationPayload>) {
        const { integration, installation, about } = setting
        yield* sharedEvents.distribute
        const receiver = installation?.id ?? taskReceiverPrefix(integration.key) + (about ?? (yield* ids.next))
        const queuedRows = payloads.map(
          (payload): QueuedRow =>
            (id) =>
              runs.record(setting, receiver, id, payload)
        )
        yield* queues.add(receiver, integration.key, queuedRows)
      })

      /** Returns the active integrations on a space or site. Empty if no runtime is available. */
      const receivers = ({ organization, kind, id }: EventContent) =>
        runs.isAvailable ? activeIntegrations.list(organization, kind, id) : Effect.succeed([])

      return IntegrationQueue.of({
        signal,

        add: (setting, payload) =>
          runs.isAvailable ? Effect.andThen(insert(setting, [payload]), announce) : Effect.void,

        notify: Effect.fnUntraced(function* (subject, scope, payload) {
          const receivingIntegrations = (yield* receivers(subject)).filter((activeIntegration) =>
            mayUse(activeIntegration, scope)
          )
          if (receivingIntegrations.length === 0) return
          yield* sharedEvents.add(subject.organization, receivingIntegrations, payload)
          yield* announce
        }),

        notifyAll: Effect.fnUntraced(function* (subject, scopedEvents, { maxQueued }) {
          let mostSkipped = 0
          for (const activeIntegration of yield* receivers(subject)) {
            const allowedEvents = scopedEvents.filter(({ scope }) => mayUse(activeIntegration, scope))
            if (allowedEvents.length === 0) continue
            const { id } = activeIntegration.installation
            const capacity = Math.max(0, maxQueued - (yield* queues.waiting(id)))
            yield* insert(
              { ...activeIntegration, content: subject },
              allowedEvents.slice(0, capacity).map(({ payload }) => payload(id))
            )
            if (capacity > 0) yield* announce
            mostSkipped = Math.max(mostSkipped, allowedEvents.length - capacity)
          }
          return mostSkipped
        })
      })
    })
  )
}
