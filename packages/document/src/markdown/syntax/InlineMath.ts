/**
 * Parses inline formulas: `$$a$$` or `$a$`. A single `$` opens a formula unless a letter or digit precedes it or a
 * space follows it. It closes one under the mirrored condition. Prices and variables therefore stay text.
 */
import { isAlphanumeric, isSpace } from "./Characters.ts"

const dollar = 36
const lineFeed = 10

/**
 * Finds the end of the formula that starts at an offset of one text; -1 if no formula starts there. Offsets must be
 * requested in ascending order.
 */
export class InlineMath {
  readonly #text: string
  /** Ends of `$$` formulas that directly follow another one, by their starts. */
  readonly #adjacentEnds = new Map<number, number>()
  /** Offsets from which no formula has an end: of `$` and of `$$`. */
  readonly #unclosedFrom: [number, number] = [Infinity, Infinity]

  constructor(text: string) {
    this.#text = text
  }

  formulaEnd(at: number): number {
    const text = this.#text
    const joined = this.#adjacentEnds.get(at)
    if (joined !== undefined) return joined
    const before = text.charCodeAt(at - 1)
    if (at > 0 && before === dollar) return -1
    const isDouble = text.charCodeAt(at + 1) === dollar
    const from = at + (isDouble ? 2 : 1)
    const first = text.charCodeAt(from)
    if (isDouble ? first === dollar : (at > 0 && isAlphanumeric(before)) || isSpace(first) || first === lineFeed)
      return -1
    if (from >= this.#unclosedFrom[isDouble ? 1 : 0]) return -1
    return this.#findEnd(from, isDouble)
  }

  #findEnd(from: number, isDouble: boolean): number {
    const text = this.#text
    /** Starts of formulas that directly follow this one. */
    const adjacentStarts: Array<number> = []
    let isEmpty = true
    let last = 0
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === lineFeed) {
        if (!isDouble) return -1
        continue
      }
      if (code === dollar) {
        if (isEmpty) return -1
        const next = text.charCodeAt(i + 1)
        if (!isDouble) return isSpace(last) || next === dollar || isAlphanumeric(next) ? -1 : i + 1
        if (next !== dollar) return -1
        if (text.charCodeAt(i + 2) !== dollar) return this.#storeEnds(adjacentStarts, i + 2)
        if (text.charCodeAt(i + 3) !== dollar || text.charCodeAt(i + 4) === dollar) return -1
        adjacentStarts.push(i + 2)
        isEmpty = true
        i += 3
        continue
      }
      if (!isSpace(code)) isEmpty = false
      last = code
      if (code === 92 && i + 1 < text.length && text.charCodeAt(i + 1) !== lineFeed) last = text.charCodeAt(++i)
    }
    if (isDouble) this.#unclosedFrom[1] = Math.min(this.#unclosedFrom[1], from)
    else this.#unclosedFrom[0] = Math.min(this.#unclosedFrom[0], from)
    return -1
  }

  /**
   * Returns the end of the first of several adjacent formulas, the last of which ends at `end`. Stores the ends of the
   * others.
   */
  #storeEnds(joined: ReadonlyArray<number>, end: number): number {
    for (const [i, at] of joined.entries()) this.#adjacentEnds.set(at, joined[i + 1] ?? end)
    return joined[0] ?? end
  }
}

/** Returns the content of a formula on one line, without white space at its edges. */
export const formulaContent = (source: string): string => {
  const size = source.startsWith("$$") ? 2 : 1
  return source
    .slice(size, -size)
    .replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, " ")
    .replace(/^\s+|(?:(?<![\s\\])|(?<=\\\s))\s+$/g, "")
}

/** Placeholder for content between two parts of a text. */
export const gap = "\uE000"

/** True if text could contain a formula. `gap` joins the parts of the text. */
export const couldContainFormula = (source: string): boolean => {
  if (/\$\uE000*\$/.test(source)) return true
  const text = source.replace(nextToGap, ".")
  const first = text.search(/(?<![a-zA-Z0-9$])\$(?![\s$])/)
  if (first === -1) return false
  closing.lastIndex = first + 1
  return closing.test(text)
}

/**
 * Matches a character next to a gap. It may be written as a character reference, so it counts as neither a letter nor a
 * space.
 */
const nextToGap = /(?<=\uE000)[a-zA-Z0-9\s]|[a-zA-Z0-9\s](?=\uE000)/g
const closing = /(?<![\s$])\$(?![a-zA-Z0-9])/g
