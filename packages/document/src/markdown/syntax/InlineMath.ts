/**
 * A formula within text, `$$a$$` or `$a$`. A single `$` opens one where no letter or digit stands
 * before it and no space after it, and closes one the other way round, so prices and variables are
 * text.
 */
import { isAlphanumeric, isSpace } from "./Characters.ts"

const dollar = 36
const lineFeed = 10

/** For each place of one text, asked for in their order, where the formula ends that begins there; -1 where none does. */
export class InlineMath {
  readonly #text: string
  /** Ends of those that begin right behind another one, where both have two `$`. */
  readonly #joined = new Map<number, number>()
  /** From where on a formula of one `$` and of two is known not to end. */
  readonly #endless: [number, number] = [Infinity, Infinity]

  constructor(text: string) {
    this.#text = text
  }

  endOf(at: number): number {
    const text = this.#text
    const joined = this.#joined.get(at)
    if (joined !== undefined) return joined
    const before = text.charCodeAt(at - 1)
    if (at > 0 && before === dollar) return -1
    const isDouble = text.charCodeAt(at + 1) === dollar
    const from = at + (isDouble ? 2 : 1)
    const first = text.charCodeAt(from)
    if (isDouble ? first === dollar : (at > 0 && isAlphanumeric(before)) || isSpace(first) || first === lineFeed)
      return -1
    if (from >= this.#endless[isDouble ? 1 : 0]) return -1
    return this.#closing(from, isDouble)
  }

  #closing(from: number, isDouble: boolean): number {
    const text = this.#text
    /** Beginnings of those that follow. */
    const joined: Array<number> = []
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
        if (text.charCodeAt(i + 2) !== dollar) return this.#ended(joined, i + 2)
        if (text.charCodeAt(i + 3) !== dollar || text.charCodeAt(i + 4) === dollar) return -1
        joined.push(i + 2)
        isEmpty = true
        i += 3
        continue
      }
      if (!isSpace(code)) isEmpty = false
      last = code
      if (code === 92 && i + 1 < text.length && text.charCodeAt(i + 1) !== lineFeed) last = text.charCodeAt(++i)
    }
    if (isDouble) this.#endless[1] = Math.min(this.#endless[1], from)
    else this.#endless[0] = Math.min(this.#endless[0], from)
    return -1
  }

  /** End of the first of several formulas of which the last ends there. */
  #ended(joined: ReadonlyArray<number>, end: number): number {
    for (const [i, at] of joined.entries()) this.#joined.set(at, joined[i + 1] ?? end)
    return joined[0] ?? end
  }
}

/** Content of a formula: on one line, without white space at its edges. */
export const valueOf = (source: string): string => {
  const size = source.startsWith("$$") ? 2 : 1
  return source
    .slice(size, -size)
    .replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, " ")
    .replace(/^\s+|(?:(?<![\s\\])|(?<=\\\s))\s+$/g, "")
}

/** Stands in for what is between two parts of a text. */
export const gap = "\uE000"

/** Tells whether text could hold a formula; its parts are joined by `gap`. */
export const isLikely = (source: string): boolean => {
  if (/\$\uE000*\$/.test(source)) return true
  const text = source.replace(besideGap, ".")
  const first = text.search(/(?<![a-zA-Z0-9$])\$(?![\s$])/)
  if (first === -1) return false
  closing.lastIndex = first + 1
  return closing.test(text)
}

/** Character beside a gap. It may be written as a reference, so it counts as neither a letter nor a space. */
const besideGap = /(?<=\uE000)[a-zA-Z0-9\s]|[a-zA-Z0-9\s](?=\uE000)/g
const closing = /(?<![\s$])\$(?![a-zA-Z0-9])/g
