/** Invalid input, as services report it. */
import type { InvalidInput } from "@lectern/core/schema/Input"
import { Effect } from "effect"

interface Failure {
  readonly _tag: string
  readonly issues?: InvalidInput["issues"]
}

/** Returns the paths of the invalid fields of an operation, or the name of another error, or `ok`. */
export const invalidPaths = <R>(operation: Effect.Effect<unknown, Failure, R>): Effect.Effect<string, never, R> =>
  Effect.match(operation, {
    onSuccess: () => "ok",
    onFailure: ({ _tag, issues }) => issues?.map(({ path }) => path).join(" ") ?? _tag
  })

/** Returns the paths of the invalid fields for each input. */
export const invalidPathsOf = <A, R>(
  inputs: ReadonlyArray<A>,
  operation: (input: A) => Effect.Effect<unknown, Failure, R>
): Effect.Effect<ReadonlyArray<string>, never, R> => Effect.forEach(inputs, (input) => invalidPaths(operation(input)))
