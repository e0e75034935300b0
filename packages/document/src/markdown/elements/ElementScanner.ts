/**
 * Splits the text of a file into parts: lines of Markdown, tags of elements, and statements. Code is never split.
 * Expressions, links in double brackets and tags within a line are converted in place (see `InlineScanner`).
 *
 * Components, statements and expressions are read in MDX. In other Markdown, only known components and `import` lines
 * are, because angle brackets and braces are text there.
 */
import { ScanBudget, statementsEnd } from "./Braces.ts"
import * as ElementNames from "./ElementNames.ts"
import { indentOf, type Part, type PartPosition } from "./ElementPart.ts"
import type { ElementTag } from "./ElementTag.ts"
import { InlineScanner } from "./InlineScanner.ts"
import type { Resolves } from "./Wikilinks.ts"

export interface ScanOptions {
  /** True for MDX. */
  readonly isMdx: boolean
  /** Returns true if a URL leads to a page or file of the folder. */
  readonly resolves: Resolves
}

const leadPattern = /[ \t]*(?:>[ \t]?[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)[ \t]*)*/y
const whiteSpace = /[ \t]*/y
const fencePattern = /(`{3,}|~{3,})([^`\n]*)$|(\$\$)[ \t]*$/
const statement = /(?:import|export)[ \t{*]/y
const directiveLine = /(:{3,})[ \t]*([a-z][a-z-]*)?[ \t]*(?=\n|$)/y
const closingDirective = /^[ \t>]*:{3,}[ \t]*$/gm
const importLine = /import[ \t]+(?:[\w*{}, \t$]+[ \t]from[ \t]+)?(?:"[^"\n]+"|'[^'\n]+')[ \t]*;?[ \t]*(?=\n|$)/y
const importedFile = /import[ \t]+([\w$]+)[ \t]+from[ \t]+["']([^"'\n]+)["']/g
/** Elements whose content is not Markdown. */
const rawStart = /<(pre|script|style)(?=[\s>])/iy

export class ElementScanner {
  readonly parts: Array<Part> = []
  readonly #text: string
  readonly #options: ScanOptions
  readonly #budget = new ScanBudget()
  /** Paths of imported files by name. */
  readonly imports = new Map<string, string>()
  readonly #inlines: InlineScanner
  #at: number
  #line: number
  /** Numbers of open tags by name. */
  readonly #openTags = new Map<string, number>()
  /** Offsets of the last occurrences of end markers. */
  readonly #lastOffsets = new Map<string, number>()
  /** Names of open directives, and the numbers of their colons. */
  readonly #openDirectives: Array<{ readonly name: string; readonly length: number }> = []
  /** Offset of the last line of colons. */
  #lastClosingDirective: number | undefined
  #isInList = false
  #isAfterBlank = true

  /** `from`: offset of the body. `line`: number of its first line. */
  constructor(text: string, from: number, line: number, options: ScanOptions) {
    this.#text = text
    this.#at = from
    this.#line = line
    this.#options = options
    this.#inlines = new InlineScanner(text, { ...options, imports: this.imports, budget: this.#budget })
  }

  scan(): ReadonlyArray<Part> {
    while (this.#at < this.#text.length) this.#readLine()
    return this.parts
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf("\n", at)
    return end === -1 ? this.#text.length : end
  }

  /** Adds the lines up to an offset unchanged. */
  #addVerbatim(end: number, isCode = false): void {
    let code: "start" | "rest" = "start"
    while (this.#at < end) {
      const lineEnd = this.#lineEnd(this.#at)
      const line = this.#text.slice(this.#at, lineEnd)
      const pattern = isCode && code === "start" ? leadPattern : whiteSpace
      pattern.lastIndex = 0
      const lead = pattern.exec(line)?.[0] ?? ""
      this.#add({ lead, startsLine: true }, { type: "text", text: line.slice(lead.length), ...(isCode && { code }) })
      code = "rest"
      this.#at = lineEnd + 1
      this.#line++
    }
  }

  #add(
    { lead, startsLine, lines = 1 }: Pick<PartPosition, "lead" | "startsLine"> & { readonly lines?: number },
    part: DistributiveOmit<Part, keyof PartPosition>
  ): void {
    this.parts.push({ ...part, lead, startsLine, from: this.#line, to: this.#line + lines })
  }

  #readLine(): void {
    const text = this.#text
    const lineEnd = this.#lineEnd(this.#at)
    leadPattern.lastIndex = this.#at
    let lead = leadPattern.exec(text)?.[0] ?? ""
    if (this.#at + lead.length > lineEnd) lead = text.slice(this.#at, lineEnd)
    const start = this.#at + lead.length
    if (start >= lineEnd) {
      this.#add({ lead, startsLine: true }, { type: "text", text: "" })
      this.#at = lineEnd + 1
      this.#line++
      this.#isAfterBlank = true
      return
    }
    if (/[-*+.)]/.test(lead)) this.#isInList = true
    else if (indentOf(lead) === 0) this.#isInList = false
    const isAfterBlank = this.#isAfterBlank
    this.#isAfterBlank = false
    const fence = fencePattern.exec(text.slice(start, Math.min(lineEnd, start + 2000)))
    if (fence !== null) {
      this.#addVerbatim(this.#fenceEnd(fence[1] ?? fence[3]!, lineEnd), true)
      return
    }
    if (this.#isIndentedCode(lead, isAfterBlank)) {
      this.#addVerbatim(lineEnd + 1)
      this.#isAfterBlank = true
      return
    }
    if (isAfterBlank && lead === "" && this.#addStatements(start)) return
    if (text.startsWith("<!--", start) || (!this.#options.isMdx && this.#isRaw(start))) {
      const end = this.#offsetOf(text.startsWith("<!--", start) ? "-->" : this.#rawEndTag(start), start)
      this.#addVerbatim(this.#lineEnd(end === -1 ? start : end) + 1)
      return
    }
    if (this.#addDirective(start, lineEnd, lead)) return
    this.#readParts(start, lineEnd, lead)
  }

  /** Adds a line that starts or ends a known directive. Returns false for other lines. */
  #addDirective(start: number, lineEnd: number, lead: string): boolean {
    directiveLine.lastIndex = start
    const [source, colons = "", name] = directiveLine.exec(this.#text) ?? []
    if (source === undefined) return false
    const open = this.#openDirectives.at(-1)
    const isEnd = name === undefined
    if (isEnd ? open === undefined || colons.length < open.length : !this.#isClosed(lineEnd)) return false
    const tag: ElementTag = {
      syntax: "directive",
      name: name ?? open!.name,
      kind: isEnd ? "close" : "open",
      attributes: new Map(),
      source: source.trimEnd(),
      end: start + source.length
    }
    const form = ElementNames.formOf(tag)
    if (form === undefined) return false
    if (isEnd) this.#openDirectives.pop()
    else this.#openDirectives.push({ name: tag.name, length: colons.length })
    this.#add({ lead, startsLine: true }, { type: "tag", tag, form })
    this.#isAfterBlank = true
    this.#at = lineEnd + 1
    this.#line++
    return true
  }

  /** Returns true if a line of colons follows. */
  #isClosed(from: number): boolean {
    this.#lastClosingDirective ??= Array.from(this.#text.matchAll(closingDirective)).at(-1)?.index ?? -1
    return this.#lastClosingDirective >= from
  }

  /** Returns the offset of the line after the closing fence. */
  #fenceEnd(fence: string, lineEnd: number): number {
    const character = fence[0] === "$" ? String.raw`\$` : fence[0]!
    const closing = new RegExp(`^[ \\t>]*${character}{${fence.length},}[ \\t]*$`)
    for (let at = lineEnd + 1; at < this.#text.length;) {
      const end = this.#lineEnd(at)
      if (end - at < 1000 && closing.test(this.#text.slice(at, end))) return end + 1
      at = end + 1
    }
    return this.#text.length
  }

  #isIndentedCode(lead: string, isAfterBlank: boolean): boolean {
    return !this.#options.isMdx && isAfterBlank && !this.#isInList && indentOf(lead) > 3 && this.#openTags.size === 0
  }

  #isRaw(at: number): boolean {
    rawStart.lastIndex = at
    return rawStart.test(this.#text)
  }

  #rawEndTag(at: number): string {
    rawStart.lastIndex = at
    return `</${rawStart.exec(this.#text)![1]!}`
  }

  /** Returns the offset of a text at or after an offset; -1 if the text does not follow. */
  #offsetOf(text: string, from: number): number {
    let last = this.#lastOffsets.get(text)
    if (last === undefined) {
      last = this.#text.lastIndexOf(text)
      this.#lastOffsets.set(text, last)
    }
    return last < from ? -1 : this.#text.indexOf(text, from)
  }

  /** Adds the statements at an offset. Returns false if no statement starts there. */
  #addStatements(start: number): boolean {
    const pattern = this.#options.isMdx ? statement : importLine
    pattern.lastIndex = start
    if (!pattern.test(this.#text)) return false
    const end = this.#options.isMdx ? statementsEnd(this.#text, start, this.#budget) : this.#lineEnd(start)
    const source = this.#text.slice(start, end)
    for (const [, name, path] of source.matchAll(importedFile)) this.imports.set(name!, path!)
    const lines = source.split("\n").length
    this.#add({ lead: "", startsLine: true, lines }, { type: "hidden", source: source.trimEnd() })
    this.#at = this.#lineEnd(end) + 1
    this.#line += lines
    // Several lines of imports may follow each other.
    this.#isAfterBlank = true
    return true
  }

  /** Reads a line, and further lines if a tag or an expression continues on them. */
  #readParts(start: number, firstLineEnd: number, lead: string): void {
    const text = this.#text
    let lineEnd = firstLineEnd
    let at = start
    let markdown = ""
    let startsLine = true
    let lines = 1
    const isHeading = text[start] === "#"
    const isRow = text[start] === "|"
    const flush = () => {
      if (markdown.trim() !== "") this.#add({ lead, startsLine, lines }, { type: "text", text: markdown })
      if (markdown.trim() !== "") startsLine = false
      markdown = ""
    }
    /** Moves after a tag or an expression. The last line may be another one then. */
    const moveTo = (end: number) => {
      const isOtherLine = end > lineEnd
      while (end > lineEnd) {
        lineEnd = this.#lineEnd(lineEnd + 1)
        lines++
      }
      if (isOtherLine) this.#inlines.startLine(end, lineEnd, isHeading)
      at = end
    }
    const isBlankAfter = (end: number) => /^[ \t]*$/.test(text.slice(end, Math.max(end, this.#lineEnd(end))))
    this.#inlines.startLine(start, lineEnd, isHeading)
    while (at < lineEnd) {
      const tag = isRow ? undefined : this.#inlines.tagAt(at)
      const isAtStart = markdown.trim() === ""
      if (tag !== undefined && this.#isBlockTag(tag, isAtStart, isBlankAfter(tag.end))) {
        flush()
        moveTo(tag.end)
        const form = ElementNames.formOf(tag)
        this.#add({ lead, startsLine, lines }, { type: "tag", tag, form })
        startsLine = false
        const count = this.#openTags.get(tag.name) ?? 0
        if (tag.kind === "open") this.#openTags.set(tag.name, count + 1)
        else if (tag.kind === "close" && count > 1) this.#openTags.set(tag.name, count - 1)
        else if (tag.kind === "close") this.#openTags.delete(tag.name)
        this.#isAfterBlank = true
        // White space after a tag is not part of the text that follows.
        while (text[at] === " " || text[at] === "\t") at++
        continue
      }
      const expressionEnd = isAtStart ? this.#inlines.blockExpressionEnd(at) : undefined
      if (expressionEnd !== undefined && isBlankAfter(expressionEnd)) {
        const hasLines = lead === "" && startsLine
        const source = text.slice(at, expressionEnd)
        moveTo(expressionEnd)
        this.#add(
          { lead, startsLine, lines },
          { type: "hidden", source: hasLines ? source : source.replace(/\s*\n\s*/g, " ") }
        )
        startsLine = false
        this.#isAfterBlank = true
        at = lineEnd
        continue
      }
      const inline = this.#inlines.read(at)
      markdown += inline.markdown
      moveTo(inline.end)
    }
    flush()
    // A line with white space only after its tags has no further part.
    if (startsLine) this.#add({ lead, startsLine, lines }, { type: "text", text: "" })
    this.#at = lineEnd + 1
    this.#line += lines
  }

  #isBlockTag(tag: NonNullable<ReturnType<InlineScanner["tagAt"]>>, isAtStart: boolean, isLast: boolean): boolean {
    if (tag.kind === "close" && this.#openTags.has(tag.name)) return true
    if (!isAtStart) return false
    const form = ElementNames.formOf(tag)
    if (form !== undefined) return tag.kind !== "close" && (isLast || !ElementNames.isInlineForm(form))
    if (tag.syntax === "shortcode") return isLast && !ElementNames.isReference(tag.name)
    if (!this.#options.isMdx) return false
    return ElementNames.isComponent(tag.name) ? isLast : ElementNames.isWrapper(tag.name) && tag.kind !== "close"
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
