/**
 * Places for receivers to be told events in, such that one that is slow takes none from the others.
 *
 * A receiver keeps its place until it has heard all, or somebody waits for one. If it takes more than a second for an
 * event it is slow: it goes on, and its place is another's. An integration that was slow twice in a row begins in one of
 * few places for slow ones, which are given up behind each go, until it is quick again. The time in which others leave
 * its program no room does not count.
 *
 * Limits: 32 places, 8 of them for one integration; 8 for slow ones to begin in, and 64 for as many as have turned out
 * to be slow: more keep the place that they have. While those are taken, receivers of 200 slow integrations are
 * passed over at once.
 */
import { Lru } from "../storage/Lru.ts"
import type { IntegrationKey } from "./Integration.ts"

export const places = 32
const placesOfOne = 8
const slowPlaces = 8
const mostSlow = 64
/** For one event (ms). */
const slowAfter = 1_000
const slowInARow = 2
const passedOver = 200
const knownIntegrations = 10_000

interface Turn {
  readonly integration: IntegrationKey
  /** When the event that it is told now was begun, undefined while its program has no room; whether that is noted as slow. */
  begunAt: number | undefined
  isNoted: boolean
  /** In a place for slow ones. */
  isSlow: boolean
}

const isSlowAt = ({ begunAt }: Turn, now: number): boolean => begunAt !== undefined && now - begunAt > slowAfter

export class DeliveryPlaces {
  readonly #turns = new Map<string, Turn>()
  readonly #ofIntegration = new Map<IntegrationKey, number>()
  /** How often in a row integrations were slow, of those that were slow last. */
  readonly #slow = new Lru<IntegrationKey, number>(knownIntegrations)
  #slowTurns = 0
  #isLeft = false
  #isWaitedFor = false

  /** Somebody is due and has no place. */
  get isLeft(): boolean {
    return this.#isLeft
  }

  /** Before places are given: whoever has taken too long by now makes room. */
  look(now: number): void {
    for (const turn of this.#turns.values()) if (isSlowAt(turn, now)) this.#noteSlow(turn)
    this.#isWaitedFor = false
    // Those of whom as many as may be are served, and slow ones, are not among those that are looked at.
    this.#isLeft = this.passedOver().length > 0
  }

  /** Integrations of which no receiver would be given a place now. */
  passedOver(): ReadonlyArray<IntegrationKey> {
    const full = [...this.#ofIntegration].flatMap(([integration, turns]) => (turns < placesOfOne ? [] : [integration]))
    if (this.#slowTurns < slowPlaces) return full
    const slow = [...this.#slow.keys()].filter((integration) => this.#isSlow(integration))
    return [...new Set([...full, ...slow.slice(0, passedOver)])]
  }

  /** Gives a receiver a place; false where there is none for it, or it has one. */
  begin(receiver: string, integration: IntegrationKey, now: number): boolean {
    const isSlow = this.#isSlow(integration)
    const ofIntegration = this.#ofIntegration.get(integration) ?? 0
    const isFull = isSlow ? this.#slowTurns >= slowPlaces : this.#turns.size - this.#slowTurns >= places
    if (isFull || ofIntegration >= placesOfOne || this.#turns.has(receiver)) {
      this.#isLeft = true
      if (isFull && !isSlow) this.#isWaitedFor = true
      return false
    }
    this.#turns.set(receiver, { integration, begunAt: now, isNoted: false, isSlow })
    this.#ofIntegration.set(integration, ofIntegration + 1)
    if (isSlow) this.#slowTurns++
    return true
  }

  /** There is no room for the program of a receiver, which is no fault of its own. */
  waits(receiver: string): void {
    const turn = this.#turns.get(receiver)
    if (turn !== undefined) turn.begunAt = undefined
  }

  /** There is room for it. */
  found(receiver: string, now: number): void {
    const turn = this.#turns.get(receiver)
    if (turn !== undefined) turn.begunAt = now
  }

  /** A receiver has been told an event, and is told the next. */
  heard(receiver: string, now: number): void {
    const turn = this.#turns.get(receiver)
    if (turn === undefined) return
    if (isSlowAt(turn, now)) this.#noteSlow(turn)
    else if (!turn.isNoted) this.#slow.delete(turn.integration)
    turn.begunAt = now
    turn.isNoted = false
  }

  /** Tells whether a receiver may keep its place behind a go, though it has not heard all. */
  keeps(receiver: string): boolean {
    const keeps = this.#turns.get(receiver)?.isSlow === false && !this.#isWaitedFor
    if (!keeps) this.#isLeft = true
    return keeps
  }

  end(receiver: string): void {
    const turn = this.#turns.get(receiver)
    if (turn === undefined) return
    this.#turns.delete(receiver)
    if (turn.isSlow) this.#slowTurns--
    const others = this.#ofIntegration.get(turn.integration)! - 1
    if (others === 0) this.#ofIntegration.delete(turn.integration)
    else this.#ofIntegration.set(turn.integration, others)
  }

  #noteSlow(turn: Turn): void {
    const { integration } = turn
    if (!turn.isNoted) this.#slow.set(integration, (this.#slow.get(integration) ?? 0) + 1, 1)
    turn.isNoted = true
    if (turn.isSlow || this.#slowTurns >= mostSlow) return
    turn.isSlow = true
    this.#slowTurns++
  }

  #isSlow(integration: IntegrationKey): boolean {
    return (this.#slow.get(integration) ?? 0) >= slowInARow
  }
}
