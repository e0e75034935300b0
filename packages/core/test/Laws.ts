/**
 * Several laws checked with the same cases: each case is generated once and checked by every law. With the fixed seed
 * this gives the same cases as separate runs. Errors start with the name of the law.
 */
import { Cause, Effect } from "effect"

export interface Laws<Case, Answer> {
  readonly [law: string]: (tried: Case) => Answer
}

const name = (law: string, error: unknown): void => {
  if (error instanceof Error) error.message = `${law}: ${error.message}`
}

/** Returns the property of all laws for `fc.property`. */
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

/** Checks all laws that are effects. */
export const allHold = <Case, E, R>(laws: Laws<Case, Effect.Effect<void, E, R>>, tried: Case) =>
  Effect.forEach(
    Object.entries(laws),
    ([law, check]) => Effect.tapCause(check(tried), (cause) => Effect.sync(() => name(law, Cause.squash(cause)))),
    { discard: true }
  )
