/**
 * Handlers by job kind in this process. The core registers its own; the host adds its kinds:
 *
 * ```ts
 * const SendDigest = Job.kind("acme/send-digest", Schema.Struct({ user: Schema.String }), { attempts: 5 })
 *
 * yield* handlers.handle(SendDigest, ({ payload }) => mail(payload.user))
 * yield* jobs.enqueue(SendDigest, { user: "42" })               // see `HostJobs`
 * ```
 *
 * A job waits while no process handles its kind. Limits: 100 kinds of the host. A name is two words of lowercase
 * letters, digits and `-`, separated by `/`.
 */
import { Clock, Context, Duration, Effect, Schema, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { withoutFence } from "../storage/Fence.ts"
import type { StorageError } from "../storage/Storage.ts"
import { handler as handlerOf, type JobHandler, type JobKind, recurring, type RunningJob } from "./Job.ts"
import { Jobs } from "./Jobs.ts"

const maxKinds = 100

/** Name of a host's kind. Kinds of the core contain no `/`, so the names never conflict. */
export const HostKindName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9-]{1,50}\/[a-z0-9-]{1,50}$/, {
    message: 'Expected two words of lowercase letters, digits and "-", separated by "/", such as "acme/send-digest"'
  })
)

const acceptKind = accepting(
  Schema.Struct({ name: HostKindName, attempts: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })) })
)

/** Raised if the kind already has a handler in this process, or if there are too many kinds. */
export class KindRegistered extends Schema.TaggedError<KindRegistered>()("KindRegistered", {
  message: Schema.String
}) {}

export class JobHandlers extends Context.Service<
  JobHandlers,
  {
    /**
     * Registers a handler for a kind of the host. Jobs run as soon as the process's worker is started. Any failure of
     * the handler is a failed attempt; `JobNotRetryable` fails the job immediately.
     *
     * Fails with `Forbidden` for users, `InvalidInput` for an invalid name or number of attempts (1 to 100), and
     * `KindRegistered` if the kind has a handler or 100 kinds are registered.
     */
    readonly handle: <P extends Schema.Json, R = never>(
      kind: JobKind<P>,
      run: (job: RunningJob<P>) => Effect.Effect<void, unknown, R>
    ) => Effect.Effect<void, Forbidden | InvalidInput | KindRegistered | StorageError, R | CurrentActor>
    /** Registers a handler of the core. */
    readonly add: (handler: JobHandler) => Effect.Effect<void>
    /** Creates the job of a recurring kind if it does not exist. */
    readonly ensure: (handler: JobHandler) => Effect.Effect<void, StorageError>
    /** Handlers by kind. A live view: later registrations appear. */
    readonly byKind: ReadonlyMap<string, JobHandler>
    /** Returns true if the host handles jobs in this process. */
    readonly hasHostHandlers: () => boolean
  }
>()("@lectern/core/job/JobHandlers") {
  static readonly layer = Layer.effect(
    JobHandlers,
    Effect.gen(function* () {
      const { enqueue, signal } = yield* Jobs
      const byKind = new Map<string, JobHandler>()
      let hostKinds = 0

      const ensure = Effect.fnUntraced(function* ({ kind, every }: JobHandler) {
        if (every === undefined) return
        const runAt = Timestamps.at((yield* Clock.currentTimeMillis) + Duration.toMillis(every))
        yield* enqueue(recurring(kind, every), {}, { key: "recurring", runAt })
      })

      const handle = Effect.fnUntraced(function* (kind: JobKind<Schema.Json>, handler: JobHandler) {
        yield* requireHost("handle jobs")
        yield* acceptKind({ name: kind.name, attempts: kind.attempts })
        if (byKind.has(kind.name)) {
          return yield* new KindRegistered({
            message: `This process already has a handler for the kind "${kind.name}"`
          })
        }
        if (hostKinds >= maxKinds)
          return yield* new KindRegistered({ message: `The limit of ${maxKinds} kinds of jobs is reached` })
        hostKinds++
        byKind.set(kind.name, handler)
        yield* ensure(handler)
        yield* signal.open
      })

      return JobHandlers.of({
        byKind,
        ensure,
        hasHostHandlers: () => hostKinds > 0,

        add: (handler) =>
          Effect.suspend(() => {
            if (byKind.has(handler.kind)) return Effect.die(new Error(`The kind "${handler.kind}" has two handlers`))
            byKind.set(handler.kind, handler)
            return Effect.void
          }),

        handle: <P extends Schema.Json, R>(
          kind: JobKind<P>,
          run: (job: RunningJob<P>) => Effect.Effect<void, unknown, R>
        ) =>
          Effect.flatMap(Effect.context<R>(), (context) =>
            handle(
              kind as JobKind<any>,
              handlerOf(kind, (job) =>
                Effect.provideContext(
                  Effect.suspend(() => run(job)),
                  withoutFence(context)
                )
              )
            )
          )
      })
    })
  )
}
