/**
 * Slots for delivery to receivers, so that slow receivers do not delay the others.
 *
 * A receiver keeps its slot until its queue is empty or another receiver waits for a slot of that kind. Most slots are
 * for quick groups, those that took at most a second for their latest event. All other groups start in one of a few
 * slots. A group holds the receivers of one owner: an integration, or the webhooks of an organization. A receiver that
 * takes longer releases its slot, continues in an overflow slot, and counts as slow from then on. So quick programs
 * find a slot, however many programs are slow. Time in which a program waits for capacity of the runtime does not
 * count.
 *
 * Limits: 32 slots for quick groups and 8 for others; 8 slots for one group. At most 4 of the others
 * continue in overflow slots, which leaves runtime processes for queued events; of the quick ones, 64. Above that they
 * keep their slot. The process remembers 10,000 quick groups, in memory.
 */
import { LruCache } from "../storage/LruCache.ts"

export const quickSlots = 32
const otherSlots = 8
const slotsPerGroup = 8
/** Number of overflow slots in use up to which a receiver of each kind moves to an overflow slot. */
const maxOverflowSlots = { quick: 64, other: 4, beside: 0 }
/** Processing time of one event in milliseconds after which a receiver is slow. */
const slowAfterMillis = 1_000
const maxQuickGroups = 10_000

interface HeldSlot {
  readonly group: string
  /** Start of the current event (ms). Undefined while the program waits for capacity of the runtime. */
  startedAt: number | undefined
  kind: "quick" | "other" | "beside"
}

const isSlowAt = ({ startedAt }: HeldSlot, now: number): boolean =>
  startedAt !== undefined && now - startedAt > slowAfterMillis

export class DeliverySlots {
  readonly heldSlots = new Map<string, HeldSlot>()
  readonly #countByGroup = new Map<string, number>()
  readonly #quickGroups = new LruCache<string, true>(maxQuickGroups)
  readonly #usedSlots = { quick: 0, other: 0, beside: 0 }
  readonly #hasWaiting = { quick: false, other: false, beside: true }
  #hasUnservedReceiver = false

  /** True if a due receiver has no slot. */
  get hasUnserved(): boolean {
    return this.#hasUnservedReceiver
  }

  /** True if no slot is free. */
  get isFull(): boolean {
    return this.#usedSlots.quick >= quickSlots && this.#usedSlots.other >= otherSlots
  }

  /** Moves receivers that have become slow to overflow slots. Called before slots are acquired. */
  update(now: number): void {
    for (const slot of this.heldSlots.values()) if (isSlowAt(slot, now)) this.#noteSlow(slot)
    this.#hasWaiting.quick = this.#hasWaiting.other = false
    // Receivers of a saturated group are left out of the query for due receivers.
    this.#hasUnservedReceiver = this.saturatedGroups().length > 0
  }

  /** Groups whose receivers use all the slots that one group may use. */
  saturatedGroups(): ReadonlyArray<string> {
    return [...this.#countByGroup].flatMap(([group, count]) => (count < slotsPerGroup ? [] : [group]))
  }

  /** Acquires a slot for a receiver. Returns false if no slot is free for the receiver or it has a slot already. */
  acquire(receiver: string, group: string, now: number): boolean {
    const kind = this.#quickGroups.get(group) === true ? "quick" : "other"
    const groupCount = this.#countByGroup.get(group) ?? 0
    const isFull = this.#usedSlots[kind] >= (kind === "quick" ? quickSlots : otherSlots)
    if (isFull || groupCount >= slotsPerGroup || this.heldSlots.has(receiver)) {
      this.#hasUnservedReceiver = true
      if (isFull) this.#hasWaiting[kind] = true
      return false
    }
    this.heldSlots.set(receiver, { group, startedAt: now, kind })
    this.#countByGroup.set(group, groupCount + 1)
    this.#usedSlots[kind]++
    return true
  }

  /** Stops the time of a receiver whose program waits for capacity of the runtime. */
  stopTime(receiver: string): void {
    const slot = this.heldSlots.get(receiver)
    if (slot !== undefined) slot.startedAt = undefined
  }

  /** Starts the time of a receiver whose program has got capacity. */
  startTime(receiver: string, now: number): void {
    const slot = this.heldSlots.get(receiver)
    if (slot !== undefined) slot.startedAt = now
  }

  /** Records that a receiver has processed an event and receives the next one. */
  noteProcessed(receiver: string, now: number): void {
    const slot = this.heldSlots.get(receiver)
    if (slot === undefined) return
    if (isSlowAt(slot, now)) this.#noteSlow(slot)
    else this.#quickGroups.set(slot.group, true, 1)
    slot.startedAt = now
  }

  /** Returns true if a receiver with more queued events may keep its slot after its turn. */
  mayKeep(receiver: string): boolean {
    const slot = this.heldSlots.get(receiver)
    const mayKeepSlot = slot !== undefined && !this.#hasWaiting[slot.kind]
    if (!mayKeepSlot) this.#hasUnservedReceiver = true
    return mayKeepSlot
  }

  release(receiver: string): void {
    const slot = this.heldSlots.get(receiver)
    if (slot === undefined) return
    this.heldSlots.delete(receiver)
    this.#usedSlots[slot.kind]--
    const remainingCount = this.#countByGroup.get(slot.group)! - 1
    if (remainingCount === 0) this.#countByGroup.delete(slot.group)
    else this.#countByGroup.set(slot.group, remainingCount)
  }

  #noteSlow(slot: HeldSlot): void {
    this.#quickGroups.delete(slot.group)
    if (this.#usedSlots.beside >= maxOverflowSlots[slot.kind]) return
    this.#usedSlots[slot.kind]--
    this.#usedSlots.beside++
    slot.kind = "beside"
  }
}
