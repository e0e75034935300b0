/**
 * Parses the inlines of a text: CommonMark, strikethrough, addresses and footnotes of GFM, formulas and emoji. Reads
 * the text once. A failed search for an end marker is not repeated.
 */
import type { InlineReader } from "../dialect/Dialect.ts"
import { inlines, inlinesByCode } from "../dialect/Dialects.ts"
import { normalizeLabel } from "../LinkReferences.ts"
import { Addresses } from "./Addresses.ts"
import * as AttributeList from "./AttributeList.ts"
import { decodeText, decodeReference, referencePattern } from "./CharacterReference.ts"
import { isAsciiPunctuation, isSpace } from "./Characters.ts"
import { CodeSpans } from "./CodeSpans.ts"
import type { InlineSource } from "./Content.ts"
import { type Bracket, delimiterAt, depthOf, type Depths, type Entry, pushInline, resolveEmphasis } from "./Emphasis.ts"
import { autolinkAt, InlineHtml } from "./InlineHtml.ts"
import { LinkParts } from "./LinkParts.ts"
import { plainText } from "./PlainText.ts"
import type { Inline } from "./SyntaxTree.ts"

export interface DefinedLabels {
  readonly definitions: ReadonlySet<string>
  readonly footnotes: ReadonlySet<string>
}

const maxLabel = 999
const noReaders: ReadonlyArray<InlineReader> = []

export interface ParsingContext {
  readonly isCell: boolean
  /** True in a heading, in which `HeadingId` parses the braces at the end. */
  readonly isHeading: boolean
  /** True to parse only CommonMark. */
  readonly isPlain: boolean
}

