/**
 * Writes parts as Lectern's Markdown. An element becomes the block of its form (see `ElementForm`) if its content is
 * valid in this block. Otherwise its content stays, and its tags become comments.
 */
import { quoteStyle } from "../dialect/Dialects.ts"
import { commonStyles } from "../dialect/HintStyles.ts"
import * as TagLine from "../TagLine.ts"
import * as CardsTable from "./CardsTable.ts"
import { ConvertedLines, type LineRange } from "./ConvertedLines.ts"
import * as ElementNames from "./ElementNames.ts"
import { continuedLead } from "./ElementPart.ts"
import { type ElementTag, hasFlag, textAttribute } from "./ElementTag.ts"
import {
  type Element,
  type ElementNode,
  firstLine,
  isBlank,
  isInvisible,
  onlyElements,
  rangeOf
} from "./ElementTree.ts"
import * as FencedCode from "./FencedCode.ts"
import * as HiddenSource from "./HiddenSource.ts"
import { Indentation } from "./Indentation.ts"
import { htmlTag } from "./InlineScanner.ts"
import { figureHtml, linkUrl, pictureHtml } from "./Pictures.ts"
import { escapeText } from "../HtmlTree.ts"
import { escapeLine } from "./PlainLine.ts"

export interface OutputOptions {
  /** Lines of the file. */
  readonly sourceLines: ReadonlyArray<string>
  /** Returns the path of the reusable content that a component displays. */
  readonly includeOf: (name: string) => string | undefined
}

const titleNames = ["title", "label", "name", "header", "heading", "summary"] as const

export class ElementOutput extends ConvertedLines {
  readonly #options: OutputOptions

  constructor(options: OutputOptions) {
    super()
    this.#options = options
  }

