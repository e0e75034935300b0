/**
 * A computation that may be done in another thread (see `Threads`): a pure function under a name, of
 * values that can go from thread to thread (structured clones).
 *
 * What is large goes as text or bytes: a tree of 5 MB takes 70 ms to be received, its JSON takes 3.
 */
import { Effect } from "effect"

/** `shared` is what many computations need alike: a thread gets it once, and gives the same object each time. */
export type Run<Input, Output, Shared> = (input: Input, shared: Shared) => Output

export interface Computation<Input, Output, Shared = undefined> {
  /** Under which a thread finds it (see `Computations`). */
  readonly name: string
  /** Decides whether an input is computed in place, since asking a thread would take longer. */
  readonly isSmall: (input: Input) => boolean
  /** Length of what is large of an input, in characters (see `inPlace` of `Threads`). */
  readonly lengthOf: (input: Input) => number
  /** How long it may take, in milliseconds. */
  readonly timeout: number
  readonly run: Effect.Effect<Run<Input, Output, Shared>>
}

interface About<Input> {
  readonly name: string
  /** Default: nothing is. */
  readonly isSmall?: (input: Input) => boolean
  /** Default: longer than anything that is computed in place. */
  readonly lengthOf?: (input: Input) => number
  /** Default: 30 seconds. */
  readonly timeout?: number
}

const defaults = { isSmall: () => false, lengthOf: () => Infinity, timeout: 30_000 }

export const make = <Input, Output, Shared = undefined>({
  run,
  ...about
}: About<Input> & { readonly run: Run<Input, Output, Shared> }): Computation<Input, Output, Shared> => ({
  ...defaults,
  ...about,
  run: Effect.succeed(run)
})

/** Of what takes much to load, and is seldom needed. */
export const lazy = <Input, Output>({
  load,
  ...about
}: About<Input> & { readonly load: () => Promise<Run<Input, Output, undefined>> }): Computation<Input, Output> => ({
  ...defaults,
  ...about,
  run: Effect.promise(load)
})
