/**
 * Laws that hold of the same cases: each case is made once and tried by every law, which with the fixed
 * seed is what a run of each would try. A failure begins with the name of its law.
 */
import { Cause, Effect } from "effect"

export interface Laws<Case, Answer> {
  readonly [law: string]: (tried: Case) => Answer
}

const name = (law: string, error: unknown): void => {
  if (error instanceof Error) error.message = `${law}: ${error.message}`
}

/** A property of all of them, for `fc.property`. */
export const holding =
  <Case>(laws: Laws<Case, void>) =>
  (tried: Case): void => {
    for (const [law, check] of Object.entries(laws)) {
      try {
        check(tried)
      } catch (error) {
        name(law, error)
        throw error
      }
    }
  }

/** The same of laws that are effects. */
export const allHold = <Case, E, R>(laws: Laws<Case, Effect.Effect<void, E, R>>, tried: Case) =>
  Effect.forEach(
    Object.entries(laws),
    ([law, check]) => Effect.tapCause(check(tried), (cause) => Effect.sync(() => name(law, Cause.squash(cause)))),
    { discard: true }
  )
