/**
 * What integrations ask for themselves: tokens of their installations, and tasks for later.
 *
 * Limits: a task is due in 24 hours at most, and has 64 KiB of JSON.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import * as Job from "../job/Job.ts"
import { Jobs } from "../job/Jobs.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import type { InstallationId, InstallationNotFound } from "./Installation.ts"
import { IntegrationKey, type IntegrationNotFound, IntegrationTable } from "./Integration.ts"
import { IntegrationPolicy } from "./IntegrationPolicy.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import { Task, TaskRequest } from "./IntegrationTask.ts"
import { IntegrationTokens } from "./IntegrationTokens.ts"

const acceptTask = accepting(TaskRequest)

const RunTask = Job.kind("run-integration-task", Schema.Struct({ integration: IntegrationKey, task: Task }))

/** Queues a task for its program once it is due. */
export const runTask = Effect.gen(function* () {
  const storage = yield* Storage
  const queue = yield* IntegrationQueue
  const integrations = storage.repository(IntegrationTable)

  return Job.handler(RunTask, ({ payload: { integration: key, task }, complete }) =>
    storage.transaction(
      Effect.gen(function* () {
        const integration = yield* integrations.get({ key })
        if (integration?.unpublishedAt === undefined && integration !== undefined)
          yield* queue.add({ integration }, { type: "task", task })
        yield* complete
      })
    )
  )
})

type Failure = IntegrationNotFound | Forbidden | StorageError

export class IntegrationTasks extends Context.Service<
  IntegrationTasks,
  {
    /** Gives a program a task of its own, now or later. */
    readonly queue: (
      integration: string,
      input: TaskRequest
    ) => Effect.Effect<void, Failure | InvalidInput, CurrentActor>
    /** A token of one of its installations, for the integration itself and who publishes it. */
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
      const policy = yield* IntegrationPolicy
      const tokens = yield* IntegrationTokens

      return IntegrationTasks.of({
        queue: Effect.fn("IntegrationTasks.queue")(function* (name, wanted) {
          const { task, schedule = 0 } = yield* acceptTask(wanted)
          const dueAt = Timestamps.at((yield* Clock.currentTimeMillis) + schedule * 1000)
          yield* storage.transaction(
            Effect.gen(function* () {
              const { integration } = yield* policy.require(name, "run this integration")
              yield* jobs.enqueue(RunTask, { integration: integration.key, task }, { runAt: dueAt })
            })
          )
        }),

        token: Effect.fn("IntegrationTasks.token")(function* (name, id) {
          yield* policy.require(name, "run this integration")
          const { installation } = yield* policy.requireInstallation(name, id, "see this installation")
          const { integration, organization } = installation
          return {
            token: yield* tokens.make({ type: "installation", integration, installation: id, organization })
          }
        })
      })
    })
  )
}
