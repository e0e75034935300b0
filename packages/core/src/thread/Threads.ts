/**
 * Port for large computations in other threads, so that none blocks the event loop. The default runs them on the
 * calling thread, with equal results. On Node, `NodeThreads` of `@lectern/services-node` provides threads.
 *
 * The port schedules tasks for every adapter. One task per actor runs at a time. Patient tasks (exports, jobs) yield to
 * others and use at most half of the threads. Limits of waiting tasks: `maxWaiting` per actor, `maxReadersWaiting` for
 * the readers of a site (many people), `maxWaitingOfAll` in total. Further tasks fail with `StorageError` (`busy`).
 * Patient tasks always wait.
 *
 * Tasks run outside transactions, since a transaction waits only for the store.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { StorageError } from "../storage/Storage.ts"
import type { Computation } from "./Computation.ts"
import { patient as isPatient, ThreadSlots } from "./ThreadSlots.ts"

export const maxWaiting = 8
export const maxReadersWaiting = 32
export const maxWaitingOfAll = 64

/** Raised if a computation exceeds its limit of time or memory. `path`: part of the input that caused it. */
export class TooCostly extends Schema.TaggedError<TooCostly>()(
  "TooCostly",
  { message: Schema.String, path: Schema.optionalKey(Schema.String) },
  { httpApiStatus: 413 }
) {}

export interface RunOptions<Shared> {
  /** True to wait for all other tasks, without a limit of waiting tasks. Default: true for tasks without an actor. */
  readonly patient?: boolean
  readonly shared?: Shared
}

/**
 * Task as an adapter receives it. All fields except `shared` are cloneable; an adapter sends `shared` to a thread once.
 */
export interface Task {
  readonly name: string
  readonly input: unknown
  readonly shared: object | undefined
  readonly timeout: number
}

/** Threads of an adapter. At most `count` tasks run at once. */
export interface Pool {
  readonly count: number
  /**
   * Length up to which inputs run on the calling thread, in characters. Default: 0. Larger for a process with one user,
   * since starting a thread takes longer.
   */
  readonly inPlace?: number
  /** Runs a task. Fails with `StorageError` (`busy`) if the task was not started. */
  readonly run: (task: Task) => Effect.Effect<unknown, TooCostly | StorageError>
}

export class Threads extends Context.Service<
  Threads,
  {
    /** Length up to which inputs run on the calling thread, in characters. */
    readonly inPlace: number
    readonly run: <Input, Output, Shared extends object | undefined>(
      computation: Computation<Input, Output, Shared>,
      input: Input,
      options?: RunOptions<Shared>
    ) => Effect.Effect<Output, TooCostly | StorageError>
  }
>()("@lectern/core/thread/Threads") {
  static readonly layer = Layer.sync(Threads, () => Threads.of({ inPlace: 0, run: runInPlace }))

  /** Creates the service over an adapter's threads. */
  static readonly ofPool = ({ inPlace = 0, ...pool }: Pool) => {
    const slots = new ThreadSlots(pool.count, maxWaitingOfAll)
    return Threads.of({
      inPlace,
      run: (computation, input, options = {}) =>
        computation.isSmall(input) || computation.lengthOf(input) <= inPlace
          ? runInPlace(computation, input, options)
          : Effect.gen(function* () {
              const actor = Option.getOrUndefined(yield* Effect.serviceOption(CurrentActor))
              const { shared, patient = actor === undefined } = options
              const task = { name: computation.name, input, shared, timeout: computation.timeout }
              const maxOfActor = actor?.type === "visitor" ? maxReadersWaiting : maxWaiting
              const taskResult = slots.run(patient ? isPatient : nameOf(actor), maxOfActor, pool.run(task))
              return (yield* taskResult) as never
            })
    })
  }
}

const runInPlace = <Input, Output, Shared extends object | undefined>(
  { run }: Computation<Input, Output, Shared>,
  input: Input,
  { shared }: RunOptions<Shared> = {}
): Effect.Effect<Output, TooCostly> =>
  Effect.flatMap(run, (compute) => {
    try {
      return Effect.succeed(compute(input, shared as Shared))
    } catch (error) {
      // A `RangeError` means that the input nests deeper than the stack allows.
      return error instanceof RangeError ? Effect.fail(tooCostly) : Effect.die(error)
    }
  })

export const tooCostly = new TooCostly({ message: "The computation exceeds its limit of time or memory" })

/** Returns the key by which an actor's tasks are limited. Undefined: no limit, for the host. */
const nameOf = (actor: Actor | undefined): string | undefined => {
  switch (actor?.type) {
    case "user":
    case "token":
      return `user ${actor.user}`
    case "visitor":
      return `visitor ${actor.site} ${actor.via} ${actor.kind}`
    case "integration":
      return `integration ${actor.integration}`
    case "installation":
      return `installation ${actor.installation}`
    default:
      return undefined
  }
}