  write(nodes: ReadonlyArray<ElementNode>, indentation: Indentation): void {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i]!
      if (node.type === "element") this.#element(node, indentation)
      else if (node.type === "hidden") {
        this.push(indentation.leadOf(node) + HiddenSource.comment(node.source), node)
      } else if (node.code === "start") i = this.#code(nodes, i, indentation)
      else this.push(isBlank(node) ? indentation.blank(node) : indentation.leadOf(node) + node.text, node)
    }
  }

  /** Writes fenced code, with the title that its first line states. Returns the index of its last line. */
  #code(nodes: ReadonlyArray<ElementNode>, from: number, indentation: Indentation): number {
    const to = FencedCode.endOf(nodes, from)
    const first = nodes[from]!
    if (first.type !== "text") return from
    const lead = indentation.leadOf(first)
    const title = FencedCode.namedTitle(first.text)
    if (title !== undefined) this.#tag(lead, "code", { title }, { from: first.from, to: first.from })
    for (let i = from; i < to; i++) {
      const line = nodes[i]!
      if (line.type !== "text") continue
      const ownLead =
        i === from && title !== undefined ? continuedLead(lead) : i === from ? lead : indentation.codeLead(line.lead)
      this.push(ownLead + (i === from && title !== undefined ? FencedCode.withoutTitle(line.text) : line.text), line)
    }
    const { to: end } = this.lines.at(-1)!
    if (title !== undefined) this.#tag(continuedLead(lead), "endcode", {}, { from: end, to: end })
    return to - 1
  }

  #tag(
    lead: string,
    name: string,
    attributes: { readonly [name: string]: string | undefined },
    range: LineRange
  ): void {
    const values = Object.entries(attributes).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value] as const]
    )
    this.push(lead + TagLine.print({ name, attributes: values }), range)
  }

  #element(element: Element, indentation: Indentation): void {
    const { children, open } = element
    const { form, tag } = open
    const lead = indentation.leadOf(open, "tag")
    if (form !== undefined && isUnclosed(element)) return this.#comment(open, lead, false)
    const kind = form?.kind
    switch (kind) {
      case undefined:
        return this.#unknown(element, lead, indentation)
      case "hint":
        return this.#block(element, lead, indentation, "hint", { style: styleOf(tag, form?.style) })
      case "tabs":
      case "steps":
      case "columns":
        return this.#group(element, lead, indentation)
      case "tab":
      case "step":
      case "column":
        return this.#titled(element, lead, indentation)
      case "details":
        return this.#details(element, lead, indentation)
      case "cards":
      case "card":
        return this.#cards(element, lead, indentation)
      case "codes":
        return this.#codes(element, lead, indentation)
      case "code":
        return this.#codeElement(element, lead, indentation)
      case "frame":
      case "image":
        return this.#picture(element, lead, indentation)
      case "field":
        return this.#field(element, lead, indentation)
      case "link":
        return this.#link(element, lead, indentation)
      case "embed":
        return this.#embed(element, lead)
      case "update":
        this.separate(lead)
        this.push(`${lead}## ${escapeLine(titleOf(tag) ?? "Update")}`, open)
        this.separate(lead)
        return this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
      case "group":
        return this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
      case "hidden":
        return
    }
  }

  /** Writes an element as a tag with its content. The title precedes the content. */
  #block(
    element: Element,
    lead: string,
    indentation: Indentation,
    name: string,
    attributes: { readonly [name: string]: string | undefined },
    heading?: string
  ): void {
    const { close, open } = element
    this.#tag(lead, name, attributes, open)
    const inner = continuedLead(lead)
    const title = heading ?? (name === "hint" && titleOf(open.tag) !== undefined ? boldTitle(open.tag) : undefined)
    if (title !== undefined) {
      this.push(inner + title, open)
      this.separate(inner)
    }
    this.write(element.children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    this.#tag(inner, `end${name}`, {}, close ?? { from: open.to, to: open.to })
  }

  #group(element: Element, lead: string, indentation: Indentation): void {
    const { children, close, open } = element
    const [name, item] = groupTags[open.form!.kind as keyof typeof groupTags]
    const items = onlyElements(children, item)
    if (items === undefined || items.some(isUnclosed)) {
      if (onlyElements(children, "card") !== undefined) return this.#cards(element, lead, indentation)
      return this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    }
    const inner = indentation.inner(continuedLead(lead), firstLine(element.children))
    this.#tag(lead, name, {}, open)
    const shown = items.filter(({ open }) => !hasFlag(open.tag, "disabled"))
    shown.forEach((one, i) => {
      const itemLead = inner.leadOf(one.open, "tag")
      if (item === "tab") {
        if (isCodeTab(one, open.tag)) return this.#codeTab(one, itemLead)
        const title = tabTitle(one.open.tag, open.tag, i)
        return this.#block(one, itemLead, inner, "tab", { title })
      }
      const title = item === "step" ? titleOf(one.open.tag) : undefined
      this.#block(one, itemLead, inner, item, {}, title === undefined ? undefined : `### ${escapeLine(title)}`)
    })
    this.#tag(continuedLead(lead), `end${name}`, {}, close ?? { from: open.to, to: open.to })
  }

  /** Writes an item outside of its group: its title in bold, and its content. */
  #titled(element: Element, lead: string, indentation: Indentation): void {
    const { children, open } = element
    if (titleOf(open.tag) !== undefined) {
      this.separate(lead)
      this.push(lead + boldTitle(open.tag), open)
      this.separate(lead)
    }
    this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
  }

  #details(element: Element, lead: string, indentation: Indentation): void {
    const { children, close, open } = element
    const inner = continuedLead(lead)
    this.separate(lead)
    const isOpen = hasFlag(open.tag, "defaultOpen") || hasFlag(open.tag, "open")
    this.push(`${lead}<details${isOpen ? " open" : ""}>`, open)
    this.push(`${inner}<summary>${escapeText(titleOf(open.tag) ?? "Details")}</summary>`, open)
    this.separate(inner)
    this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    this.separate(inner)
    this.push(`${inner}</details>`, close ?? { from: open.to, to: open.to })
  }

  #cards(element: Element, lead: string, indentation: Indentation): void {
    const { children, open } = element
    const cards = open.form?.kind === "card" ? [element] : onlyElements(children, "card")
    const table = cards && CardsTable.write(cards)
    if (table !== undefined) {
      this.separate(lead)
      this.push(lead + table, rangeOf(element))
      this.separate(lead)
      return
    }
    if (open.form?.kind !== "card")
      return this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    const title = titleOf(open.tag)
    const url = linkUrl(open.tag)
    if (title !== undefined) {
      this.separate(lead)
      const text = escapeLine(title)
      this.push(lead + (url === undefined ? `**${text}**` : `**[${text}](<${url}>)**`), open)
      this.separate(lead)
    }
    this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
  }

  /** Writes a group of code blocks as tabs. */
  #codes(element: Element, lead: string, indentation: Indentation): void {
    const { children, close, open } = element
    const isCode = (node: ElementNode) =>
      isInvisible(node) ||
      (node.type === "text" && node.code !== undefined) ||
      (node.type === "element" && node.open.form?.kind === "code")
    const hasCode = children.some((node) => !isInvisible(node))
    if (!hasCode || !children.every(isCode))
      return this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    const inner = indentation.inner(continuedLead(lead), firstLine(element.children))
    const innerLead = continuedLead(lead)
    this.#tag(lead, "tabs", {}, open)
    for (let i = 0; i < children.length; i++) {
      const child = children[i]!
      if (isInvisible(child)) continue
      const isElement = child.type === "element"
      const { from } = isElement ? child.open : child
      const title = isElement
        ? titleOf(child.open.tag)
        : child.type === "text"
          ? FencedCode.title(child.text)
          : undefined
      this.#tag(innerLead, "tab", { title: title ?? "Code" }, { from, to: from })
      if (isElement) this.write(child.children, inner.inner(innerLead, firstLine(child.children)))
      else {
        const end = FencedCode.endOf(children, i)
        for (const line of children.slice(i, end)) {
          if (line.type !== "text") continue
          const isFirst = line === child
          this.push(
            (isFirst ? inner.leadOf(line) : inner.codeLead(line.lead)) +
              (isFirst ? FencedCode.withoutTitle(line.text) : line.text),
            line
          )
        }
        i = end - 1
      }
      const { to } = this.lines.at(-1)!
      this.#tag(innerLead, "endtab", {}, { from: to, to })
    }
    this.#tag(innerLead, "endtabs", {}, close ?? { from: open.to, to: open.to })
  }

  /** Writes a code block, whose content is code, or fenced code, or a value of the tag. */
  #codeElement(element: Element, lead: string, indentation: Indentation): void {
    const { children, open } = element
    const { tag } = open
    const title = textAttribute(tag, "title", "filename")
    const hasFence = children.some((node) => node.type === "text" && node.code === "start")
    const value = tag.attributes.get("code")
    if (title !== undefined) this.#tag(lead, "code", { title }, open)
    if (hasFence)
      this.write(
        children.filter((node) => !isBlank(node)),
        indentation.inner(continuedLead(lead), firstLine(element.children))
      )
    else
      this.#fence(
        element,
        title === undefined ? lead : continuedLead(lead),
        typeof value === "string" ? value : undefined
      )
    const { to } = this.lines.at(-1)!
    if (title !== undefined) this.#tag(continuedLead(lead), "endcode", {}, { from: to, to })
  }

  /** Writes the source between the tags of an element as fenced code. */
  #fence(element: Element, lead: string, value?: string): void {
    const { close, open } = element
    const range = rangeOf(element)
    const lines = value === undefined ? FencedCode.sourceBetween(element, this.#options.sourceLines) : value.split("\n")
    const language = textAttribute(open.tag, "lang", "language", "0") ?? ""
    const fence = FencedCode.fenceFor(lines)
    const inner = continuedLead(lead)
    this.push(`${lead}${fence}${/^[\w+#.-]*$/.test(language) ? language : ""}`, range)
    for (const line of lines) this.push(inner + line, range)
    this.push(inner + fence, close === undefined ? range : range)
  }

  #codeTab(element: Element, lead: string): void {
    const { open } = element
    this.#tag(
      lead,
      "tab",
      { title: titleOf(open.tag) ?? textAttribute(open.tag, "0", "lang") ?? "Code" },
      rangeOf(element)
    )
    this.#fence(element, continuedLead(lead))
    this.#tag(continuedLead(lead), "endtab", {}, rangeOf(element))
  }

  #picture(element: Element, lead: string, indentation: Indentation): void {
    const { children, open } = element
    const caption = textAttribute(open.tag, "caption")
    const image = open.form?.kind === "image" ? pictureHtml(open.tag) : CardsTable.onlyPicture(children)
    if (image === undefined) {
      if (open.form?.kind === "image" && element.close === undefined) return this.#comment(open, lead, true)
      this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
      if (caption !== undefined) {
        this.separate(lead)
        this.push(lead + escapeLine(caption), { from: open.from, to: open.from })
        this.separate(lead)
      }
      return
    }
    this.separate(lead)
    const title = open.tag.syntax === "shortcode" ? textAttribute(open.tag, "title") : undefined
    this.push(lead + figureHtml(image, caption ?? title), rangeOf(element))
    this.separate(lead)
  }

  #field(element: Element, lead: string, indentation: Indentation): void {
    const { children, open } = element
    const { tag } = open
    const name = textAttribute(tag, "name", "path", "query", "body", "header", "param")
    const type = textAttribute(tag, "type")
    const defaultValue = textAttribute(tag, "default")
    const code = (text: string) => `\`${text.replaceAll("`", "'")}\``
    const parts = [
      name === undefined ? undefined : `**${code(name)}**`,
      type === undefined ? undefined : code(type),
      hasFlag(tag, "required") ? "*required*" : undefined,
      hasFlag(tag, "deprecated") ? "*deprecated*" : undefined,
      defaultValue === undefined ? undefined : `*default:* ${code(defaultValue)}`
    ].filter((part) => part !== undefined)
    this.separate(lead)
    this.push(lead + parts.join(" "), open)
    this.separate(lead)
    this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    this.separate(lead)
  }

  #link(element: Element, lead: string, indentation: Indentation): void {
    const { children, open } = element
    const url = linkUrl(open.tag)
    const texts = children.filter((node) => !isBlank(node))
    const text =
      texts.length === 0
        ? escapeLine(textAttribute(open.tag, "text", "title", "label") ?? "")
        : texts.every((node) => node.type === "text" && node.code === undefined && !/\S/.test(node.lead))
          ? texts.map((node) => (node.type === "text" ? node.text.trim() : "")).join(" ")
          : ""
    if (url === undefined || text === "")
      return this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    this.separate(lead)
    this.push(`${lead}[${text}](<${url}>)`, rangeOf(element))
    this.separate(lead)
  }

  #embed({ open }: Element, lead: string): void {
    const id = textAttribute(open.tag, "id", "0")
    const base = open.form?.url
    if (id === undefined || base === undefined) return this.#comment(open, lead, false)
    this.#tag(lead, "embed", { url: base + id }, open)
  }

  /** Writes an element of HTML, or an element that no dialect has. */
  #unknown(element: Element, lead: string, indentation: Indentation): void {
    const { children, close, open } = element
    const { tag } = open
    const inner = continuedLead(lead)
    if (ElementNames.isWrapper(tag.name) && tag.syntax === "component") {
      if (tag.kind === "close") return this.push(`${lead}</${tag.name}>`, open)
      this.separate(lead)
      this.push(
        lead + (tag.name === "details" ? `<details${hasFlag(tag, "open") ? " open" : ""}>` : htmlTag(tag)),
        open
      )
      this.separate(inner)
      this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
      this.separate(inner)
      if (close !== undefined || tag.kind === "selfClosing") this.push(`${inner}</${tag.name}>`, close ?? open)
      this.separate(inner)
      return
    }
    const path = tag.kind === "close" || tag.syntax === "shortcode" ? undefined : this.#options.includeOf(tag.name)
    if (path !== undefined)
      return this.push(lead + TagLine.print({ name: "include", argument: path, attributes: [] }), open)
    this.#comment(open, lead, tag.name === "")
    this.write(children, indentation.inner(continuedLead(lead), firstLine(element.children)))
    if (close !== undefined) this.#comment(close, inner, true)
  }

  #comment(part: Element["open"], lead: string, isKnown: boolean): void {
    this.push(lead + HiddenSource.comment(part.tag.source.replace(/\s*\n\s*/g, " "), isKnown), part)
  }
}

