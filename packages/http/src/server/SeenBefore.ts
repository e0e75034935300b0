/**
 * Tells things that were seen before from new ones, in 128 KiB for however many: now and then it takes a new one
 * for seen. After 50,000 new ones it begins anew.
 */
const bits = 1 << 20
const most = 50_000

export class SeenBefore {
  readonly #bytes = new Uint8Array(bits / 8)
  #new = 0

  /** Tells whether it has seen it, and has from now on. */
  again(one: string, other: string): boolean {
    const hash = mixed(add(add(2_166_136_261, one), other))
    const first = this.#see(hash % bits)
    const second = this.#see((hash >>> 12) ^ (hash & 0xf_ff))
    if (first && second) return true
    if (++this.#new >= most) {
      this.#new = 0
      this.#bytes.fill(0)
    }
    return false
  }

  #see(bit: number): boolean {
    const at = (bit % bits) >>> 3
    const mask = 1 << (bit & 7)
    const seen = (this.#bytes[at]! & mask) !== 0
    this.#bytes[at]! |= mask
    return seen
  }
}

/** FNV-1a over two halves of characters at once, which takes half as long. */
const add = (hash: number, text: string): number => {
  const even = text.length & ~1
  for (let i = 0; i < even; i += 2) {
    hash = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 16_777_619)
  }
  return even === text.length ? hash : Math.imul(hash ^ text.charCodeAt(even), 16_777_619)
}

/** The high halves told of the second of two characters alone: now every bit is of all of them. */
const mixed = (hash: number): number => {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  return (half ^ (half >>> 13)) >>> 0
}
