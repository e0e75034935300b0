/**
 * Slots for delivery to receivers, so that slow receivers do not delay the others.
 *
 * A receiver keeps its slot until its queue is empty or another receiver waits for a slot of that kind. Most slots are
 * for quick integrations, those that took at most a second for their latest event. All other integrations start in one
 * of a few slots. A receiver that takes longer releases its slot, continues in an overflow slot, and counts as slow
 * from then on. So quick programs find a slot, however many programs are slow. Time in which a program waits for
 * capacity of the runtime does not count.
 *
 * Limits: 32 slots for quick integrations and 8 for others; 8 slots for one integration. At most 4 of the others
 * continue in overflow slots, which leaves runtime processes for queued events; of the quick ones, 64. Above that they
 * keep their slot. The process remembers 10,000 quick integrations, in memory.
 */
import { LruCache } from "../storage/LruCache.ts"
import type { IntegrationKey } from "./Integration.ts"

export const places = 32
const otherPlaces = 8
const placesOfOne = 8
/** Number of overflow slots in use up to which a receiver of each kind moves to an overflow slot. */
const mostBeside = { quick: 64, other: 4, beside: 0 }
/** Processing time of one event in milliseconds after which a receiver is slow. */
const slowAfter = 1_000
const knownIntegrations = 10_000

interface Turn {
  readonly integration: IntegrationKey
  /** Start of the current event (ms). Undefined while the program waits for capacity of the runtime. */
  begunAt: number | undefined
  place: "quick" | "other" | "beside"
}

const isSlowAt = ({ begunAt }: Turn, now: number): boolean => begunAt !== undefined && now - begunAt > slowAfter

export class DeliveryPlaces {
  readonly #turns = new Map<string, Turn>()
  readonly #ofIntegration = new Map<IntegrationKey, number>()
  readonly #quick = new LruCache<IntegrationKey, true>(knownIntegrations)
  readonly #taken = { quick: 0, other: 0, beside: 0 }
  readonly #isWaitedFor = { quick: false, other: false, beside: true }
  #isLeft = false

  /** True if a due receiver has no slot. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** True if no slot is free. */
  get isFull(): boolean {
    return this.#taken.quick >= places && this.#taken.other >= otherPlaces
  }

  /** Called before slots are acquired: moves receivers that have become slow to overflow slots. */
  look(now: number): void {
    for (const turn of this.#turns.values()) if (isSlowAt(turn, now)) this.#noteSlow(turn)
    this.#isWaitedFor.quick = this.#isWaitedFor.other = false
    // Receivers of a saturated integration are left out of the query for due receivers.
    this.#isLeft = this.full().length > 0
  }

  /** Integrations whose receivers use all the slots that one integration may use. */
  full(): ReadonlyArray<IntegrationKey> {
    return [...this.#ofIntegration].flatMap(([integration, turns]) => (turns < placesOfOne ? [] : [integration]))
  }

  /** Acquires a slot for a receiver. Returns false if no slot is free for the receiver or it has a slot already. */
  begin(receiver: string, integration: IntegrationKey, now: number): boolean {
    const place = this.#quick.get(integration) === true ? "quick" : "other"
    const ofIntegration = this.#ofIntegration.get(integration) ?? 0
    const isFull = this.#taken[place] >= (place === "quick" ? places : otherPlaces)
    if (isFull || ofIntegration >= placesOfOne || this.#turns.has(receiver)) {
      this.#isLeft = true
      if (isFull) this.#isWaitedFor[place] = true
      return false
    }
    this.#turns.set(receiver, { integration, begunAt: now, place })
    this.#ofIntegration.set(integration, ofIntegration + 1)
    this.#taken[place]++
    return true
  }

  /** Stops the time of a receiver whose program waits for capacity of the runtime. */
  waits(receiver: string): void {
    const turn = this.#turns.get(receiver)
    if (turn !== undefined) turn.begunAt = undefined
  }

  /** Starts the time of a receiver whose program has got capacity. */
  begun(receiver: string, now: number): void {
    const turn = this.#turns.get(receiver)
    if (turn !== undefined) turn.begunAt = now
  }

  /** Records that a receiver has processed an event and receives the next one. */
  heard(receiver: string, now: number): void {
    const turn = this.#turns.get(receiver)
    if (turn === undefined) return
    if (isSlowAt(turn, now)) this.#noteSlow(turn)
    else this.#quick.set(turn.integration, true, 1)
    turn.begunAt = now
  }

  /** Returns true if a receiver with more queued events may keep its slot after a batch. */
  keeps(receiver: string): boolean {
    const turn = this.#turns.get(receiver)
    const keeps = turn !== undefined && !this.#isWaitedFor[turn.place]
    if (!keeps) this.#isLeft = true
    return keeps
  }

  end(receiver: string): void {
    const turn = this.#turns.get(receiver)
    if (turn === undefined) return
    this.#turns.delete(receiver)
    this.#taken[turn.place]--
    const others = this.#ofIntegration.get(turn.integration)! - 1
    if (others === 0) this.#ofIntegration.delete(turn.integration)
    else this.#ofIntegration.set(turn.integration, others)
  }

  #noteSlow(turn: Turn): void {
    this.#quick.delete(turn.integration)
    if (this.#taken.beside >= mostBeside[turn.place]) return
    this.#taken[turn.place]--
    this.#taken.beside++
    turn.place = "beside"
  }
}