/** Returns true for a component whose end is missing. A shortcode may have no end. */
const isUnclosed = ({ close, open: { tag } }: Element): boolean =>
  tag.kind === "open" && close === undefined && tag.syntax === "component"

const groupTags = { tabs: ["tabs", "tab"], steps: ["stepper", "step"], columns: ["columns", "column"] } as const

const titleOf = (tag: ElementTag): string | undefined =>
  textAttribute(tag, ...titleNames) ??
  (tag.syntax === "shortcode" ? textAttribute(tag, "0" in styleNamed(tag) ? "1" : "0") : undefined)

/** Returns the first value of a shortcode if it names a style, so that the second is the title. */
const styleNamed = (tag: ElementTag): { readonly 0?: string } => {
  const first = textAttribute(tag, "0")
  return first !== undefined && styleByName(first) !== undefined ? { 0: first } : {}
}

const boldTitle = (tag: ElementTag): string => `**${escapeLine(titleOf(tag) ?? "")}**`

const styleByName = (name: string): string | undefined =>
  commonStyles.get(name.toLowerCase()) ?? quoteStyle(name.toLowerCase()) ?? otherStyles.get(name.toLowerCase())

/** Colors and names that programs use for styles. */
const otherStyles = new Map([
  ["primary", "info"],
  ["secondary", "info"],
  ["default", "info"],
  ["launch", "info"],
  ["emerald", "success"],
  ["green", "success"],
  ["yellow", "warning"],
  ["amber", "warning"],
  ["red", "danger"]
])

