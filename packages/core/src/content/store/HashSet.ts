/**
 * A compact set of hashes. It stores 15 bytes of each hash in open-addressing tables. One million hashes take about 32
 * MB. There are 1,024 tables that grow separately, so growing never blocks the event loop for long.
 *
 * Two SHA-256 hashes with equal first 120 bits count as equal, which does not occur in practice.
 */
const lanes = 4
const charsPerLane = 5
const segments = 1024
const firstCapacity = 8

const digits = new Uint8Array(128)
for (const [i, char] of Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_").entries()) {
  digits[char.charCodeAt(0)] = i
}

interface Segment {
  /** Four 30-bit numbers for each slot. All 0: the slot is free. */
  table: Uint32Array
  capacity: number
  size: number
}

export class HashSet {
  readonly #segments: Array<Segment | undefined> = Array.from({ length: segments })
  /** The hash that the current call looks up. */
  readonly #key = new Uint32Array(lanes)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(hash: string): boolean {
    this.#setKey(hash)
    const segment = this.#segments[this.#key[0]! % segments]
    return segment !== undefined && isTaken(segment.table, this.#find(segment))
  }

  /** Adds a hash. Returns true if it is new. */
  add(hash: string): boolean {
    this.#setKey(hash)
    const segmentIndex = this.#key[0]! % segments
    const segment = (this.#segments[segmentIndex] ??= {
      table: new Uint32Array(firstCapacity * lanes),
      capacity: firstCapacity,
      size: 0
    })
    const slot = this.#find(segment)
    if (isTaken(segment.table, slot)) return false
    segment.table.set(this.#key, slot)
    segment.size++
    this.#size++
    if (segment.size * 4 > segment.capacity * 3) this.#grow(segment)
    return true
  }

  #setKey(hash: string) {
    for (let lane = 0; lane < lanes; lane++) {
      let bits = 0
      for (let i = lane * charsPerLane; i < (lane + 1) * charsPerLane; i++) {
        bits = (bits << 6) | (digits[hash.charCodeAt(i) & 127] ?? 0)
      }
      this.#key[lane] = bits
    }
    // A key of zeros is changed, since it would look like a free slot.
    if (!isTaken(this.#key, 0)) this.#key[lanes - 1] = 1 << 30
  }

  /** Returns the index of the slot that contains the current hash, or of the free slot for it. */
  #find({ table, capacity }: Segment): number {
    const [a, b, c, d] = this.#key as unknown as readonly [number, number, number, number]
    for (let n = b & (capacity - 1); ; n = (n + 1) & (capacity - 1)) {
      const slot = n * lanes
      if (table[slot] === a && table[slot + 1] === b && table[slot + 2] === c && table[slot + 3] === d) return slot
      if (!isTaken(table, slot)) return slot
    }
  }

  #grow(segment: Segment) {
    const { table, capacity } = segment
    segment.capacity = capacity * 2
    segment.table = new Uint32Array(segment.capacity * lanes)
    for (let slot = 0; slot < capacity * lanes; slot += lanes) {
      if (!isTaken(table, slot)) continue
      this.#key.set(table.subarray(slot, slot + lanes))
      segment.table.set(this.#key, this.#find(segment))
    }
  }
}

const isTaken = (table: Uint32Array, slot: number): boolean =>
  (table[slot]! | table[slot + 1]! | table[slot + 2]! | table[slot + 3]!) !== 0
