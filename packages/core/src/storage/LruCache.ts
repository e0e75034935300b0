/**
 * The values used last, up to a total size: what was used longest ago goes first, a 64th of the size at once, give or
 * take a quarter of the entries. To move an entry to the end costs far more than to find it, so one that
 * was moved not long ago stays where it is.
 */
export class LruCache<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly size: number; usedAt: number }>()
  readonly #limit: number
  readonly #onEvict: ((values: ReadonlyArray<V>) => void) | undefined
  #size = 0
  #uses = 0

  /** `onGone`: told of what made room, all of a time together. */
  constructor(limit: number, onEvict?: (values: ReadonlyArray<V>) => void) {
    this.#limit = limit
    this.#onEvict = onEvict
  }

  /** Tells whether there is hardly room for more, but in the place of others. */
  get isFull(): boolean {
    return this.#size > this.#limit - this.#limit / 32
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#uses - entry.usedAt > this.#entries.size / 4) {
      entry.usedAt = ++this.#uses
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry.value
  }

  set(key: K, value: V, size: number): void {
    this.delete(key)
    if (size > this.#limit) return
    this.#entries.set(key, { value, size, usedAt: ++this.#uses })
    this.#size += size
    if (this.#size <= this.#limit) return
    // A map keeps a hole for each entry that went, and whoever begins with its oldest goes past all of them.
    const target = Math.max(size, this.#limit - Math.floor(this.#limit / 64))
    const evicted: Array<V> = []
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= target) break
      evicted.push(entry.value)
      this.delete(oldest)
    }
    this.#onEvict?.(evicted)
  }

  delete(key: K): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= entry.size
  }
}
