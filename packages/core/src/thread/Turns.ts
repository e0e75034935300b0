/** Queue of tasks for threads. `Threads` describes the rules. */
import { Effect } from "effect"
import { StorageError } from "../storage/Storage.ts"

/** Key of an actor, `patient`, or undefined for tasks without limits. */
type Who = string | undefined

export const patient = "patient"

interface Turn {
  readonly who: Who
  /** Maximum number of waiting tasks with this key. */
  readonly most: number
  hasBegun: boolean
  /** Resumes the waiting caller when the task starts. */
  begin: () => void
}

export class Turns {
  readonly #count: number
  /** Maximum number of waiting tasks in total. */
  readonly #limit: number
  readonly #running = new Map<Who, number>()
  /** Waiting tasks in order of arrival. Patient tasks are separate, since they do not count. */
  readonly #waiting: Array<Turn> = []
  readonly #patient: Array<Turn> = []
  #free: number

  constructor(count: number, limit: number) {
    this.#count = count
    this.#free = count
    this.#limit = limit
  }

  /**
   * Runs the work when a slot is free. Fails with `busy` if `most` tasks with this key wait. Running work cannot be
   * interrupted, since its thread continues.
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

const busy = new StorageError({ reason: "busy", message: "Too many computations are waiting. Try again in a moment" })