/** Returns a table with 1 for each character that may start an inline. */
const characterTable = (characters: string): Uint8Array => {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
const commonMarkStarts = characterTable("\n\\`<&![]*_")
const allStarts = characterTable("\n\\`<&![]*_~{" + inlines.map(({ starts }) => starts).join(""))

export class InlineParser {
  readonly #content: InlineSource
  readonly #text: string
  readonly #labels: DefinedLabels
  readonly #isCell: boolean
  readonly #isHeading: boolean
  readonly #startCharacters: Uint8Array
  readonly #entries: Array<Entry> = []
  readonly #brackets: Array<Bracket> = []
  /** Index in `#brackets` below which a `[` cannot open a link, since links do not nest. */
  #inactiveBrackets = 0
  readonly #depths: Depths = new Map()
  readonly #addresses: Addresses
  readonly #code: CodeSpans
  readonly #html: InlineHtml
  readonly #isPlain: boolean
  /** Readers of the dialects, by the code of a starting character. */
  #readers: Map<number, ReadonlyArray<InlineReader>> | undefined
  readonly #parts: LinkParts
  /**
   * `#pendingText`: text that is not an entry yet. `#pendingFrom`: offset of the start of this text in the source.
   * `#sourceFrom`: offset from which the text equals the source.
   */
  #pendingText = ""
  #pendingFrom = 0
  #sourceFrom = 0

  constructor(content: InlineSource, labels: DefinedLabels, { isCell, isHeading, isPlain }: ParsingContext) {
    this.#content = content
    this.#isCell = isCell
    this.#isHeading = isHeading
    this.#startCharacters = isPlain ? commonMarkStarts : allStarts
    this.#text = content.text
    this.#labels = labels
    this.#addresses = new Addresses(isPlain ? "" : this.#text)
    this.#code = new CodeSpans(this.#text)
    this.#html = new InlineHtml(this.#text)
    this.#isPlain = isPlain
    this.#parts = new LinkParts(this.#text)
  }

  parse(from: number): ReadonlyArray<Inline> {
    const text = this.#text
    const addresses = this.#addresses
    const startCharacters = this.#startCharacters
    for (let at = from; at < text.length;) {
      if (addresses.next < at) addresses.seek(at)
      const stop = Math.min(text.length, addresses.next)
      let end = at
      while (end < stop) {
        const code = text.charCodeAt(end)
        if (code < 128 && startCharacters[code] === 1) break
        end++
      }
      if (end > at) {
        this.#appendSource(at, end)
        at = end
        if (at === text.length) break
      }
      if (at === addresses.next) {
        const addressEnd = this.#address(at)
        addresses.seek(addressEnd === -1 ? at : addressEnd)
        if (addressEnd !== -1) {
          at = addressEnd
          continue
        }
        if (startCharacters[text.charCodeAt(at)] !== 1) {
          this.#appendSource(at, ++at)
          continue
        }
      }
      at = this.#special(text.charCodeAt(at), at)
    }
    this.#flush(text.length)
    return resolveEmphasis(this.#entries, this.#content, this.#depths)
  }

  /** Appends source text unchanged. */
  #appendSource(from: number, to: number): void {
    if (this.#pendingText === "") this.#pendingFrom = this.#sourceFrom = from
    this.#pendingText += this.#text.slice(from, to)
  }

  /** Appends text that differs from its source, which is the range `from` to `to`. Returns `to`. */
  #appendText(value: string, from: number, to: number): number {
    if (this.#pendingText === "") this.#pendingFrom = from
    this.#pendingText += value
    this.#sourceFrom = to
    return to
  }

  #flush(to: number): void {
    if (this.#pendingText === "") return
    const value = this.#pendingText
    this.#pendingText = ""
    const from = this.#content.toSourceOffset(this.#pendingFrom)
    pushInline(this.#entries, { type: "text", from, to: this.#content.toSourceOffset(to - 1) + 1, value })
  }

  #range(from: number, to: number): { readonly from: number; readonly to: number } {
    return { from: this.#content.toSourceOffset(from), to: this.#content.toSourceOffset(to - 1) + 1 }
  }

  #push(inline: Inline, from: number, to: number): number {
    this.#flush(from)
    this.#entries.push(inline)
    return to
  }

  /** Parses the inline at a special character. Returns the offset after it. */
  #special(code: number, at: number): number {
    for (const read of this.#readersOf(code)) {
      const match = read(at)
      if (match !== undefined) return this.#push(match.inline, at, match.end)
    }
    switch (code) {
      case 10:
        return this.#lineEnd(at)
      case 92:
        return this.#escape(at)
      case 96:
        return this.#codeSpan(at)
      case 60:
        return this.#autolinkOrHtml(at)
      case 38:
        return this.#reference(at)
      case 33:
        if (this.#text.charCodeAt(at + 1) === 91) return this.#openBracket(at, true)
        break
      case 91:
        return this.#footnote(at) ?? this.#openBracket(at, false)
      case 93:
        return this.#closeBracket(at)
      case 123: {
        const end = this.#attributes(at)
        if (end !== undefined) return end
        break
      }
      case 42:
      case 95:
      case 126: {
        const delimiter = delimiterAt(this.#text, at)
        if (!delimiter.opens && !delimiter.closes) this.#appendSource(at, delimiter.end)
        else {
          this.#flush(at)
          this.#entries.push(delimiter)
        }
        return delimiter.end
      }
    }
    this.#appendSource(at, at + 1)
    return at + 1
  }

  #readersOf(code: number): ReadonlyArray<InlineReader> {
    const syntaxes = this.#isPlain ? undefined : inlinesByCode[code]
    if (syntaxes === undefined) return noReaders
    this.#readers ??= new Map()
    let readers = this.#readers.get(code)
    if (readers === undefined) {
      readers = syntaxes.map(({ createReader }) => createReader(this.#text, (from, to) => this.#range(from, to)))
      this.#readers.set(code, readers)
    }
    return readers
  }

  #lineEnd(at: number): number {
    const text = this.#text
    const minEnd = this.#pendingText === "" ? at : this.#sourceFrom
    let end = at
    let hasTab = false
    while (end > minEnd && isSpace(text.charCodeAt(end - 1))) if (text.charCodeAt(--end) === 9) hasTab = true
    if (end < at) this.#pendingText = this.#pendingText.slice(0, end - at)
    if (at - end < 2 || hasTab) return this.#appendText("\n", at, at + 1)
    this.#flush(end)
    this.#entries.push({ type: "break", ...this.#range(end, at + 1) })
    return at + 1
  }

  #escape(at: number): number {
    const nextCode = this.#text.charCodeAt(at + 1)
    if (nextCode === 10) return this.#push({ type: "break", ...this.#range(at, at + 2) }, at, at + 2)
    if (isAsciiPunctuation(nextCode)) return this.#appendText(this.#text.charAt(at + 1), at, at + 2)
    this.#appendSource(at, at + 1)
    return at + 1
  }

  #codeSpan(at: number): number {
    const { length, end } = this.#code.spanAt(at)
    if (end === -1) {
      this.#appendSource(at, at + length)
      return at + length
    }
    const code = CodeSpans.contentOf(this.#text.slice(at + length, end - length))
    // Within a cell `|` is escaped also in code.
    const value = this.#isCell && code.includes("|") ? code.replaceAll("\\|", "|") : code
    return this.#push({ type: "inlineCode", ...this.#range(at, end), value }, at, end)
  }

  #autolinkOrHtml(at: number): number {
    const address = autolinkAt(this.#text, at)
    if (address !== undefined) {
      const end = at + address.length
      const text: Inline = { type: "text", ...this.#range(at + 1, end - 1), value: address.text }
      return this.#push({ type: "link", ...this.#range(at, end), url: address.url, children: [text] }, at, end)
    }
    const end = this.#html.htmlEnd(at)
    if (end === -1) {
      this.#appendSource(at, at + 1)
      return at + 1
    }
    return this.#push({ type: "html", ...this.#range(at, end), value: this.#text.slice(at, end) }, at, end)
  }

  #reference(at: number): number {
    referencePattern.lastIndex = at
    const referenceMatch = referencePattern.exec(this.#text)
    const value = referenceMatch === null ? undefined : decodeReference(referenceMatch[0])
    if (value !== undefined) return this.#appendText(value, at, at + referenceMatch![0].length)
    this.#appendSource(at, at + 1)
    return at + 1
  }

  /** Parses an attribute list that directly follows an inline. Returns its end. */
  #attributes(at: number): number | undefined {
    const lastEntry = this.#pendingText === "" ? this.#entries.at(-1) : undefined
    const position = lastEntry && listPositionAfter(lastEntry)
    const attributeList = position && AttributeList.attributesAt(this.#text, at, position)
    if (lastEntry === undefined || attributeList === undefined) return undefined
    const { attributes, end } = attributeList
    if (this.#isHeading && end === this.#text.length) return undefined
    if (lastEntry.type === "image" || lastEntry.type === "imageReference") {
      this.#entries[this.#entries.length - 1] = { ...lastEntry, attributes }
    }
    return end
  }

  /** Parses an address in plain text and returns its end. Returns -1 if there is no address or a bracket is open. */
  #address(at: number): number {
    if (this.#brackets.length > 0) return -1
    const address = this.#addresses.at(at)
    if (address === undefined) return -1
    const { url, end } = address
    const text: Inline = { type: "text", ...this.#range(at, end), value: this.#text.slice(at, end) }
    return this.#push({ type: "link", ...this.#range(at, end), url, children: [text] }, at, end)
  }

  #footnote(at: number): number | undefined {
    if (this.#text.charCodeAt(at + 1) !== 94 || this.#labels.footnotes.size === 0) return undefined
    footnotePattern.lastIndex = at
    const source = footnotePattern.exec(this.#text)?.[1]
    return source === undefined ? undefined : this.#footnoteFrom(at, source)
  }

  #footnoteFrom(at: number, source: string): number | undefined {
    const identifier = normalizeLabel(source)
    if (!this.#labels.footnotes.has(identifier)) return undefined
    const end = at + source.length + 3
    return this.#push(
      { type: "footnoteReference", ...this.#range(at, end), identifier, label: decodeText(source) },
      at,
      end
    )
  }

  #openBracket(from: number, isImage: boolean): number {
    const contentStart = from + (isImage ? 2 : 1)
    this.#flush(from)
    const bracket: Bracket = { type: "bracket", isImage, from, contentStart, entryIndex: this.#entries.length }
    this.#brackets.push(bracket)
    this.#entries.push(bracket)
    return contentStart
  }

  #closeBracket(at: number): number {
    const bracket = this.#brackets.pop()
    if (bracket !== undefined) {
      const isInactive = !bracket.isImage && this.#brackets.length < this.#inactiveBrackets
      this.#inactiveBrackets = Math.min(this.#inactiveBrackets, this.#brackets.length)
      const end = isInactive ? undefined : (this.#link(bracket, at) ?? this.#footnoteIn(bracket, at))
      if (end !== undefined) return end
    }
    this.#appendSource(at, at + 1)
    return at + 1
  }

  /** Completes the link or image of a `]`. Returns the end of its target or label. */
  #link(bracket: Bracket, at: number): number | undefined {
    const { definitions } = this.#labels
    const parts = this.#parts
    const after = this.#text.charCodeAt(at + 1)
    if (after === 40) {
      const end = parts.resource(at + 1)
      if (end !== -1) {
        const { destination: url, title } = parts
        return this.#completeLink(bracket, at, end, title === "" ? { url } : { url, title })
      }
    }
    if (definitions.size === 0) return undefined
    if (after === 91) {
      const end = parts.labelEnd(at + 1)
      const source = end === -1 ? "" : this.#text.slice(at + 2, end - 1)
      if (end !== -1 && definitions.has(normalizeLabel(source)))
        return this.#completeLink(bracket, at, end, labelTarget(source))
    }
    const isLong = at - bracket.contentStart > maxLabel
    const ownLabel = isLong ? "" : this.#text.slice(bracket.contentStart, at)
    if (isLong || !definitions.has(normalizeLabel(ownLabel))) return undefined
    if (after !== 91) return this.#completeLink(bracket, at, at + 1, labelTarget(ownLabel))
    // A following label, even an undefined one, prevents a shortcut reference.
    return this.#text.charCodeAt(at + 2) === 93
      ? this.#completeLink(bracket, at, at + 3, labelTarget(ownLabel))
      : undefined
  }

  #completeLink(bracket: Bracket, at: number, end: number, target: LinkTarget): number {
    this.#flush(at)
    const children = resolveEmphasis(this.#entries.splice(bracket.entryIndex).slice(1), this.#content, this.#depths)
    const range = this.#range(bracket.from, end)
    if (bracket.isImage) {
      const alt = plainText(children)
      this.#entries.push(
        "url" in target
          ? { type: "image", ...range, ...target, alt }
          : { type: "imageReference", ...range, ...target, alt }
      )
      return end
    }
    const link: Inline =
      "url" in target
        ? { type: "link", ...range, ...target, children }
        : { type: "linkReference", ...range, ...target, children }
    const depth = depthOf(children, this.#depths)
    if (depth > 1) this.#depths.set(link, depth)
    this.#entries.push(link)
    this.#inactiveBrackets = this.#brackets.length
    return end
  }

  /** Parses a footnote reference after a `!` that starts no image. */
  #footnoteIn(bracket: Bracket, at: number): number | undefined {
    if (!bracket.isImage || this.#text.charCodeAt(bracket.contentStart) !== 94) return undefined
    const isLong = at - bracket.contentStart > maxLabel
    const source = isLong ? "" : this.#text.slice(bracket.contentStart + 1, at)
    if (isLong || !this.#labels.footnotes.has(normalizeLabel(source))) return undefined
    this.#flush(at)
    this.#entries.length = bracket.entryIndex
    this.#appendSource(bracket.from, bracket.from + 1)
    return this.#footnoteFrom(bracket.from + 1, source)
  }
}

type LinkTarget =
  | { readonly url: string; readonly title?: string }
  | { readonly identifier: string; readonly label: string }

const labelTarget = (source: string): LinkTarget => ({ identifier: normalizeLabel(source), label: decodeText(source) })

/** Returns the position of an attribute list after an entry; undefined if the entry takes no attributes. */
const listPositionAfter = (entry: Entry): AttributeList.Position | undefined => {
  switch (entry.type) {
    case "image":
    case "imageReference":
    case "link":
    case "linkReference":
      return "afterLink"
    case "inlineCode":
    case "emoji":
      return "afterText"
    case "delimiter":
      return entry.closes && !entry.opens ? "afterText" : undefined
    default:
      return undefined
  }
}

const footnotePattern = /\[\^((?:[^\s[\]\\]|\\[[\\\]]|\\(?![[\\\]])){1,999})\]/y
