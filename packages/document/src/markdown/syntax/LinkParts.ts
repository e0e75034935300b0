/**
 * Parses labels, destinations and titles of links and definitions in the text of a paragraph. Methods take an offset
 * and return the end of the part, or -1 if it is invalid.
 *
 * Limits: labels have at most 999 characters. Parentheses in the destination of an inline link nest at most 32 deep.
 */
import { decodeText } from "./CharacterReference.ts"
import { isSpace } from "./Characters.ts"

const maxLabel = 999
const maxParentheses = 32

const backslash = 92
const lineFeed = 10

const isSpaceOrEnd = (code: number): boolean => isSpace(code) || code === lineFeed
const isControl = (code: number): boolean => code < 32 || code === 127

export class LinkParts {
  readonly #text: string
  readonly #closingCache: { [marker: number]: { readonly from: number; readonly end: number } } = {}
  /** Destination and title of the last parsed link or definition, decoded. */
  destination = ""
  title = ""

  constructor(text: string) {
    this.#text = text
  }

  skipSpaces(at: number): number {
    while (isSpaceOrEnd(this.#text.charCodeAt(at))) at++
    return at
  }

  /** Returns the end of the label at a `[`. A label contains only escaped brackets, and not only white space. */
  labelEnd(at: number): number {
    const text = this.#text
    let isEmpty = true
    const end = Math.min(text.length, at + maxLabel + 2)
    for (let i = at + 1; i < end; i++) {
      const code = text.charCodeAt(i)
      if (code === 93) return isEmpty ? -1 : i + 1
      if (code === 91) return -1
      if (!isSpaceOrEnd(code)) isEmpty = false
      if (code === backslash && isEscapable(text.charCodeAt(i + 1))) i++
    }
    return -1
  }

  readDestination(at: number, isInline: boolean): number {
    const end = this.#text.charCodeAt(at) === 60 ? this.#enclosedDestination(at) : this.#bareDestination(at, isInline)
    if (end !== -1) {
      const isEnclosed = this.#text.charCodeAt(at) === 60
      this.destination = decodeText(isEnclosed ? this.#text.slice(at + 1, end - 1) : this.#text.slice(at, end))
    }
    return end
  }

  #enclosedDestination(at: number): number {
    const text = this.#text
    for (let i = at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === 62) return i + 1
      if (code === 60 || code === lineFeed) return -1
      if (code === backslash) {
        const next = text.charCodeAt(i + 1)
        if (next === 60 || next === 62 || next === backslash) i++
      }
    }
    return -1
  }

  #bareDestination(at: number, isInline: boolean): number {
    const text = this.#text
    let depth = 0
    let i = at
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (isSpaceOrEnd(code) || (code === 41 && depth === 0)) break
      if (isControl(code)) return -1
      if (code === 40 && ++depth > maxParentheses && isInline) return -1
      if (code === 41) depth--
      if (code === backslash) {
        const next = text.charCodeAt(i + 1)
        if (next === 40 || next === 41 || next === backslash) i++
      }
    }
    return i === at || depth > 0 ? -1 : i
  }

  readTitle(at: number): number {
    const code = this.#text.charCodeAt(at)
    if (code !== 34 && code !== 39 && code !== 40) return -1
    const end = this.#closing(code === 40 ? 41 : code, at + 1)
    if (end === -1) return -1
    // Lines of the text have no leading white space.
    this.title = decodeText(this.#text.slice(at + 1, end))
    return end + 1
  }

  /**
   * Returns the offset of the next `marker`, or -1. Caches the last result for each marker, which is valid for later
   * starts before the marker.
   */
  #closing(marker: number, from: number): number {
    const cached = this.#closingCache[marker]
    if (cached !== undefined && from >= cached.from && (cached.end === -1 || from <= cached.end)) return cached.end
    const text = this.#text
    let end = -1
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === marker) {
        end = i
        break
      }
      if (code === backslash) {
        const next = text.charCodeAt(i + 1)
        if (next === marker || next === backslash) i++
      }
    }
    this.#closingCache[marker] = { from, end }
    return end
  }

  /** Parses `(url "title")` at its `(`. */
  resource(at: number): number {
    this.destination = ""
    this.title = ""
    let i = this.skipSpaces(at + 1)
    if (this.#text.charCodeAt(i) === 41) return i + 1
    i = this.readDestination(i, true)
    if (i === -1) return -1
    const after = this.skipSpaces(i)
    if (after > i) {
      const code = this.#text.charCodeAt(after)
      if (code === 34 || code === 39 || code === 40) {
        const end = this.readTitle(after)
        if (end === -1) return -1
        i = this.skipSpaces(end)
      } else i = after
    }
    return this.#text.charCodeAt(i) === 41 ? i + 1 : -1
  }

  /** Returns the end of the line if only white space follows, or else -1. */
  blankLineEnd(at: number): number {
    while (isSpace(this.#text.charCodeAt(at))) at++
    return at >= this.#text.length || this.#text.charCodeAt(at) === lineFeed ? at : -1
  }
}

const isEscapable = (code: number): boolean => code === 91 || code === 92 || code === 93