const styleOf = (tag: ElementTag, fixed: string | undefined): string => {
  const named = textAttribute(tag, "type", "kind", "style", "color", "intent", "variant", "status", "level", "0")
  return fixed ?? (named === undefined ? undefined : styleByName(named)) ?? "info"
}

/** Returns the title of a tab, which may be in a list of the group. */
const tabTitle = (tag: ElementTag, group: ElementTag, index: number): string => {
  const value = textAttribute(tag, "value")
  const items = group.attributes.get("values") ?? group.attributes.get("items")
  const list: ReadonlyArray<unknown> = Array.isArray(items) ? items : typeof items === "string" ? items.split(",") : []
  const entries = list.map((item) =>
    typeof item === "object" && item !== null
      ? (item as { readonly label?: unknown; readonly value?: unknown })
      : { label: item, value: item }
  )
  const byValue = value === undefined ? undefined : entries.find((entry) => entry.value === value)
  const listed = (byValue ?? entries[index])?.label
  const title = titleOf(tag) ?? (typeof listed === "string" ? listed.trim() : undefined) ?? value
  return title ?? `Tab ${index + 1}`
}

/** Returns true for a tab of code: a shortcode whose content is not Markdown. */
const isCodeTab = ({ open: { tag } }: Element, group: ElementTag): boolean =>
  tag.syntax === "shortcode" &&
  group.name === "tabpane" &&
  tag.source.startsWith("{{<") &&
  !hasFlag(tag, "text") &&
  !hasFlag(group, "text")
