/**
 * Queues what programs are told later, in the transaction of what it tells, for whichever installation
 * is on what it is about and may know of it. Where too many wait already, the oldest of them has failed:
 * who has not been reached for so long learns more from what is new.
 */
import { Context, Effect, Latch, Schema } from "effect"
import { Ids } from "../identity/Ids.ts"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import {
  IntegrationEventId,
  IntegrationEventTable,
  type IntegrationPayload,
  IntegrationQueueTable,
  maxQueued
} from "./IntegrationEvent.ts"
import type { RunLog } from "./RunLog.ts"
import type { Setting } from "./IntegrationEnvironments.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"
import type { PlacementKind } from "./Installation.ts"
import { IntegrationRuns } from "./IntegrationRuns.ts"
import { IntegrationsAtWork, mayUse } from "./IntegrationsAtWork.ts"
import { wired } from "../wiring/Wired.ts"

export const DeliverIntegrationEvents = Job.kind("deliver-integration-events", Schema.Struct({}), { attempts: 100 })

/** A space or site that something has happened to. */
export interface Subject {
  readonly organization: OrganizationId
  readonly kind: PlacementKind
  readonly id: string
}

/** An event to tell, and the scope that its receivers have. */
export interface Told {
  readonly scope: IntegrationScope
  readonly payload: (installation: string) => IntegrationPayload
}

export class IntegrationQueue extends Context.Service<
  IntegrationQueue,
  {
    /** Tells one installation, or the integration itself, which is a task. Nothing is queued where nothing runs. */
    readonly add: (setting: Setting, payload: IntegrationPayload) => Effect.Effect<void, StorageError>
    /** Tells whatever is at work on a space or site and has the scope. */
    readonly tell: (
      subject: Subject,
      scope: IntegrationScope,
      payload: Told["payload"]
    ) => Effect.Effect<void, StorageError>
    /** Tells several at once, as long as not too many events wait for one receiver; how many were too many. */
    readonly tellAll: (
      subject: Subject,
      told: ReadonlyArray<Told>,
      options: { readonly waiting: number }
    ) => Effect.Effect<number, StorageError>
    /** Opened when this process has queued something: whoever delivers closes it and looks. */
    readonly arrival: Latch.Latch
  }
>()("@lectern/core/integration/IntegrationQueue") {
  static readonly layer = wired(
    IntegrationQueue,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const jobs = yield* Jobs
      const runs = yield* IntegrationRuns
      const atWork = yield* IntegrationsAtWork
      const events = storage.repository(IntegrationEventTable)
      const queues = storage.repository(IntegrationQueueTable)

      const arrival = yield* Latch.make(false)
      const announce = storage.afterCommit(Effect.asVoid(arrival.open))

      const failOldest = Effect.fnUntraced(function* (receiver: string) {
        const [oldest] = yield* events.list({ where: { queue: receiver }, order: ["id"], limit: 1 })
        if (oldest === undefined) return 0
        const message = `${maxQueued.toLocaleString("en")} events behind it wait: it was not delivered`
        const log: RunLog = { level: "error", message, timestamp: yield* Timestamps.now }
        yield* events.update({ id: oldest.id }, yield* runs.outcome(oldest.id, "failed", [log])).pipe(cannotConflict)
        return 1
      })

      const deliver = Effect.andThen(jobs.enqueue(DeliverIntegrationEvents, {}, { key: "all" }), announce)

      const insert = Effect.fnUntraced(function* (setting: Setting, payload: IntegrationPayload) {
        const { integration, installation, about } = setting
        const known = installation?.id ?? (about && `tasks of ${about}`)
        const queue = known === undefined ? undefined : yield* queues.get({ receiver: known })
        const id = IntegrationEventId.make(queue === undefined ? yield* ids.next : yield* ids.behind(queue.last))
        const receiver = known ?? id
        yield* events.insert(yield* runs.record(setting, receiver, id, payload)).pipe(cannotConflict)
        if (queue === undefined) {
          const dueAt = yield* Timestamps.now
          const row = { receiver, integration: integration.key, last: id, dueAt, waiting: 1, attempts: 0 }
          yield* queues.insert(row).pipe(cannotConflict)
        } else {
          const failed = queue.waiting >= maxQueued ? yield* failOldest(receiver) : 0
          const waiting = queue.waiting + 1 - failed
          yield* queues.update({ receiver }, { last: id, waiting }).pipe(cannotConflict)
        }
      })

      /** Integrations at work on a space or site, where any program runs. */
      const receivers = ({ organization, kind, id }: Subject) =>
        runs.isThere ? atWork.on(organization, kind, id) : Effect.succeed([])

      return IntegrationQueue.of({
        arrival,

        add: (setting, payload) => (runs.isThere ? Effect.andThen(insert(setting, payload), deliver) : Effect.void),

        tell: Effect.fnUntraced(function* (subject, scope, payload) {
          const told = (yield* receivers(subject)).filter((placed) => mayUse(placed, scope))
          for (const placed of told) yield* insert({ ...placed, content: subject }, payload(placed.installation.id))
          if (told.length > 0) yield* deliver
        }),

        tellAll: Effect.fnUntraced(function* (subject, told, { waiting }) {
          let most = 0
          for (const placed of yield* receivers(subject)) {
            const heard = told.filter(({ scope }) => mayUse(placed, scope))
            if (heard.length === 0) continue
            const { id } = placed.installation
            const room = Math.max(0, waiting - ((yield* queues.get({ receiver: id }))?.waiting ?? 0))
            for (const { payload } of heard.slice(0, room)) yield* insert({ ...placed, content: subject }, payload(id))
            if (room > 0) yield* deliver
            most = Math.max(most, heard.length - room)
          }
          return most
        })
      })
    }),
    [IntegrationRuns.layer, IntegrationsAtWork.layer, Jobs.layer]
  )
}
