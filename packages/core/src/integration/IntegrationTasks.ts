/**
 * Requests of integrations for themselves: tokens of their installations, and scheduled tasks.
 *
 * Limits: see `IntegrationTask`.
 */
import { Clock, Context, Duration, Effect, Schema, Layer } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import type { OtherAction } from "../audit/AuditActions.ts"
import { AuditEventTable } from "../audit/AuditEvent.ts"
import { actorOf, AuditOrigin, makeAuditTrail } from "../audit/AuditTrail.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { InstallationId, type InstallationNotFound, type InstallationRow } from "./Installation.ts"
import { type IntegrationNotFound, isPublished, IntegrationTable } from "./Integration.ts"
import { IntegrationEventTable, taskReceiverPrefix } from "./IntegrationEvent.ts"
import { makeIntegrationPolicy } from "./IntegrationPolicy.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import { IntegrationTaskTable, maxWaitingTasks, TaskRequest, TooManyTasks } from "./IntegrationTask.ts"
import { makeIntegrationTokens } from "./IntegrationTokens.ts"
import { requireDelegable } from "./DelegatedScopes.ts"
import { TaskAllowance } from "./TaskAllowance.ts"

/** Time in milliseconds in which further tokens for the same actor and installation are not recorded. */
const recordInterval = Duration.toMillis(Duration.days(1))

const acceptTask = accepting(TaskRequest)

const RunTask = Job.kind("run-integration-task", Schema.Struct({ id: Schema.String }))

/** Queues an event for a task when it is due. */
export const runTask = Effect.gen(function* () {
  const storage = yield* Storage
  const queue = yield* IntegrationQueue
  const secrets = yield* Secrets
  const tasks = storage.repository(IntegrationTaskTable)
  const integrations = storage.repository(IntegrationTable)

  return Job.handler(RunTask, ({ payload: { id }, complete }) =>
    storage.transaction(
      Effect.gen(function* () {
        const row = yield* tasks.get({ id })
        const integration = row && (yield* integrations.get({ key: row.integration }))
        if (row !== undefined && isPublished(integration)) {
          const task = yield* secrets.open(IntegrationTaskTable, row, "task")
          yield* queue.add({ integration, ...(row.about && { about: row.about }) }, { type: "task", task })
        }
        yield* tasks.remove({ id })
        yield* complete
      })
    )
  )
})

type Failure = IntegrationNotFound | Forbidden | StorageError

export class IntegrationTasks extends Context.Service<
  IntegrationTasks,
  {
    /**
     * Schedules a task of the integration.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     * @throws {InvalidInput}
     * @throws {TooManyTasks}
     */
    readonly queue: (
      integration: string,
      input: TaskRequest
    ) => Effect.Effect<void, Failure | InvalidInput | TooManyTasks, CurrentActor>
    /**
     * Returns a token of an installation, for the integration itself and its publisher.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden} For a token that lacks a scope requested by the integration.
     * @throws {InstallationNotFound}
     * @throws {IntegrationNotFound}
     */
    readonly token: (
      integration: string,
      installation: InstallationId
    ) => Effect.Effect<{ readonly token: string }, Failure | InstallationNotFound, CurrentActor>
  }
>()("@lectern/core/integration/IntegrationTasks") {
  static readonly layer = Layer.effect(
    IntegrationTasks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const jobs = yield* Jobs
      const policy = yield* makeIntegrationPolicy
      const tokens = yield* makeIntegrationTokens
      const ids = yield* Ids
      const secrets = yield* Secrets
      const tasks = storage.repository(IntegrationTaskTable)
      const events = storage.repository(IntegrationEventTable)
      const allowance = yield* TaskAllowance

      const trail = yield* makeAuditTrail
      const auditEvents = storage.repository(AuditEventTable)

      /** Programs request tokens often, so only the first one of a day is recorded for each actor. */
      const record = Effect.fnUntraced(function* ({ id, integration, organization }: InstallationRow) {
        const action = "installation_token_created" satisfies OtherAction
        const { isCommandLine = false } = yield* AuditOrigin
        const { id: actorId } = actorOf(yield* CurrentActor, isCommandLine)
        const occurredAt = { gte: Timestamps.at((yield* Clock.currentTimeMillis) - recordInterval) }
        if ((yield* auditEvents.count({ organization, targetId: id, occurredAt, action, actorId })) > 0) return
        yield* storage.transaction(
          trail.record({ organization, action, target: { type: "installation", id, label: integration } })
        )
      })

      return IntegrationTasks.of({
        queue: Effect.fn("IntegrationTasks.queue")(function* (name, rawInput) {
          const { task, schedule = 0 } = yield* acceptTask(rawInput)
          const now = yield* Clock.currentTimeMillis
          const runAt = Timestamps.at(now + schedule * 1000)
          const id = yield* ids.next
          const actor = yield* CurrentActor
          const installationFields =
            actor.type === "integration" && actor.about !== undefined ? { about: InstallationId.make(actor.about) } : {}
          const { integration: requestingIntegration } = yield* policy.require(name, "run this integration")
          const sealedTask = yield* secrets.seal(IntegrationTaskTable, { id }, "task", task)
          if (!(yield* allowance.charge(requestingIntegration.key, sealedTask.length))) {
            return yield* new TooManyTasks({
              message:
                "The integration has 64 MiB of scheduled and queued tasks, which is the limit: try again after some have run"
            })
          }
          yield* storage.transaction(
            Effect.gen(function* () {
              const { integration } = yield* policy.require(name, "run this integration")
              const { key } = integration
              const queuedEvents = yield* events.count({ queue: { prefix: taskReceiverPrefix(key) } })
              const waitingTasks = (yield* tasks.count({ integration: key })) + queuedEvents
              if (waitingTasks >= maxWaitingTasks) {
                return yield* new TooManyTasks({
                  message: `The integration has ${maxWaitingTasks.toLocaleString("en")} scheduled and queued tasks, which is the limit: try again after some have run`
                })
              }
              yield* tasks
                .insert({
                  id,
                  integration: key,
                  task: sealedTask,
                  ...installationFields,
                  createdAt: Timestamps.at(now)
                })
                .pipe(cannotConflict)
              yield* jobs.enqueue(RunTask, { id }, { runAt })
            })
          )
        }),

        token: Effect.fn("IntegrationTasks.token")(function* (name, id) {
          yield* policy.require(name, "run this integration")
          const { installation, integration } = yield* policy.requireInstallation(name, id, "see this installation")
          const { organization } = installation
          yield* requireDelegable(integration.manifest.scopes, "make a token of this installation")
          yield* record(installation)
          return {
            token: yield* tokens.makeForActor(
              { type: "installation", integration: integration.key, installation: id, organization },
              integration
            )
          }
        })
      })
    })
  )
}
