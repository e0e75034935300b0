/**
 * Limits the memory of all work in flight, for any number of callers. The budget has two parts:
 *
 * - `runResponse` reserves 2 MiB for a request, from the start to the end of its response.
 * - `runReserved` and `reserveForResponse` reserve a given number of bytes for a large intermediate value.
 *
 * A caller waits until its bytes are free, in the order of the calls. The bytes are released when the caller ends, also
 * on failure and interruption. A response may wait for a large value, but never the reverse, so no deadlock is
 * possible. A caller that holds bytes of the second part adds more without waiting. Calls inside a transaction never
 * wait.
 *
 * Defaults: 128 MiB, a quarter of them for responses. A call for more than its part reserves all of it. A response
 * waits for up to 6 seconds, other calls for up to 3, and up to 1,000 calls wait for each part. Later calls fail with a
 * `StorageError` of reason `busy`: 503 with `Retry-After` over HTTP.
 */
import { Clock, Context, Effect, Scheduler } from "effect"
import { StorageError } from "../storage/Storage.ts"
import { enqueue } from "./FairScheduler.ts"

const defaultBytes = 128 * 1024 * 1024
const responseBytes = 2 * 1024 * 1024
/** Share of the budget that is reserved for responses. */
const responseShare = 1 / 4
/** Maximum waiting time of responses (ms). */
const responseTimeout = 6_000
const valueTimeout = 3_000
const maxWaiting = 1_000

interface Claim {
  readonly bytes: number
  isGranted: boolean
  /** True after the claim has ended and its bytes are released. */
  hasEnded: boolean
  /** Time at which a waiting claim is refused (ms). */
  until: number
  /** Resumes the waiting caller. */
  resume: () => void
}

const claimOf = (bytes: number): Claim => ({
  bytes,
  isGranted: false,
  hasEnded: false,
  until: 0,
  resume: () => undefined
})

/** A response in progress. */
interface ResponseClaims {
  readonly claim: Claim
  /** Claims that end with the response. */
  readonly valueClaims: Array<Claim>
}

const CurrentResponse = Context.Reference<ResponseClaims | undefined>(
  "@lectern/core/thread/MemoryBudget/CurrentResponse",
  {
    defaultValue: () => undefined
  }
)

/** True inside of `runReserved`. */
const IsReserving = Context.Reference<boolean>("@lectern/core/thread/MemoryBudget/IsReserving", {
  defaultValue: () => false
})

export interface Budget {
  /** Runs an effect that responds to a request. A nested call reserves no further bytes. */
  readonly runResponse: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Runs an effect that computes a large value, with this number of bytes reserved. */
  readonly runReserved: <A, E, R>(
    bytes: number,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
  /** Reserves bytes until the caller's response ends. Reserves nothing outside of a response. */
  readonly reserveForResponse: (bytes: number) => Effect.Effect<void, StorageError>
  /** Runs an effect that waits for another program, and releases the response's bytes meanwhile. */
  readonly pause: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Returns the number of granted bytes. */
  readonly used: () => number
}

/** Memory budget of the process. A host sets its size with `budgetOf`. */
export const MemoryBudget = Context.Reference<Budget>("@lectern/core/thread/MemoryBudget", {
  defaultValue: () => budgetOf(defaultBytes)
})

/** Part of the budget: a number of bytes that callers claim in the order of their calls. */
class Pool {
  used = 0
  readonly #limit: number
  /** Maximum waiting time (ms). */
  readonly #timeout: number
  readonly #clock: Clock.Clock
  readonly #queue = new Set<Claim>()
  #isRefusing = false

  constructor(limit: number, timeout: number, clock: Clock.Clock) {
    this.#limit = limit
    this.#timeout = timeout
    this.#clock = clock
  }

