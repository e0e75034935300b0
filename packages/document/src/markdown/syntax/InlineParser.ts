/**
 * Parses the inlines of a text: CommonMark, strikethrough, addresses and footnotes of GFM, formulas and emoji. Reads
 * the text once. A failed search for an end marker is not repeated.
 */
import * as Emoji from "../Emoji.ts"
import { normalise } from "../LinkReferences.ts"
import { Addresses } from "./Addresses.ts"
import * as AttributeList from "./AttributeList.ts"
import { decode, decodeOne, referenceAt } from "./CharacterReference.ts"
import { isAlphanumeric, isAsciiPunctuation, isSpace } from "./Characters.ts"
import { CodeSpans } from "./CodeSpans.ts"
import type { Content } from "./Content.ts"
import { type Bracket, delimiterAt, depthOf, type Depths, type Entry, pushInline, resolve } from "./Emphasis.ts"
import { addressOf, InlineHtml } from "./InlineHtml.ts"
import { InlineMath, valueOf } from "./InlineMath.ts"
import { LinkParts } from "./LinkParts.ts"
import { plainText } from "./PlainText.ts"
import type { Inline } from "./SyntaxTree.ts"

export interface Labels {
  readonly defined: ReadonlySet<string>
  readonly footnotes: ReadonlySet<string>
}

const maxLabel = 999

export interface ParsingContext {
  readonly isCell: boolean
  /** True in a heading, in which `HeadingId` parses the braces at the end. */
  readonly isHeading: boolean
  /** True to parse only CommonMark. */
  readonly isPlain: boolean
}

/** Returns a table with 1 for each character that may start an inline. */
const tableOf = (characters: string): Uint8Array => {
  const table = new Uint8Array(128)
  for (const character of characters) table[character.charCodeAt(0)] = 1
  return table
}
const plain = tableOf("\n\\`<&![]*_")
const special = tableOf("\n\\`<&![]*_~:${")

export class InlineParser {
  readonly #content: Content
  readonly #text: string
  readonly #labels: Labels
  readonly #isCell: boolean
  readonly #isHeading: boolean
  readonly #beginnings: Uint8Array
  readonly #entries: Array<Entry> = []
  readonly #brackets: Array<Bracket> = []
  /** Index in `#brackets` below which a `[` cannot open a link, since links do not nest. */
  #inVain = 0
  readonly #depths: Depths = new Map()
  readonly #addresses: Addresses
  readonly #code: CodeSpans
  readonly #html: InlineHtml
  readonly #math: InlineMath
  readonly #parts: LinkParts
  /**
   * `#plain`: text that is not yet an entry. `#plainFrom`: offset of its start. `#writtenFrom`: offset from which it
   * equals the source.
   */
  #plain = ""
  #plainFrom = 0
  #writtenFrom = 0

  constructor(content: Content, labels: Labels, { isCell, isHeading, isPlain }: ParsingContext) {
    this.#content = content
    this.#isCell = isCell
    this.#isHeading = isHeading
    this.#beginnings = isPlain ? plain : special
    this.#text = content.text
    this.#labels = labels
    this.#addresses = new Addresses(isPlain ? "" : this.#text)
    this.#code = new CodeSpans(this.#text)
    this.#html = new InlineHtml(this.#text)
    this.#math = new InlineMath(this.#text)
    this.#parts = new LinkParts(this.#text)
  }

