/**
 * Runs a fallback if a computation dies or exceeds its limits, so that large or unusual content blocks nothing. The
 * failure is logged by its position in the code, without content.
 */
import { Cause, Effect, Result } from "effect"
import { TooCostly } from "./Threads.ts"

/**
 * Runs `work`, or `otherwise` if the work fails. `about` returns fields for the log, without content. `TooCostly` of
 * the fallback is a defect.
 */
export const withFallback = <A, B, E, F>(
  message: string,
  work: Effect.Effect<A, TooCostly | E>,
  otherwise: Effect.Effect<B, TooCostly | F>,
  about: () => { readonly [name: string]: unknown } = () => ({})
): Effect.Effect<A | B, E | F> => {
  const failed = (cause: unknown) =>
    Effect.andThen(Effect.logError(message, { ...about(), ...logContextOf(cause) }), otherwise).pipe(
      Effect.catchIf((error) => error instanceof TooCostly, Effect.die)
    )
  return Effect.catchCause(work, (cause): Effect.Effect<A | B, E | F> => {
    const defect = Cause.findDefect(cause)
    if (Result.isSuccess(defect)) return failed(defect.success) as Effect.Effect<B, F>
    const error = Cause.findError(cause)
    return Result.isSuccess(error) && error.success instanceof TooCostly
      ? (failed(error.success) as Effect.Effect<B, F>)
      : Effect.failCause(cause as Cause.Cause<E>)
  })
}

/** Returns the name of an error and its stack. The message is omitted, since it may contain input. */
const logContextOf = (cause: unknown): { readonly error: string; readonly at?: ReadonlyArray<string> } => {
  if (!(cause instanceof Error)) return { error: typeof cause }
  if (cause instanceof TooCostly) return { error: cause._tag }
  const lines = (cause.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line))
  return { error: cause.name, at: lines.slice(0, 5).map((line) => line.trim()) }
}
