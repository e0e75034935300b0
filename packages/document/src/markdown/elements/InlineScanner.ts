/**
 * Reads the content of a line with elements: escapes and code spans unchanged, tags, expressions, and links in double
 * brackets as Markdown.
 *
 * Limit: lines of more than 64 Ki characters stay unchanged.
 */
import { Code, readExpression } from "../../LiteralValue.ts"
import { hasWikilinks } from "../dialect/Dialects.ts"
import * as HtmlTree from "../HtmlTree.ts"
import { expressionEnd, type ScanBudget } from "./Braces.ts"
import * as ComponentTag from "./ComponentTag.ts"
import * as ElementNames from "./ElementNames.ts"
import { type ElementTag, textAttribute } from "./ElementTag.ts"
import * as HiddenSource from "./HiddenSource.ts"
import { linkUrl, pictureHtml } from "./Pictures.ts"
import * as ShortcodeTag from "./ShortcodeTag.ts"
import * as Wikilinks from "./Wikilinks.ts"

interface InlineOptions {
  readonly isMdx: boolean
  readonly resolves: Wikilinks.Resolves
  readonly imports: ReadonlyMap<string, string>
  readonly budget: ScanBudget
}

export interface InlineResult {
  readonly markdown: string
  readonly end: number
}

const maxLine = 64 * 1024
const special = /[\\`<{[!$]/g
const formula = /\$(?![\s$])(?=[^$\n]*[\\^_])[^$\n]{1,1000}(?<!\s)\$(?!\d)/y
/** The id of a heading, and a variable that other programs replace. */
const headingId = /\{(?:#[\w-]+|\/\*[ \t]*#?[^\s{}*]+[ \t]*\*\/)\}[ \t]*(?=\n|$)/y
const variable = /\{\{[ \t]*[\w.-]+[ \t]*\}\}|\{%/y
const summary = /<summary>([^]{0,2000}?)<\/summary>/y

export class InlineScanner {
  readonly #text: string
  readonly #options: InlineOptions
  #end = 0
  #isHeading = false
  #isLong = false
  /** Offsets of backtick runs of the line by length, in descending order. */
  #backticks = new Map<number, Array<number>>()
  #tag: { readonly at: number; readonly tag: ElementTag | undefined } | undefined

  constructor(text: string, options: InlineOptions) {
    this.#text = text
    this.#options = options
  }

  startLine(from: number, end: number, isHeading: boolean): void {
    this.#end = end
    this.#isHeading = isHeading
    this.#isLong = end - from > maxLine
    this.#backticks = new Map()
    if (this.#isLong) return
    const line = this.#text.slice(from, end)
    if (!line.includes("`")) return
    for (const { 0: run, index } of line.matchAll(/`+/g)) {
      const offsets = this.#backticks.get(run.length)
      if (offsets === undefined) this.#backticks.set(run.length, [from + index])
      else offsets.push(from + index)
    }
    for (const offsets of this.#backticks.values()) offsets.reverse()
  }

  /** Returns the tag at an offset. */
  tagAt(at: number): ElementTag | undefined {
    if (this.#tag?.at === at) return this.#tag.tag
    const tag = this.#isLong ? undefined : this.#readTag(at)
    this.#tag = { at, tag }
    return tag
  }

  #readTag(at: number): ElementTag | undefined {
    const text = this.#text
    const { budget, imports, isMdx } = this.#options
    if (text[at] === "{" && text[at + 1] === "{" && !isMdx) return ShortcodeTag.read(text, at, budget)
    if (text[at] !== "<") return undefined
    const tag = ComponentTag.read(text, at, imports, budget)
    if (tag === undefined || isMdx) return tag
    // Angle brackets are text in Markdown, unless they are those of a known component.
    return ElementNames.isComponent(tag.name) && ElementNames.formOf(tag) !== undefined ? tag : undefined
  }

  /** Returns the end of an expression that is a block of its own. */
  blockExpressionEnd(at: number): number | undefined {
    const text = this.#text
    if (!this.#options.isMdx || this.#isLong || text[at] !== "{") return undefined
    variable.lastIndex = at
    if (variable.test(text)) return undefined
    const end = expressionEnd(text, at, this.#options.budget)
    return end === -1 || literalText(text.slice(at + 1, end - 1)) !== undefined ? undefined : end
  }

  /** Returns the Markdown of the text at an offset, up to the next character that may start an element. */
  read(at: number): InlineResult {
    const text = this.#text
    if (this.#isLong) return { markdown: text.slice(at, this.#end), end: this.#end }
    switch (text[at]) {
      case "\\":
        return this.#verbatim(at, Math.min(at + 2, Math.max(this.#end, at + 1)))
      case "`":
        return this.#verbatim(at, this.#codeEnd(at))
      case "$": {
        formula.lastIndex = at
        return this.#verbatim(at, this.#options.isMdx && formula.test(text) ? formula.lastIndex : at + 1)
      }
      case "<":
        return this.#tagMarkdown(at)
      case "{":
        return this.#braces(at)
      case "!":
      case "[": {
        const link = hasWikilinks && !this.#options.isMdx ? Wikilinks.read(text, at, this.#options.resolves) : undefined
        return link ?? this.#verbatim(at, at + 1)
      }
    }
    special.lastIndex = at
    const next = special.exec(text)?.index ?? this.#end
    return this.#verbatim(at, Math.min(next, this.#end))
  }

  #verbatim(from: number, to: number): InlineResult {
    return { markdown: this.#text.slice(from, to), end: to }
  }

  /** Returns the end of the code span at an offset, or of its backticks if the span is not closed on the line. */
  #codeEnd(at: number): number {
    let after = at
    while (this.#text.charCodeAt(after) === 96) after++
    const offsets = this.#backticks.get(after - at) ?? []
    while (offsets.length > 0 && offsets.at(-1)! <= at) offsets.pop()
    const closing = offsets.at(-1)
    return closing === undefined ? after : closing + after - at
  }

  #tagMarkdown(at: number): InlineResult {
    const text = this.#text
    if (text.startsWith("<!--", at)) {
      const length = text.slice(at, this.#end).indexOf("-->")
      return this.#verbatim(at, at + (length === -1 ? 4 : length + 3))
    }
    summary.lastIndex = at
    const title = this.#options.isMdx ? summary.exec(text) : null
    if (title !== null && title[1]!.includes("\n")) {
      return { markdown: `<summary>${title[1]!.replace(/\s+/g, " ").trim()}</summary>`, end: summary.lastIndex }
    }
    const tag = this.tagAt(at)
    if (tag === undefined) return this.#verbatim(at, at + 1)
    return { markdown: this.#inlineTag(tag), end: tag.end }
  }

  #inlineTag(tag: ElementTag): string {
    const { kind, name, source } = tag
    const form = ElementNames.formOf(tag)
    if (form?.kind === "link") return kind === "close" ? "</a>" : `${HtmlTree.openTag("a", { href: linkUrl(tag) })}`
    if (form?.kind === "image" && kind !== "close") {
      const html = pictureHtml(tag)
      if (html !== undefined) return html
    }
    if (form !== undefined || name === "") return HiddenSource.comment(oneLine(source), true)
    if (tag.syntax === "shortcode" || ElementNames.isComponent(name)) return HiddenSource.comment(oneLine(source))
    const isClosedElement = kind === "selfClosing" && !ElementNames.isVoid(name)
    if (!isClosedElement && !source.includes("{")) return source
    return htmlTag(tag) + (isClosedElement ? `</${name}>` : "")
  }

  #braces(at: number): InlineResult {
    const text = this.#text
    const { budget, isMdx, resolves } = this.#options
    const tag = this.tagAt(at)
    if (tag !== undefined) {
      const path = ElementNames.isReference(tag.name) ? textAttribute(tag, "0", "path") : undefined
      return { markdown: path === undefined ? this.#inlineTag(tag) : referenceUrl(path, resolves), end: tag.end }
    }
    headingId.lastIndex = at
    variable.lastIndex = at
    if (!isMdx) return this.#verbatim(at, at + 1)
    if (variable.test(text)) return this.#verbatim(at, variable.lastIndex)
    if (this.#isHeading && headingId.test(text)) return this.#verbatim(at, headingId.lastIndex)
    const end = expressionEnd(text, at, budget)
    if (end === -1) return this.#verbatim(at, at + 1)
    const source = text.slice(at, end)
    return { markdown: literalText(source.slice(1, -1)) ?? HiddenSource.comment(oneLine(source)), end }
  }
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ")

const maxLiteral = 1000

/** Returns the Markdown of an expression that is a text or a number; undefined for any other expression. */
const literalText = (expression: string): string | undefined => {
  const source = expression.trim()
  if (source.length > maxLiteral || !/^["'`\d]/.test(source)) return undefined
  const value = readExpression(source)
  if (value instanceof Code || (typeof value !== "string" && typeof value !== "number")) return undefined
  return String(value)
    .replace(/\s*\n\s*/g, " ")
    .replace(/[\\`*_[\]<>|$~&{}#]/g, "\\$&")
}

/** Returns the URL of the page that a shortcode names. */
const referenceUrl = (path: string, resolves: Wikilinks.Resolves): string => {
  const [target = "", ...anchor] = path.split("#")
  const named = Wikilinks.nameScheme + path
  const url = target !== "" && resolves(named) ? named : [target, ...anchor].join("#")
  return url.replaceAll(" ", "%20")
}

/** Returns the start tag of an element of HTML, with the attributes whose values are literals. */
export const htmlTag = ({ attributes, name }: ElementTag): string =>
  HtmlTree.openTag(
    name,
    Object.fromEntries(
      Array.from(attributes).flatMap(([attribute, value]) => {
        const key = attribute === "className" ? "class" : attribute
        return value === true || typeof value === "string" || typeof value === "number" ? [[key, value] as const] : []
      })
    )
  )