  parse(from: number): ReadonlyArray<Inline> {
    const text = this.#text
    const addresses = this.#addresses
    const beginnings = this.#beginnings
    for (let at = from; at < text.length;) {
      if (addresses.next < at) addresses.seek(at)
      const stop = Math.min(text.length, addresses.next)
      let end = at
      while (end < stop) {
        const code = text.charCodeAt(end)
        if (code < 128 && beginnings[code] === 1) break
        end++
      }
      if (end > at) {
        this.#write(at, end)
        at = end
        if (at === text.length) break
      }
      if (at === addresses.next) {
        const after = this.#address(at)
        addresses.seek(after === -1 ? at : after)
        if (after !== -1) {
          at = after
          continue
        }
        if (beginnings[text.charCodeAt(at)] !== 1) {
          this.#write(at, ++at)
          continue
        }
      }
      at = this.#special(text.charCodeAt(at), at)
    }
    this.#flush(text.length)
    return resolve(this.#entries, this.#content, this.#depths)
  }

  /** Appends source text unchanged. */
  #write(from: number, to: number): void {
    if (this.#plain === "") this.#plainFrom = this.#writtenFrom = from
    this.#plain += this.#text.slice(from, to)
  }

  /** Appends text that differs from its source in `from` to `to`. Returns `to`. */
  #say(value: string, from: number, to: number): number {
    if (this.#plain === "") this.#plainFrom = from
    this.#plain += value
    this.#writtenFrom = to
    return to
  }

  #flush(to: number): void {
    if (this.#plain === "") return
    const value = this.#plain
    this.#plain = ""
    const from = this.#content.at(this.#plainFrom)
    pushInline(this.#entries, { type: "text", from, to: this.#content.at(to - 1) + 1, value })
  }

  #range(from: number, to: number): { readonly from: number; readonly to: number } {
    return { from: this.#content.at(from), to: this.#content.at(to - 1) + 1 }
  }

  #push(inline: Inline, from: number, to: number): number {
    this.#flush(from)
    this.#entries.push(inline)
    return to
  }

  /** Parses the inline at a special character. Returns the offset after it. */
  #special(code: number, at: number): number {
    switch (code) {
      case 10:
        return this.#lineEnd(at)
      case 92:
        return this.#escape(at)
      case 96:
        return this.#codeSpan(at)
      case 60:
        return this.#angle(at)
      case 38:
        return this.#reference(at)
      case 33:
        if (this.#text.charCodeAt(at + 1) === 91) return this.#open(at, true)
        break
      case 91:
        return this.#footnote(at) ?? this.#open(at, false)
      case 93:
        return this.#close(at)
      case 58:
        return this.#emoji(at)
      case 36:
        return this.#formula(at)
      case 123: {
        const end = this.#attributes(at)
        if (end !== undefined) return end
        break
      }
      default: {
        const delimiter = delimiterAt(this.#text, at)
        if (!delimiter.opens && !delimiter.closes) this.#write(at, delimiter.end)
        else {
          this.#flush(at)
          this.#entries.push(delimiter)
        }
        return delimiter.end
      }
    }
    this.#write(at, at + 1)
    return at + 1
  }

  #lineEnd(at: number): number {
    const text = this.#text
    const least = this.#plain === "" ? at : this.#writtenFrom
    let end = at
    let hasTab = false
    while (end > least && isSpace(text.charCodeAt(end - 1))) if (text.charCodeAt(--end) === 9) hasTab = true
    if (end < at) this.#plain = this.#plain.slice(0, end - at)
    if (at - end < 2 || hasTab) return this.#say("\n", at, at + 1)
    this.#flush(end)
    this.#entries.push({ type: "break", ...this.#range(end, at + 1) })
    return at + 1
  }

  #escape(at: number): number {
    const next = this.#text.charCodeAt(at + 1)
    if (next === 10) return this.#push({ type: "break", ...this.#range(at, at + 2) }, at, at + 2)
    if (isAsciiPunctuation(next)) return this.#say(this.#text.charAt(at + 1), at, at + 2)
    this.#write(at, at + 1)
    return at + 1
  }

  #codeSpan(at: number): number {
    const { length, end } = this.#code.at(at)
    if (end === -1) {
      this.#write(at, at + length)
      return at + length
    }
    const written = CodeSpans.valueOf(this.#text.slice(at + length, end - length))
    // Within a cell `|` is escaped also in code.
    const value = this.#isCell && written.includes("|") ? written.replaceAll("\\|", "|") : written
    return this.#push({ type: "inlineCode", ...this.#range(at, end), value }, at, end)
  }