  /**
   * Grants a claim, immediately or when its turn comes. Fails with `busy` if the claim waits too long or too many
   * claims wait. The caller ends each claim with `end`.
   */
  enter(claim: Claim, waits: boolean): Effect.Effect<void, StorageError> {
    return Effect.suspend(() => {
      if (!waits || (this.#queue.size === 0 && this.#isFree(claim))) {
        this.grant(claim)
        return Effect.void
      }
      if (this.#queue.size >= maxWaiting) return Effect.fail(busy)
      claim.until = this.#clock.currentTimeMillisUnsafe() + this.#timeout
      this.#queue.add(claim)
      if (!this.#isRefusing) Effect.runForkWith(Context.make(Clock.Clock, this.#clock))(this.#refuse())
      return Effect.flatMap(awaitDecision(claim), () => (claim.isGranted ? Effect.void : Effect.fail(busy)))
    })
  }

  grant(claim: Claim): void {
    if (claim.isGranted || claim.hasEnded) return
    claim.isGranted = true
    this.used += Math.min(claim.bytes, this.#limit)
  }

  end(claim: Claim): void {
    claim.hasEnded = true
    this.release(claim)
  }

  /** Releases the bytes of a claim, and grants the next claims that fit. */
  release(claim: Claim): void {
    this.#queue.delete(claim)
    if (!claim.isGranted) return
    claim.isGranted = false
    this.used -= Math.min(claim.bytes, this.#limit)
    for (const next of this.#queue) {
      if (!this.#isFree(next)) return
      this.#queue.delete(next)
      this.grant(next)
      next.resume()
    }
  }

  #isFree({ bytes }: Claim): boolean {
    return this.used === 0 || this.used + bytes <= this.#limit
  }

  /** Refuses claims that wait too long, and repeats while claims wait. */
  #refuse(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const [first] = this.#queue
      this.#isRefusing = first !== undefined
      if (first === undefined) return Effect.void
      const remainingTime = first.until - this.#clock.currentTimeMillisUnsafe()
      if (remainingTime > 0) return Effect.flatMap(Effect.sleep(remainingTime), () => this.#refuse())
      this.#queue.delete(first)
      first.resume()
      return this.#refuse()
    })
  }
}

/**
 * Waits until the claim is granted or refused. Each caller resumes in a separate turn of the event loop, since many may
 * resume at once.
 */
const awaitDecision = (claim: Claim): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    claim.resume = () => void enqueue(() => resume(Effect.void))
  })

/** Returns a budget of this many bytes. */
export const budgetOf = (bytes: number, clock = Context.get(Context.empty(), Clock.Clock)): Budget => {
  const responses = new Pool(bytes * responseShare, responseTimeout, clock)
  const values = new Pool(bytes * (1 - responseShare), valueTimeout, clock)

  const withClaim = <A, E, R>(
    pool: Pool,
    {
      claim,
      waits,
      end = () => pool.end(claim)
    }: { readonly claim: Claim; readonly waits: boolean; readonly end?: () => void },
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageError, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.onExit(Effect.andThen(restore(pool.enter(claim, waits)), restore(effect)), () => Effect.sync(end))
    )

  return {
    runResponse: (effect) =>
      Effect.withFiber(({ context }) => {
        const isInside = Context.get(context, CurrentResponse) !== undefined || inTransaction(context)
        const claims: ResponseClaims = { claim: claimOf(responseBytes), valueClaims: [] }
        const end = () => {
          responses.end(claims.claim)
          for (const claim of claims.valueClaims) values.end(claim)
        }
        const responseEffect = Effect.provideService(effect, CurrentResponse, claims)
        return isInside ? effect : withClaim(responses, { claim: claims.claim, waits: true, end }, responseEffect)
      }),

    runReserved: (bytes, effect) =>
      Effect.withFiber(({ context }) => {
        const claim = claimOf(bytes)
        return withClaim(values, { claim, waits: canWait(context) }, Effect.provideService(effect, IsReserving, true))
      }),

    reserveForResponse: (bytes) =>
      Effect.withFiber(({ context }) => {
        const claims = Context.get(context, CurrentResponse)
        if (claims === undefined || claims.claim.hasEnded) return Effect.void
        const claim = claimOf(bytes)
        const waits = canWait(context)
        claims.valueClaims.push(claim)
        return values.enter(claim, waits)
      }),

    pause: (effect) =>
      Effect.withFiber(({ context }) => {
        const claim = Context.get(context, CurrentResponse)?.claim
        if (claim === undefined || !claim.isGranted) return effect
        responses.release(claim)
        return Effect.ensuring(
          effect,
          Effect.sync(() => responses.grant(claim))
        )
      }),

    used: () => responses.used + values.used
  }
}

const inTransaction = (context: Context.Context<never>): boolean =>
  Context.get(context, Scheduler.PreventSchedulerYield)

const canWait = (context: Context.Context<never>): boolean =>
  !inTransaction(context) &&
  !Context.get(context, IsReserving) &&
  Context.get(context, CurrentResponse)?.valueClaims.some(({ isGranted }) => isGranted) !== true

const busy = new StorageError({ reason: "busy", message: "Too many concurrent requests. Try again in a moment" })
