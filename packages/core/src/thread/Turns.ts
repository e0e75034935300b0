/** Whose turn it is with the threads (for the rules see `Threads`). */
import { Effect } from "effect"
import { StorageError } from "../storage/Storage.ts"

/** The taker of a turn: an actor by name, `patient`, or undefined for a taker without bounds. */
type Who = string | undefined

export const patient = "patient"

interface Turn {
  readonly who: Who
  /** How many of whoever takes it may wait. */
  readonly most: number
  hasBegun: boolean
  /** Tells who waits for it that it has begun. */
  begin: () => void
}

export class Turns {
  readonly #count: number
  /** How many may wait in all. */
  readonly #limit: number
  readonly #running = new Map<Who, number>()
  /** In the order they came; what is patient stands apart, since it never counts. */
  readonly #waiting: Array<Turn> = []
  readonly #patient: Array<Turn> = []
  #free: number

  constructor(count: number, limit: number) {
    this.#count = count
    this.#free = count
    this.#limit = limit
  }

  /**
   * Does the work when its turn has come; of one taker `most` wait. What has begun is not interrupted: its thread works
   * on.
   */
  take<A, E>(who: Who, most: number, work: Effect.Effect<A, E>): Effect.Effect<A, E | StorageError> {
    return Effect.suspend(() => {
      const turn: Turn = { who, most, hasBegun: false, begin: () => undefined }
      return Effect.andThen(this.#wait(turn), Effect.uninterruptible(work)).pipe(
        Effect.ensuring(Effect.sync(() => this.#leave(turn)))
      )
    })
  }

  #wait(turn: Turn): Effect.Effect<void, StorageError> {
    if (this.#mayBegin(turn)) return Effect.sync(() => this.#begin(turn))
    const queue = this.#queueOf(turn)
    if (queue === this.#waiting && this.#isFull(turn)) return Effect.fail(busy)
    queue.push(turn)
    return Effect.callback<void>((resume) => {
      if (turn.hasBegun) resume(Effect.void)
      else turn.begin = () => resume(Effect.void)
    })
  }

  #queueOf({ who }: Turn): Array<Turn> {
    return who === patient ? this.#patient : this.#waiting
  }

  #isFull({ who, most }: Turn): boolean {
    const ofOne = () => this.#waiting.filter((one) => one.who === who).length
    return this.#waiting.length >= this.#limit || (who !== undefined && ofOne() >= most)
  }

  #mayBegin({ who }: Turn): boolean {
    const most = who === undefined ? this.#count : who === patient ? Math.ceil(this.#count / 2) : 1
    return this.#free > 0 && (this.#running.get(who) ?? 0) < most
  }

  #begin(turn: Turn): void {
    turn.hasBegun = true
    this.#free--
    this.#running.set(turn.who, (this.#running.get(turn.who) ?? 0) + 1)
  }

  #leave(turn: Turn): void {
    if (!turn.hasBegun) {
      const queue = this.#queueOf(turn)
      const at = queue.indexOf(turn)
      if (at !== -1) queue.splice(at, 1)
      return
    }
    this.#free++
    const left = this.#running.get(turn.who)! - 1
    if (left === 0) this.#running.delete(turn.who)
    else this.#running.set(turn.who, left)
    for (const queue of [this.#waiting, this.#patient]) {
      const at = queue.findIndex((one) => this.#mayBegin(one))
      if (at === -1) continue
      const [next] = queue.splice(at, 1)
      this.#begin(next!)
      next!.begin()
    }
  }
}

const busy = new StorageError({ reason: "busy", message: "Too much is waiting to be computed: try again in a moment" })
