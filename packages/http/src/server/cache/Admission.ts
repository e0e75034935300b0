/**
 * Decides which responses the cache stores: responses to requests that are repeated. If the cache is full, a request
 * must also be more frequent than the entries that would be evicted. A client that cycles through more responses than
 * fit therefore still gets hits for some of them.
 *
 * Misses are counted up to 15 and approximately: a hash collision can make a request look more frequent than it is. The
 * counters take 256 KiB, regardless of the number of requests. All counters are halved after 25,000 misses, so old
 * popularity decays.
 */
const counterCount = 1 << 18
const maxCount = 15
const halvingPeriod = 25_000

/**
 * Number of requests by which a new response must exceed the evicted ones. Requests come at different times, so a
 * smaller difference is noise.
 */
const margin = 2

/** 32-bit hash of a request and its token. */
export type RequestHash = number

/**
 * Hit counter of a cached entry. It is stored in the entry, since a lookup in the shared counters would touch more
 * memory.
 */
export interface HitCounter {
  readonly hash: RequestHash
  /** Number of hits up to 15. Halved like all counters; `age` is the number of halvings that are already applied. */
  hits: number
  age: number
}

export class Admission {
  /** Misses by slot. For a cached entry: the misses before it was stored. */
  readonly #counts = new Uint8Array(counterCount)
  #misses = 0
  #age = 0
  /** Average request count of the entries that were evicted last. */
  #evictedCount = 0

  /** Returns the hash of a request by a token. */
  hashOf(token: string, request: string): RequestHash {
    return mixBits(addText(addText(2_166_136_261, token), request))
  }

  /** Returns true if the response to a request that just missed should be stored. Counts the miss. */
  admits(hash: RequestHash, isFull: boolean): boolean {
    const count = this.#recordMiss(hash)
    if (++this.#misses >= halvingPeriod) this.#halve()
    return count > 1 && (!isFull || count >= this.#evictedCount + margin)
  }

  /** Counts a hit of an entry. */
  recordHit(counter: HitCounter): void {
    counter.hits = Math.min(maxCount, this.#hitsOf(counter) + 1)
    counter.age = this.#age
  }

  /** Records the evicted entries. `undefined` stands for an entry that was already stale and counts as 0. */
  recordEvictions(evicted: ReadonlyArray<HitCounter | undefined>): void {
    let sum = 0
    for (const counter of evicted)
      if (counter !== undefined) sum += Math.min(maxCount, this.#missesOf(counter.hash) + this.#hitsOf(counter))
    if (evicted.length > 0) this.#evictedCount = sum / evicted.length
  }

  #recordMiss(hash: RequestHash): number {
    const misses = this.#missesOf(hash)
    if (misses === maxCount) return maxCount
    // A slot with a larger count is shared with other requests and stays unchanged.
    for (const slot of [slotOf(hash), secondSlotOf(hash)]) {
      if (this.#counts[slot] === misses) this.#counts[slot] = misses + 1
    }
    return misses + 1
  }

  #missesOf(hash: RequestHash): number {
    return Math.min(this.#counts[slotOf(hash)]!, this.#counts[secondSlotOf(hash)]!)
  }

  #hitsOf({ hits, age }: HitCounter): number {
    return hits >> Math.min(this.#age - age, 31)
  }

  #halve(): void {
    this.#misses = 0
    this.#age++
    this.#evictedCount /= 2
    for (let i = 0; i < counterCount; i++) this.#counts[i]! >>= 1
  }
}

const slotOf = (hash: RequestHash): number => hash & (counterCount - 1)
const secondSlotOf = (hash: RequestHash): number => Math.imul(hash, 0x9e_37_79_b1) >>> 14

/** FNV-1a over two UTF-16 code units at a time, which is twice as fast. */
const addText = (hash: number, text: string): number => {
  const evenLength = text.length & ~1
  for (let i = 0; i < evenLength; i += 2) {
    hash = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 16_777_619)
  }
  return evenLength === text.length ? hash : Math.imul(hash ^ text.charCodeAt(evenLength), 16_777_619)
}

/** Spreads the bits: `addText` lets the second of two code units affect only the high half. */
const mixBits = (hash: number): RequestHash => {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  return half ^ (half >>> 13)
}
