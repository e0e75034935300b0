/**
 * Keeps what was answered to reads as it went out, and gives it again before anything else is asked: the same
 * request by the same token, for as long as its answer certainly holds. That is until something is written that it was
 * read from (`Reads`), by whomever: `Storage.generation` is asked each time, so a revoked token ends at once. Or
 * until a moment comes that counted (`Moment`). An answer that the store alone did not decide is not kept, and neither
 * is one with a body that is streamed.
 *
 * What a token asks for is kept when it asks again, and often enough to be worth its place (see `Admission`). Where no
 * answer held until the next time, the following ones are let go: to keep them is most of what a miss costs.
 *
 * Default: nothing is kept. Limits: `ResponseCacheOptions.bytes` in all, what was used last; the 200 and 304 of requests
 * without a body, for the operations that `Questions` names.
 */
import { WatchedClock } from "@lectern/core/moment/Moment"
import { LruCache } from "@lectern/core/storage/LruCache"
import { Reads } from "@lectern/core/storage/Reads"
import { Storage } from "@lectern/core/storage/Storage"
import { Clock, Context, Effect, Exit, Latch } from "effect"
import { Cookies, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { Asked } from "../Asked.ts"
import { Admission, type Mark } from "./Admission.ts"
import { Answers, Entry, type KeptResponse, pauseBehind } from "./KeptAnswers.ts"
import { type Kind, ofInterface } from "./Questions.ts"
import type { Reading } from "./Reading.ts"

export interface ResponseCacheOptions {
  /** The most bytes of answers that are kept; 0: none. */
  readonly bytes: number
  /** Keep what a token asks for once as well. Default: what is worth its place (see `Admission`). */
  readonly atOnce?: boolean
}

export const ResponseCacheOptions = Context.Reference<ResponseCacheOptions>(
  "@lectern/http/server/cache/ResponseCacheOptions",
  {
    defaultValue: () => ({ bytes: 0 })
  }
)

export interface ResponseCache {
  /** The answer that is kept and holds. Undefined for any other request, whose answer may be kept then. */
  readonly find: (asked: Asked, source: object) => KeptResponse | undefined
  /**
   * The reading that `find` has just begun for what the platform calls the request; undefined where nothing is to be
   * kept. Given once.
   */
  readonly reading: (source: object) => Reading | undefined
  /**
   * Makes an answer and keeps it, one at a time for those who get the same: the others wait, and what was kept then is
   * `given` to them. One that was not fit to be kept the last time is made by each at once.
   */
  readonly together: <A, E, R>(
    reading: Reading,
    make: Effect.Effect<A, E, R>,
    given: (kept: KeptResponse) => A
  ) => Effect.Effect<A, E, R>
  /** Keeps what was answered, if it holds for a while. */
  readonly keep: (
    reading: Reading,
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse,
    more: Omit<KeptResponse, "response">
  ) => void
}

/** An answer that others wait for. */
interface Made {
  readonly latch: Latch.Latch
  isAnswered: boolean
}

/** Room for names of answers that are not kept (characters). */
const mostLone = 256 * 1024

const nameOf = ({ question, token }: Reading): string => `${token}\n${question}`

/** Undefined where nothing is to be kept. */
export const make = Effect.fnUntraced(function* (kind: Kind = ofInterface) {
  const { bytes: limit, atOnce = false } = yield* ResponseCacheOptions
  if (limit <= 0) return undefined
  const { generation, changedSince } = yield* Storage
  const clock = yield* Clock.Clock
  // What is not found is answered at once, so there is one at a time: to know more of them costs far more.
  let begun: { readonly source: object; readonly reading: Reading } | undefined
  // To keep what is hardly asked for costs more than it saves.
  const admission = atOnce || kind.isShared ? undefined : new Admission()
  // From now on it is known what is written.
  changedSince(new Reads(), 0)
  const isLate = ({ until }: Entry): boolean => clock.currentTimeMillisUnsafe() >= until
  const isPast = (entry: Entry): boolean => isLate(entry) || changedSince(entry.reads, entry.seen)
  const answers = new LruCache<string, Answers>(
    limit,
    admission &&
      ((gone) => {
        const entries = gone.flatMap(({ entries }) => entries)
        admission.gone(entries.map((entry) => (entry.isOver || isPast(entry) ? undefined : entry)))
      })
  )

  const beingMade = new Map<string, Made>()
  /** Of those that are not fit to be kept, whoever gets them. */
  const lone = new LruCache<string, true>(mostLone)

  const holds = (entry: Entry): boolean => {
    if (entry.isOver) return false
    const asOf = Effect.runSyncExit(generation)
    if (Exit.isFailure(asOf) || asOf.value === undefined) return false
    entry.isOver = entry.seen === asOf.value ? isLate(entry) : isPast(entry)
    entry.seen = asOf.value
    return !entry.isOver
  }

  /** Tells whether what is answered next is to be kept. `entry`: of the same question, which holds no more. */
  const isWorthIt = (mark: Mark, entry: Entry | undefined): boolean => {
    if (admission === undefined) return true
    if (entry === undefined) return admission.admits(mark, answers.isFull)
    return entry.isGiven || entry.paused++ >= entry.pause
  }

  const isFit = (
    { clock, reads }: Reading,
    request: HttpServerRequest.HttpServerRequest,
    { status, body, cookies }: HttpServerResponse.HttpServerResponse,
    { noted }: Omit<KeptResponse, "response">
  ): boolean =>
    !reads.isEverything &&
    clock.holdsUntil !== 0 &&
    (status === 200 || status === 304) &&
    (body._tag === "Uint8Array" || body._tag === "Empty") &&
    Cookies.isEmpty(cookies) &&
    kind.isKept(request, noted)

  return {
    find: (asked, source) => {
      const wanted = kind.ask(asked, source)
      if (wanted === undefined) return undefined
      const { token, question } = wanted
      const entry = answers.get(question)?.get(token)
      const mark = entry?.mark ?? admission?.markOf(token, question) ?? 0
      if (entry !== undefined && holds(entry)) {
        entry.isGiven = true
        admission?.given(entry)
        return entry
      }
      // Most is asked for once, and the store is not asked for it.
      if (!isWorthIt(mark, entry)) return undefined
      begun = {
        source,
        reading: {
          clock: new WatchedClock(clock),
          reads: new Reads(),
          token,
          question,
          mark,
          asOf: generation,
          generation: undefined
        }
      }
      return undefined
    },

    reading: (source) => {
      const reading = begun?.source === source ? begun.reading : undefined
      begun = undefined
      return reading
    },

    together: (reading, make, given) => {
      const name = nameOf(reading)
      const leading = Effect.suspend(() => {
        const made: Made = { latch: Latch.makeUnsafe(false), isAnswered: false }
        beingMade.set(name, made)
        return Effect.onExit(make, (exit) =>
          Effect.sync(() => {
            beingMade.delete(name)
            made.isAnswered = Exit.isSuccess(exit)
            made.latch.openUnsafe()
          })
        )
      })
      const next = (): typeof make => {
        const made = beingMade.get(name)
        if (made === undefined) return leading
        return Effect.flatMap(made.latch.await, () => {
          const kept = answers.get(reading.question)?.get(reading.token)
          if (kept !== undefined && holds(kept)) return Effect.succeed(given(kept))
          // Whoever asked first may have hung up.
          return made.isAnswered ? make : next()
        })
      }
      return Effect.suspend(() => (lone.get(name) === undefined ? next() : make))
    },

    keep: (reading, request, response, more) => {
      const { token, question, generation } = reading
      if (generation === undefined) return
      if (!isFit(reading, request, response, more)) {
        if (kind.isShared && response.status < 500) lone.set(nameOf(reading), true, token.length + question.length)
        return
      }
      if (kind.isShared) lone.delete(nameOf(reading))
      const known = answers.get(question) ?? new Answers(question)
      const pause = admission === undefined ? 0 : pauseBehind(known.get(token))
      known.add(new Entry(reading, { ...more, response }, generation, pause))
      answers.set(question, known, known.size)
    }
  } satisfies ResponseCache
})
