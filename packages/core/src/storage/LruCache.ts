/**
 * Least recently used cache with a maximum total size. When full, it evicts 1/64 of the size at once, oldest entries
 * first. The order is approximate: an entry that was moved to the end recently (among the last quarter of the entries)
 * is not moved again on use, since a move costs far more than a lookup.
 */
export class LruCache<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly size: number; movedAt: number }>()
  readonly #limit: number
  readonly #onEvict: ((values: ReadonlyArray<V>) => void) | undefined
  #size = 0
  #moveCount = 0

  /** `onEvict` receives the values of one eviction together. `delete` does not call it. */
  constructor(limit: number, onEvict?: (values: ReadonlyArray<V>) => void) {
    this.#limit = limit
    this.#onEvict = onEvict
  }

  /** True if the cache is within 1/32 of its limit, so that new entries soon evict others. */
  get isFull(): boolean {
    return this.#size > this.#limit - this.#limit / 32
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#moveCount - entry.movedAt > this.#entries.size / 4) {
      entry.movedAt = ++this.#moveCount
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry.value
  }

  set(key: K, value: V, size: number): void {
    this.delete(key)
    if (size > this.#limit) return
    this.#entries.set(key, { value, size, movedAt: ++this.#moveCount })
    this.#size += size
    if (this.#size <= this.#limit) return
    // Evicting many entries at once is cheap. A map keeps a hole for each deleted entry, and iteration visits all
    // holes.
    const target = Math.max(size, this.#limit - Math.floor(this.#limit / 64))
    const evictedValues: Array<V> = []
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= target) break
      evictedValues.push(entry.value)
      this.delete(oldest)
    }
    this.#onEvict?.(evictedValues)
  }

  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= entry.size
  }
}
