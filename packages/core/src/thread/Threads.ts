/**
 * The port that does large computations in other threads, so that none of them holds up everybody
 * else. The default does them in place, with the same results. On Node, provide `NodeThreads` of
 * `@lectern/services-node`.
 *
 * Turns are taken by the rules of this port, whatever the adapter: one computation of an actor at a
 * time; what can wait (`patient`: exports, jobs) lets others go first and takes half of the
 * threads at most. Of an actor `maxWaiting` wait, of the readers of a site, who are many, `maxReadersWaiting`, of all
 * `maxWaitingOfAll`; whoever comes then is told to come again (`StorageError` with the reason `busy`). What is patient
 * always waits.
 *
 * Threads compute outside of transactions, which wait for nothing.
 */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { StorageError } from "../storage/Storage.ts"
import type { Computation } from "./Computation.ts"
import { patient as isPatient, Turns } from "./Turns.ts"

export const maxWaiting = 8
export const maxReadersWaiting = 32
export const maxWaitingOfAll = 64

/** It takes longer, or more memory, than one computation may; `path`: what of the input does. */
export class TooCostly extends Schema.TaggedError<TooCostly>()(
  "TooCostly",
  { message: Schema.String, path: Schema.optionalKey(Schema.String) },
  { httpApiStatus: 413 }
) {}

export interface Options<Shared> {
  /** Lets the task wait behind all others, however many there are. Default: true for tasks of no actor. */
  readonly patient?: boolean
  readonly shared?: Shared
}

/** A computation as an adapter gets it: clonable, but for `shared`, which it sends a thread once. */
export interface Task {
  readonly name: string
  readonly input: unknown
  readonly shared: object | undefined
  readonly timeout: number
}

/** Threads that an adapter brings. At most `count` tasks run at once. */
export interface Pool {
  readonly count: number
  /** Default: 0. More is for a process in which nobody else waits: a thread takes longer to begin. */
  readonly inPlace?: number
  /** Fails with `StorageError`, reason `busy`, where the task was not begun. */
  readonly run: (task: Task) => Effect.Effect<unknown, TooCostly | StorageError>
}

export class Threads extends Context.Service<
  Threads,
  {
    /** Length up to which what is large is computed in place all the same, in characters. */
    readonly inPlace: number
    readonly run: <Input, Output, Shared extends object | undefined>(
      computation: Computation<Input, Output, Shared>,
      input: Input,
      options?: Options<Shared>
    ) => Effect.Effect<Output, TooCostly | StorageError>
  }
>()("@lectern/core/thread/Threads") {
  static readonly layer = Layer.sync(Threads, () => Threads.of({ inPlace: 0, run: runInPlace }))

  /** Over the threads of an adapter. */
  static readonly over = ({ inPlace = 0, ...pool }: Pool) => {
    const turns = new Turns(pool.count, maxWaitingOfAll)
    return Threads.of({
      inPlace,
      run: (computation, input, options = {}) =>
        computation.isSmall(input) || computation.lengthOf(input) <= inPlace
          ? runInPlace(computation, input, options)
          : Effect.gen(function* () {
              const actor = Option.getOrUndefined(yield* Effect.serviceOption(CurrentActor))
              const { shared, patient = actor === undefined } = options
              const task = { name: computation.name, input, shared, timeout: computation.timeout }
              const most = actor?.type === "visitor" ? maxReadersWaiting : maxWaiting
              const done = turns.take(patient ? isPatient : nameOf(actor), most, pool.run(task))
              return (yield* done) as never
            })
    })
  }
}

const runInPlace = <Input, Output, Shared extends object | undefined>(
  { run }: Computation<Input, Output, Shared>,
  input: Input,
  { shared }: Options<Shared> = {}
): Effect.Effect<Output, TooCostly> =>
  Effect.flatMap(run, (compute) => {
    try {
      return Effect.succeed(compute(input, shared as Shared))
    } catch (error) {
      // Deeper than the stack is deep.
      return error instanceof RangeError ? Effect.fail(tooCostly) : Effect.die(error)
    }
  })

export const tooCostly = new TooCostly({ message: "It takes more time or memory than one computation may" })

/** Whose turn it is; undefined for the host, which has as many as it asks for. */
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
