/**
 * A set of hashes that takes little memory: 15 bytes of each, in tables that grow by themselves. A
 * million hashes take about 32 MB, growing never holds the event loop for more than a moment.
 *
 * Two different SHA-256 that agree in their first 120 bits are one to it: nobody will see such.
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
  /** Four numbers of 30 bits for each place; all 0: it is free. */
  table: Uint32Array
  capacity: number
  size: number
}

export class HashSet {
  readonly #segments: Array<Segment | undefined> = Array.from({ length: segments })
  /** The hash in hand. */
  readonly #key = new Uint32Array(lanes)
  #size = 0

  get size(): number {
    return this.#size
  }

  has(hash: string): boolean {
    this.#read(hash)
    const segment = this.#segments[this.#key[0]! % segments]
    return segment !== undefined && isTaken(segment.table, this.#find(segment))
  }

  /** Tells whether it is new. */
  add(hash: string): boolean {
    this.#read(hash)
    const at = this.#key[0]! % segments
    const segment = (this.#segments[at] ??= {
      table: new Uint32Array(firstCapacity * lanes),
      capacity: firstCapacity,
      size: 0
    })
    const place = this.#find(segment)
    if (isTaken(segment.table, place)) return false
    segment.table.set(this.#key, place)
    segment.size++
    this.#size++
    if (segment.size * 4 > segment.capacity * 3) this.#grow(segment)
    return true
  }

  #read(hash: string) {
    for (let lane = 0; lane < lanes; lane++) {
      let bits = 0
      for (let i = lane * charsPerLane; i < (lane + 1) * charsPerLane; i++) {
        bits = (bits << 6) | (digits[hash.charCodeAt(i) & 127] ?? 0)
      }
      this.#key[lane] = bits
    }
    // What is all 0 would be a free place.
    if (!isTaken(this.#key, 0)) this.#key[lanes - 1] = 1 << 30
  }

  /** Index of the hash in hand, or of the slot that it would take. */
  #find({ table, capacity }: Segment): number {
    const [a, b, c, d] = this.#key as unknown as readonly [number, number, number, number]
    for (let n = b & (capacity - 1); ; n = (n + 1) & (capacity - 1)) {
      const place = n * lanes
      if (table[place] === a && table[place + 1] === b && table[place + 2] === c && table[place + 3] === d) return place
      if (!isTaken(table, place)) return place
    }
  }

  #grow(segment: Segment) {
    const { table, capacity } = segment
    segment.capacity = capacity * 2
    segment.table = new Uint32Array(segment.capacity * lanes)
    for (let place = 0; place < capacity * lanes; place += lanes) {
      if (!isTaken(table, place)) continue
      this.#key.set(table.subarray(place, place + lanes))
      segment.table.set(this.#key, this.#find(segment))
    }
  }
}

const isTaken = (table: Uint32Array, place: number): boolean =>
  (table[place]! | table[place + 1]! | table[place + 2]! | table[place + 3]!) !== 0
