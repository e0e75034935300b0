/** Contents of a book: its pages with their page numbers, which are drawn after all pages are laid out. */
import type { LocalizedMessages } from "@lectern/site/page/LocalizedMessages"
import type { BookHead } from "./PdfMessages.ts"
import { colors, contentWidth, headingSizes, paper } from "./PageStyle.ts"
import type { Element } from "./Element.ts"
import type { Destinations } from "./Destinations.ts"
import { body } from "./Sheet.ts"
import type { Style } from "./Span.ts"
import { gap, type Strip, indented } from "./Strip.ts"
import type { Typesetter } from "./Typesetter.ts"

type Page = BookHead["pages"][number]

interface Entry {
  readonly page: Page
  readonly element: Element
  /** Position of the entry's page number: sheet, and height on it. */
  at?: { readonly sheet: number; readonly y: number }
}

/** Maximum depth of indentation. Deeper entries are indented as much as entries of this depth. */
const maxIndentedDepth = 3
const lineHeight = 17
/** Width reserved for page numbers, in points. */
const numberWidth = 40

export class Contents {
  readonly #typesetter: Typesetter
  readonly #destinations: Destinations
  readonly #words: LocalizedMessages
  readonly #element: Element
  #list: Element | undefined
  readonly #entries: Array<Entry> = []

  constructor(typesetter: Typesetter, destinations: Destinations, element: Element, words: LocalizedMessages) {
    this.#words = words
    this.#typesetter = typesetter
    this.#element = element
    this.#destinations = destinations
  }

  *opening(): Generator<Strip> {
    const style: Style = { ...body, size: headingSizes[0], bold: true }
    const element = this.#element.add("H1", { lang: this.#words.language })
    yield* this.#typesetter.set([{ text: this.#words.paper.contents, style }], {
      width: contentWidth,
      lineHeight: 30,
      element
    })
    yield gap(8)
  }

  /** Yields the lines of an entry, without its page number. `sheet` returns the number of the current sheet. */
  *entry(page: Page, sheet: () => number): Generator<Strip> {
    const element = (this.#list ??= this.#element.add("TOC")).add("TOCI").add("Reference").add("Link")
    const entry: Entry = { page, element }
    this.#entries.push(entry)
    const isTop = page.depth === 0 || page.type === "group"
    const style: Style = { ...body, bold: isTop }
    const indent = Math.min(page.depth, maxIndentedDepth) * 14
    const target = this.#destinations.target(page.id)!
    const width = contentWidth - indent - numberWidth
    const lines = [
      ...indented(this.#typesetter.set([{ text: titleOf(page), style }], { width, lineHeight, element }), indent)
    ]
    if (isTop) yield gap(5)
    for (const [i, strip] of lines.entries()) {
      yield {
        ...strip,
        draw: (x, y) => {
          strip.draw?.(x, y)
          this.#typesetter.link(target, x + indent, y, contentWidth - indent, strip.height, element, page.title)
          if (i === lines.length - 1) entry.at = { sheet: sheet(), y }
        }
      }
    }
  }

  /** Draws the number of the sheet on which each page starts. */
  number(numbers: ReadonlyMap<string, number>): void {
    const style: Style = { ...body, color: colors.muted }
    for (const { page, at, element } of this.#entries) {
      const number = numbers.get(page.id)
      if (at === undefined || number === undefined) continue
      this.#typesetter.doc.switchToPage(at.sheet - 1)
      const text = String(number)
      const x = paper.left + contentWidth - this.#typesetter.widthOf(text, style)
      const baseline = at.y + lineHeight / 2 + style.size * 0.35
      this.#typesetter.structure.drawInside(element, () => this.#typesetter.drawText(text, x, baseline, style))
    }
  }
}

/** Returns the title of a page, after its emoji. */
export const titleOf = ({ emoji, title }: Page): string =>
  emoji === undefined ? title : `${emojiText(emoji)} ${title}`

/** Converts the emoji of a page to text. It is a character, or its code points in hexadecimal, separated by `-`. */
const emojiText = (emoji: string): string =>
  /^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/i.test(emoji)
    ? emoji
        .split("-")
        .map((part) => String.fromCodePoint(Math.min(parseInt(part, 16), 0x10ffff)))
        .join("")
    : emoji
