/**
 * Finds addresses in plain text by the rules of GFM: `https://…`, `www.…` and `a@b.c`. The next possible start is known
 * in advance, so text without addresses costs nothing.
 */
import { isAlphanumeric, isLetter, isPunctuation, isWhitespace } from "./Characters.ts"

export interface Address {
  readonly url: string
  readonly end: number
}

const addressStart = /https?:\/\/|www\.|@/gi

/**
 * A run of domain characters. The fields are valid for a domain that starts at any offset of the run. `lastDot`: offset
 * of the last dot.
 */
interface DomainRun {
  readonly from: number
  readonly end: number
  readonly lastDot: number
  /**
   * `underscoreInLastLabel`: offset of the last underscore after the last dot. `underscoreInPreviousLabel`: offset of the last underscore between
   * the last two dots. -1 if not found.
   */
  readonly underscoreInLastLabel: number
  readonly underscoreInPreviousLabel: number
  /** Offset of the last character other than a dot or an underscore. */
  readonly lastLetter: number
}

export class Addresses {
  readonly #text: string
  /** Offset at which the next address could start; `Infinity` if no further address is possible. */
  next = -1
  #searchFrom = 0
  #domainRun: DomainRun = {
    from: 0,
    end: 0,
    lastDot: -1,
    underscoreInLastLabel: -1,
    underscoreInPreviousLabel: -1,
    lastLetter: -1
  }
  /** Offset before which no punctuation ends an address. */
  #noTrailBefore = 0

  constructor(text: string) {
    this.#text = text
    if (text.includes("://") || text.includes("@") || /www\./i.test(text)) this.seek(0)
    else this.next = Infinity
  }

  /** Moves `next` to the first possible start at or after `from`. If `from` is `next`, moves past that start. */
  seek(from: number): void {
    addressStart.lastIndex = from === this.next ? this.#searchFrom : from
    for (let match = addressStart.exec(this.#text); match !== null; match = addressStart.exec(this.#text)) {
      let start = match.index
      if (match[0] === "@") {
        while (start > from && isAddressCharacter(this.#text.charCodeAt(start - 1))) start--
        if (start === match.index) continue
      }
      this.next = start
      this.#searchFrom = match.index + 1
      return
    }
    this.next = Infinity
  }

  /** Returns the address that starts at an offset. */
  at(at: number): Address | undefined {
    const text = this.#text
    const before = at === 0 ? Number.NaN : text.charCodeAt(at - 1)
    const email = this.#email(at, before)
    if (email !== undefined) return email
    const code = text.charCodeAt(at) | 32
    if (code === 119 && canPrecedeWww(before) && /^www\./i.test(text.slice(at, at + 4)) && at + 4 < text.length) {
      const end = this.#domain(at)
      return end === -1 ? undefined : this.#link("http://", at, this.#path(end))
    }
    if (code !== 104 || isLetter(before)) return undefined
    const protocol = /^https?:\/\//i.exec(text.slice(at, at + 8))
    if (protocol === null) return undefined
    const start = at + protocol[0].length
    const first = text.charCodeAt(start)
    if (isWhitespace(first) || isPunctuation(first) || first < 32 || first === 127) return undefined
    const end = this.#domain(start)
    return end === -1 ? undefined : this.#link("", at, this.#path(end))
  }

  #link(prefix: string, at: number, end: number): Address {
    return { url: prefix + this.#text.slice(at, end), end }
  }

  #email(at: number, before: number): Address | undefined {
    if (before === 47 || isAddressCharacter(before)) return undefined
    const text = this.#text
    let i = at
    while (isAddressCharacter(text.charCodeAt(i))) i++
    if (i === at || text.charCodeAt(i) !== 64) return undefined
    let hasDot = false
    for (i++; ; i++) {
      const code = text.charCodeAt(i)
      if (code === 46) {
        if (!isAlphanumeric(text.charCodeAt(i + 1))) break
        hasDot = true
      } else if (code !== 45 && code !== 95 && !isAlphanumeric(code)) break
    }
    return hasDot && isLetter(text.charCodeAt(i - 1)) ? this.#link("mailto:", at, i) : undefined
  }

  /**
   * Returns the end of the domain that starts at `from`, or -1 if none starts. The last two labels of a domain contain
   * no underscore.
   */
  #domain(from: number): number {
    if (from < this.#domainRun.from || from >= this.#domainRun.end) this.#domainRun = this.#scanDomains(from)
    const { end, lastDot, underscoreInLastLabel, underscoreInPreviousLabel, lastLetter } = this.#domainRun
    return underscoreInLastLabel >= from || (lastDot >= from && underscoreInPreviousLabel >= from) || lastLetter < from
      ? -1
      : end
  }

  /** Scans the run of domain characters that starts at `from`. */
  #scanDomains(from: number): DomainRun {
    const text = this.#text
    let lastDot = -1
    let underscoreInLastLabel = -1
    let underscoreInPreviousLabel = -1
    let lastLetter = -1
    let end = from
    for (; ; end++) {
      const code = text.charCodeAt(end)
      if (code === 46 || code === 95) {
        if (this.#isTrail(end)) break
        if (code === 95) underscoreInLastLabel = end
        else {
          lastDot = end
          underscoreInPreviousLabel = underscoreInLastLabel
          underscoreInLastLabel = -1
        }
        continue
      }
      if (isWhitespace(code) || (code !== 45 && isPunctuation(code))) break
      lastLetter = end
    }
    return { from, end, lastDot, underscoreInLastLabel, underscoreInPreviousLabel, lastLetter }
  }

  #path(from: number): number {
    const text = this.#text
    let openedCount = 0
    let closedCount = 0
    for (let i = from; ; i++) {
      const code = text.charCodeAt(i)
      if (isWhitespace(code)) return i
      if (code === 40) openedCount++
      else if (code !== 41 || closedCount >= openedCount) {
        const couldEnd = isTrailing(code) || code === 38 || code === 60 || code === 93
        if (couldEnd && this.#isTrail(i)) return i
      }
      if (code === 41) closedCount++
    }
  }

  /**
   * True if only trailing punctuation follows up to the end of the address. This punctuation is not part of the
   * address.
   */
  #isTrail(from: number): boolean {
    if (from < this.#noTrailBefore) return false
    const text = this.#text
    for (let i = from; ;) {
      const code = text.charCodeAt(i)
      if (isTrailing(code)) i++
      else if (code === 38) {
        i++
        const start = i
        while (isLetter(text.charCodeAt(i))) i++
        if (i === start || text.charCodeAt(i) !== 59) return this.#markNoTrail(i)
        i++
      } else if (code === 93) {
        const after = text.charCodeAt(++i)
        if (after === 40 || after === 91 || isWhitespace(after)) return true
      } else return code === 60 || isWhitespace(code) || this.#markNoTrail(i)
    }
  }

  #markNoTrail(end: number): false {
    this.#noTrailBefore = end
    return false
  }
}

/** True for `!"').,*:;?_~`. */
const isTrailing = (code: number): boolean =>
  code === 33 ||
  code === 34 ||
  code === 39 ||
  code === 41 ||
  code === 42 ||
  code === 44 ||
  code === 46 ||
  code === 58 ||
  code === 59 ||
  code === 63 ||
  code === 95 ||
  code === 126

/** True if a character may precede `www.`: white space, one of `(*_[]~`, or the start of the text (NaN). */
const canPrecedeWww = (code: number): boolean =>
  code === 40 ||
  code === 42 ||
  code === 95 ||
  code === 91 ||
  code === 93 ||
  code === 126 ||
  code === 10 ||
  code === 32 ||
  code === 9 ||
  code !== code

const isAddressCharacter = (code: number): boolean =>
  code === 43 || code === 45 || code === 46 || code === 95 || isAlphanumeric(code)
