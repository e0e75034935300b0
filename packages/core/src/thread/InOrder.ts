/**
 * Does a long work in parts, whose outcomes are taken in their order: another thread goes ahead with the next part,
 * and whoever would wait for it does the one behind it meanwhile. So both are at work to the end, nobody waits for a
 * thread that takes long to begin, and where there is none all is done in place.
 *
 * Limit: 4 parts are under way, or done and not taken yet. What waits takes memory.
 */
import { Effect, Exit, Latch, type Scope } from "effect"

const maxAhead = 4

export interface Parts<Part, Outcome, E> {
  readonly parts: ReadonlyArray<Part>
  readonly here: (part: Part) => Effect.Effect<Outcome, E>
  /** Does a part in another thread; undefined where there is none, or it isn't worth one. */
  readonly there: ((part: Part) => Effect.Effect<Outcome, E>) | undefined
}

/** Gives the next outcome each time, and undefined behind the last. */
export const inOrder = Effect.fnUntraced(function* <Part, Outcome, E>({
  parts,
  here,
  there
}: Parts<Part, Outcome, E>): Effect.fn.Return<Effect.Effect<Outcome | undefined, E>, never, Scope.Scope> {
  const outcomes = new Map<number, Exit.Exit<Outcome, E>>()
  const isRoom = Latch.makeUnsafe(true)
  const isNews = Latch.makeUnsafe(false)
  let begun = 0
  let taken = 0

  const mayBegin = () => begun < parts.length && begun < taken + maxAhead
  const doNext = (work: (part: Part) => Effect.Effect<Outcome, E>) =>
    Effect.suspend(() => {
      const at = begun++
      return Effect.map(Effect.exit(work(parts[at]!)), (exit) => void outcomes.set(at, exit))
    })

  if (there !== undefined) {
    yield* Effect.gen(function* () {
      while (begun < parts.length) {
        if (mayBegin()) {
          yield* doNext(there)
          isNews.openUnsafe()
        } else {
          isRoom.closeUnsafe()
          yield* isRoom.await
        }
      }
    }).pipe(Effect.forkScoped)
  }

  return Effect.gen(function* () {
    if (taken === parts.length) return undefined
    while (!outcomes.has(taken)) {
      if (mayBegin()) yield* doNext(here)
      else {
        isNews.closeUnsafe()
        yield* isNews.await
      }
    }
    const outcome = outcomes.get(taken)!
    outcomes.delete(taken++)
    isRoom.openUnsafe()
    return yield* outcome
  })
})
