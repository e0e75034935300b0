/**
 * Places for receivers to be told events in, such that those that are slow take none from the others.
 *
 * A receiver keeps its place until it has heard all, or somebody waits for one. Integrations that took no more than a
 * second for their last event have most of the places. Any other begins in one of few. Whoever takes longer gives its
 * place up, goes on beside, and is one of the others from then on. So there is room for programs of quick ones, however
 * many are slow. The time in which others leave a program no room does not count.
 *
 * Limits: 32 places for quick ones and 8 for others, 8 of them for one integration. 4 of the others may go on beside, which
 * together are fewer than there are processes for what was queued; of those that were quick before, 64. More keep their
 * place. It is known of 10,000 integrations that they are quick, and by this process alone.
 */
import { LruCache } from "../storage/LruCache.ts"
import type { IntegrationKey } from "./Integration.ts"

export const places = 32
const otherPlaces = 8
const placesOfOne = 8
/** Beside, those who give up a place of these kinds go on as long as no more than so many do. */
const mostBeside = { quick: 64, other: 4, beside: 0 }
/** For one event (ms). */
const slowAfter = 1_000
const knownIntegrations = 10_000

interface Turn {
  readonly integration: IntegrationKey
  /** When the event that it is told now was begun; undefined while its program has no room. */
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

  /** Somebody is due and has no place. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** There is no place for anybody. */
  get isFull(): boolean {
    return this.#taken.quick >= places && this.#taken.other >= otherPlaces
  }

  /** Before places are given: whoever has taken too long by now makes room. */
  look(now: number): void {
    for (const turn of this.#turns.values()) if (isSlowAt(turn, now)) this.#noteSlow(turn)
    this.#isWaitedFor.quick = this.#isWaitedFor.other = false
    // Those of whom as many as may be are served are not among those that are looked at.
    this.#isLeft = this.full().length > 0
  }

  /** Integrations of which as many receivers as may be have a place. */
  full(): ReadonlyArray<IntegrationKey> {
    return [...this.#ofIntegration].flatMap(([integration, turns]) => (turns < placesOfOne ? [] : [integration]))
  }

  /** Gives a receiver a place; false where there is none for it, or it has one. */
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

  /** There is no room for the program of a receiver, which is no fault of its own. */
  waits(receiver: string): void {
    const turn = this.#turns.get(receiver)
    if (turn !== undefined) turn.begunAt = undefined
  }

  /** There is room for it now. */
  begun(receiver: string, now: number): void {
    const turn = this.#turns.get(receiver)
    if (turn !== undefined) turn.begunAt = now
  }

  /** A receiver has been told an event, and is told the next. */
  heard(receiver: string, now: number): void {
    const turn = this.#turns.get(receiver)
    if (turn === undefined) return
    if (isSlowAt(turn, now)) this.#noteSlow(turn)
    else this.#quick.set(turn.integration, true, 1)
    turn.begunAt = now
  }

  /** Tells whether a receiver may keep its place behind a go, though it has not heard all. */
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
