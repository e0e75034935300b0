/**
 * Computation that can run in another thread (see `Threads`): a named pure function. Input and output must be
 * structured-cloneable.
 *
 * Large values should be text or bytes. Receiving a tree of 5 MB takes 70 ms, its JSON 3 ms.
 */
import { Effect } from "effect"

/**
 * Function of a computation. `shared`: input that many computations have in common. A thread receives `shared` once and
 * passes the same object to each computation.
 */
export type Run<Input, Output, Shared> = (input: Input, shared: Shared) => Output

export interface Computation<Input, Output, Shared = undefined> {
  /** Name by which a thread finds the computation (see `Computations`). */
  readonly name: string
  /** True if running the input on the calling thread is faster than sending it to another one. */
  readonly isSmall: (input: Input) => boolean
  /** Length of the large parts of an input, in characters (see `inPlace` of `Threads`). */
  readonly lengthOf: (input: Input) => number
  /** Timeout (ms). */
  readonly timeout: number
  readonly run: Effect.Effect<Run<Input, Output, Shared>>
}

interface ComputationOptions<Input> {
  readonly name: string
  /** Default: always false. */
  readonly isSmall?: (input: Input) => boolean
  /** Default: Infinity, so that no input runs in place. */
  readonly lengthOf?: (input: Input) => number
  /** Default: 30,000. */
  readonly timeout?: number
}

const defaults = { isSmall: () => false, lengthOf: () => Infinity, timeout: 30_000 }

export const make = <Input, Output, Shared = undefined>({
  run,
  ...about
}: ComputationOptions<Input> & { readonly run: Run<Input, Output, Shared> }): Computation<Input, Output, Shared> => ({
  ...defaults,
  ...about,
  run: Effect.succeed(run)
})

/** Creates a computation whose code is loaded on first use. For code that is large and rarely needed. */
export const lazy = <Input, Output>({
  load,
  ...about
}: ComputationOptions<Input> & { readonly load: () => Promise<Run<Input, Output, undefined>> }): Computation<
  Input,
  Output
> => ({
  ...defaults,
  ...about,
  run: Effect.promise(load)
})