  #angle(at: number): number {
    const address = addressOf(this.#text, at)
    if (address !== undefined) {
      const end = at + address.length
      const text: Inline = { type: "text", ...this.#range(at + 1, end - 1), value: address.text }
      return this.#push({ type: "link", ...this.#range(at, end), url: address.url, children: [text] }, at, end)
    }
    const end = this.#html.endOf(at)
    if (end === -1) {
      this.#write(at, at + 1)
      return at + 1
    }
    return this.#push({ type: "html", ...this.#range(at, end), value: this.#text.slice(at, end) }, at, end)
  }

  #reference(at: number): number {
    referenceAt.lastIndex = at
    const found = referenceAt.exec(this.#text)
    const value = found === null ? undefined : decodeOne(found[0])
    if (value !== undefined) return this.#say(value, at, at + found![0].length)
    this.#write(at, at + 1)
    return at + 1
  }

  #emoji(at: number): number {
    if (at === 0 || !isAlphanumeric(this.#text.charCodeAt(at - 1))) {
      emojiAt.lastIndex = at
      const name = emojiAt.exec(this.#text)?.[1]
      const value = name === undefined ? undefined : Emoji.codeOfName(name)
      if (value !== undefined) {
        const end = at + name!.length + 2
        return this.#push({ type: "emoji", ...this.#range(at, end), value, name: name! }, at, end)
      }
    }
    this.#write(at, at + 1)
    return at + 1
  }

  #formula(at: number): number {
    const end = this.#math.endOf(at)
    if (end === -1) {
      this.#write(at, at + 1)
      return at + 1
    }
    const value = valueOf(this.#text.slice(at, end))
    return this.#push({ type: "inlineMath", ...this.#range(at, end), value }, at, end)
  }

  /** Parses an attribute list that directly follows an inline. Returns its end. */
  #attributes(at: number): number | undefined {
    const last = this.#plain === "" ? this.#entries.at(-1) : undefined
    const form = last && formBehind(last)
    const found = form && AttributeList.at(this.#text, at, form)
    if (last === undefined || found === undefined) return undefined
    const { attributes, end } = found
    if (this.#isHeading && end === this.#text.length) return undefined
    if (last.type === "image" || last.type === "imageReference") {
      this.#entries[this.#entries.length - 1] = { ...last, attributes }
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
    footnoteAt.lastIndex = at
    const source = footnoteAt.exec(this.#text)?.[1]
    return source === undefined ? undefined : this.#footnoteFrom(at, source)
  }

  #footnoteFrom(at: number, source: string): number | undefined {
    const identifier = normalise(source)
    if (!this.#labels.footnotes.has(identifier)) return undefined
    const end = at + source.length + 3
    return this.#push(
      { type: "footnoteReference", ...this.#range(at, end), identifier, label: decode(source) },
      at,
      end
    )
  }

  #open(from: number, isImage: boolean): number {
    const inside = from + (isImage ? 2 : 1)
    this.#flush(from)
    const bracket: Bracket = { type: "bracket", isImage, from, inside, at: this.#entries.length }
    this.#brackets.push(bracket)
    this.#entries.push(bracket)
    return inside
  }

  #close(at: number): number {
    const bracket = this.#brackets.pop()
    if (bracket !== undefined) {
      const isInVain = !bracket.isImage && this.#brackets.length < this.#inVain
      this.#inVain = Math.min(this.#inVain, this.#brackets.length)
      const end = isInVain ? undefined : (this.#link(bracket, at) ?? this.#footnoteIn(bracket, at))
      if (end !== undefined) return end
    }
    this.#write(at, at + 1)
    return at + 1
  }

  /** Completes the link or image of a `]`. Returns the end of its target or label. */
  #link(bracket: Bracket, at: number): number | undefined {
    const { defined } = this.#labels
    const parts = this.#parts
    const after = this.#text.charCodeAt(at + 1)
    if (after === 40) {
      const end = parts.resource(at + 1)
      if (end !== -1) {
        const { destination: url, title } = parts
        return this.#finish(bracket, at, end, title === "" ? { url } : { url, title })
      }
    }
    if (defined.size === 0) return undefined
    if (after === 91) {
      const end = parts.label(at + 1)
      const source = end === -1 ? "" : this.#text.slice(at + 2, end - 1)
      if (end !== -1 && defined.has(normalise(source))) return this.#finish(bracket, at, end, labelled(source))
    }
    const isLong = at - bracket.inside > maxLabel
    const own = isLong ? "" : this.#text.slice(bracket.inside, at)
    if (isLong || !defined.has(normalise(own))) return undefined
    if (after !== 91) return this.#finish(bracket, at, at + 1, labelled(own))
    // A following label, even an undefined one, prevents a shortcut reference.
    return this.#text.charCodeAt(at + 2) === 93 ? this.#finish(bracket, at, at + 3, labelled(own)) : undefined
  }

  #finish(bracket: Bracket, at: number, end: number, target: Target): number {
    this.#flush(at)
    const children = resolve(this.#entries.splice(bracket.at).slice(1), this.#content, this.#depths)
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
    this.#inVain = this.#brackets.length
    return end
  }

  /** Parses a footnote reference after a `!` that starts no image. */
  #footnoteIn(bracket: Bracket, at: number): number | undefined {
    if (!bracket.isImage || this.#text.charCodeAt(bracket.inside) !== 94) return undefined
    const isLong = at - bracket.inside > maxLabel
    const source = isLong ? "" : this.#text.slice(bracket.inside + 1, at)
    if (isLong || !this.#labels.footnotes.has(normalise(source))) return undefined
    this.#flush(at)
    this.#entries.length = bracket.at
    this.#write(bracket.from, bracket.from + 1)
    return this.#footnoteFrom(bracket.from + 1, source)
  }
}

type Target =
  | { readonly url: string; readonly title?: string }
  | { readonly identifier: string; readonly label: string }

const labelled = (source: string): Target => ({ identifier: normalise(source), label: decode(source) })

/** Returns the accepted form of an attribute list after an entry; undefined if the entry takes no attributes. */
const formBehind = (entry: Entry): Parameters<typeof AttributeList.at>[2] | undefined => {
  switch (entry.type) {
    case "image":
    case "imageReference":
    case "link":
    case "linkReference":
      return "any"
    case "inlineCode":
    case "emoji":
      return "certain"
    case "delimiter":
      return entry.closes && !entry.opens ? "certain" : undefined
    default:
      return undefined
  }
}

const emojiAt = /:([a-z0-9_+-]{1,64}):/y
const footnoteAt = /\[\^((?:[^\s[\]\\]|\\[[\\\]]|\\(?![[\\\]])){1,999})\]/y
