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
    const hash = add(add(2_166_136_261, one), other)
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

/** FNV-1a over the halves of characters. */
const add = (hash: number, text: string): number => {
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619)
  return hash >>> 0
}
