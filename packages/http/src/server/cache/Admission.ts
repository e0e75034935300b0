/**
 * Which questions are worth a place among the answers that are kept: those that are asked again, and where there is no
 * room left, those that are asked more often than what would have to go. So whoever asks for more than fits, one after
 * the other and again from the first, finds part of it there, rather than nothing at the cost of keeping all.
 *
 * Counted is up to 15 and roughly: now and then a question counts as asked more often than it was. That takes 256 KiB for
 * however many there are. Behind 25,000 that are not kept every count is halved, so what was liked once is forgotten.
 */
const cells = 1 << 18
const most = 15
const period = 25_000

/** The least by which a question has to be asked more often than what went before it: all are asked at different times. */
const margin = 2

/** By which a question of someone is counted: 32 bits. */
export type Mark = number

/** An answer that is kept counts by itself how often it is given: the counts of all would be looked for in far more memory. */
export interface Liked {
  readonly mark: Mark
  /** Since `age`, when it was halved as all counts are. */
  given: number
  age: number
}

export class Admission {
  /** Of what is not kept, and of what is, from before it was. */
  readonly #counts = new Uint8Array(cells)
  #asked = 0
  #age = 0
  /** How often was asked for what made room last, on the average. */
  #bar = 0

  /** Names a question of someone. */
  markOf(who: string, question: string): Mark {
    return mixed(add(add(2_166_136_261, who), question))
  }

  /** Tells whether the answer to a question that is not kept is to be kept, now that it is asked once more. */
  admits(mark: Mark, isFull: boolean): boolean {
    const count = this.#count(mark)
    if (++this.#asked >= period) this.#halve()
    return count > 1 && (!isFull || count >= this.#bar + margin)
  }

  /** Counts an answer that is given. */
  given(liked: Liked): void {
    liked.given = Math.min(most, this.#givenOf(liked) + 1)
    liked.age = this.#age
  }

  /** Hears of the answers that made room; undefined stands for one that held no more, and was worth nothing. */
  gone(all: ReadonlyArray<Liked | undefined>): void {
    let sum = 0
    for (const liked of all)
      if (liked !== undefined) sum += Math.min(most, this.#countOf(liked.mark) + this.#givenOf(liked))
    if (all.length > 0) this.#bar = sum / all.length
  }

  #count(mark: Mark): number {
    const known = this.#countOf(mark)
    if (known === most) return most
    // The larger one of the two is of others as well.
    for (const place of [placeOf(mark), otherPlaceOf(mark)]) {
      if (this.#counts[place] === known) this.#counts[place] = known + 1
    }
    return known + 1
  }

  #countOf(mark: Mark): number {
    return Math.min(this.#counts[placeOf(mark)]!, this.#counts[otherPlaceOf(mark)]!)
  }

  #givenOf({ given, age }: Liked): number {
    return given >> Math.min(this.#age - age, 31)
  }

  #halve(): void {
    this.#asked = 0
    this.#age++
    this.#bar /= 2
    for (let i = 0; i < cells; i++) this.#counts[i]! >>= 1
  }
}

const placeOf = (mark: Mark): number => mark & (cells - 1)
const otherPlaceOf = (mark: Mark): number => Math.imul(mark, 0x9e_37_79_b1) >>> 14

/** FNV-1a over two halves of characters at once, which takes half as long. */
const add = (hash: number, text: string): number => {
  const even = text.length & ~1
  for (let i = 0; i < even; i += 2) {
    hash = Math.imul(hash ^ (text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16)), 16_777_619)
  }
  return even === text.length ? hash : Math.imul(hash ^ text.charCodeAt(even), 16_777_619)
}

/** The high halves told of the second of two characters alone: now every bit is of all of them. */
const mixed = (hash: number): Mark => {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  return half ^ (half >>> 13)
}
