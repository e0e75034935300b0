/**
 * Finds the content of a page that an import reports: markup of other programs that is not converted, and specs that
 * blocks reference.
 *
 * Limits: 100 locations of each kind of markup, 100 specs, 80 characters of markup, 2,000 characters between braces.
 */
import type { MarkupKind } from "@lectern/core/exchange/ImportReport"
import type { Data, Document, Node } from "@lectern/document/Document"
import * as HiddenSource from "@lectern/document/markdown/elements/HiddenSource"
import * as TextCut from "@lectern/document/Text"

export interface MarkupLocation {
  /** Line number from 1; absent if the text does not occur literally in the file, or elsewhere too, as in code. */
  readonly line?: number
  readonly text: string
}

export interface PageMarkup {
  readonly kind: MarkupKind
  readonly count: number
  readonly locations: ReadonlyArray<MarkupLocation>
}

export interface NamedSpec {
  readonly spec: string
  /** The URL that the block links to. */
  readonly url?: string
}

export interface PageFindings {
  readonly markup: ReadonlyArray<PageMarkup>
  readonly specs: ReadonlyArray<NamedSpec>
}

const maxLocations = 100
const maxSpecs = 100
const maxText = 80

const textPatterns: ReadonlyArray<readonly [kind: MarkupKind, pattern: RegExp]> = [
  ["directive", /^[ \t]*:{3,}[ \t]*[^\s:].*$/gm],
  ["template", /\{\{[^{}]{0,2000}\}\}|\{%[^{}%]{0,2000}%\}/g],
  ["wikilink", /!?\[\[[^[\]\n]{1,300}\]\]/g],
  ["callout", /^\[![a-z][\w-]{0,40}\][+-]?(?=\s|$)/gim],
  ["highlight", /(?<![=\w])==(?![\s=])[^=\n]{0,300}(?<!\s)==(?![=\w])/g],
  ["jsx", /^(?:import[ \t]+[\w*{'"][^\n]*['"];?|export[ \t]+(?:const|default|function)\b[^\n]*)$/gm]
]
/** Matches every text with a match of a pattern for text, and few others. Most texts have none. */
const candidate = /:::|\{[{%]|\[[[!]|==|^(?:import|export)[ \t]|<[A-Z]/m
const element = /<[A-Z][\w.]*(?=[\s/>])/g
/** A component whose attributes contain expressions in braces. It is not valid HTML and stays text. */
const component = /<[A-Z][\w.]*\s[^<>{}]{0,500}=\{/g

export const findingsOf = (document: Document, text: string): PageFindings => {
  const markup = new Map<MarkupKind, { count: number; readonly matches: Array<string> }>()
  const specs = new Map<string, NamedSpec>()
  const add = (kind: MarkupKind, match: string) => {
    const finding = markup.get(kind)
    if (finding === undefined) markup.set(kind, { count: 1, matches: [match] })
    else {
      finding.count++
      if (finding.matches.length < maxLocations) finding.matches.push(match)
    }
  }
  const addMatches = (kind: MarkupKind, pattern: RegExp, value: string) => {
    for (const [match] of value.matchAll(pattern)) add(kind, match)
  }
  const addTextMatches = (value: string) => {
    if (!candidate.test(value)) return
    for (const [kind, pattern] of textPatterns) addMatches(kind, pattern, value)
  }
  const addHtml = (html: string) => {
    const hiddenName = /^<!--(<[A-Z][\w.]*)/.exec(html)?.[1]
    if (hiddenName !== undefined) add("jsx", hiddenName)
    else if (html.startsWith("<!--{{")) add("shortcode", HiddenSource.restore(html))
    else if (!html.startsWith("<!--")) addMatches("jsx", element, html)
  }
  const pending: Array<Node> = document.nodes.toReversed()
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.object === "text") {
      for (const { marks, text: value } of node.leaves) {
        if (marks.some(({ type }) => type === "code")) continue
        addTextMatches(value)
        if (value.includes("<")) addMatches("jsx", component, value)
      }
      continue
    }
    if (node.type === "code") continue
    const { data = {} } = node
    if (typeof data["html"] === "string") addHtml(data["html"])
    else if (node.type === "verbatim" && typeof data["markdown"] === "string") addTextMatches(data["markdown"])
    for (const title of titlesIn(node)) addTextMatches(title)
    const spec = specOf(data)
    if (spec !== undefined && specs.size < maxSpecs) {
      const url = urlIn(node)
      const existing = specs.get(spec)
      if (existing === undefined || existing.url === undefined)
        specs.set(spec, { spec, ...(url !== undefined && { url }) })
    }
    const nodes = node.nodes ?? []
    for (let i = nodes.length - 1; i >= 0; i--) pending.push(nodes[i]!)
    if ("fragments" in node) for (const { nodes } of node.fragments ?? []) pending.push(...nodes.toReversed())
  }
  return {
    markup: Array.from(markup, ([kind, { count, matches }]) => ({
      kind,
      count,
      locations: locationsOf(text, matches)
    })),
    specs: [...specs.values()]
  }
}

/** Returns the column titles of a table. */
const titlesIn = ({ data, object, type }: Exclude<Node, { readonly object: "text" }>): ReadonlyArray<string> => {
  const definition = object === "block" && type === "table" ? data?.["definition"] : undefined
  if (typeof definition !== "object" || definition === null) return []
  return Object.values(definition as object).flatMap((column: unknown) => {
    const { title } = (column ?? {}) as { readonly title?: unknown }
    return typeof title === "string" ? [title] : []
  })
}

const specOf = ({ ref }: Data): string | undefined => {
  const { kind, spec } = (ref ?? {}) as { readonly kind?: unknown; readonly spec?: unknown }
  return kind === "openapi" && typeof spec === "string" ? spec : undefined
}

/** Returns the first web address that the fragments of a block link to. */
const urlIn = (block: Node): string | undefined => {
  if (!("fragments" in block)) return undefined
  const pendingNodes: Array<Node> = (block.fragments ?? []).flatMap(({ nodes }) => nodes)
  for (let node = pendingNodes.shift(); node !== undefined; node = pendingNodes.shift()) {
    if (node.object === "text") continue
    const ref = node.data?.["ref"] as { readonly kind?: unknown; readonly url?: unknown } | undefined
    if (ref?.kind === "url" && typeof ref.url === "string" && /^https?:/i.test(ref.url)) return ref.url
    pendingNodes.unshift(...(node.nodes ?? []))
  }
  return undefined
}

/**
 * Returns the locations of the matches of one kind, which are in the order of the text. If a text occurs more often than
 * it was matched, for example in code too, its matches have no line.
 */
const locationsOf = (text: string, matches: ReadonlyArray<string>): ReadonlyArray<MarkupLocation> => {
  const firstLines = matches.map((match) => match.trim().split("\n", 1)[0]!)
  const pendingLines = new Map<string, Array<number>>()
  for (const [first, { length }] of Map.groupBy(firstLines, (first) => first)) {
    const offsets = offsetsOf(text, first, length + 1)
    pendingLines.set(first, offsets.length === length ? linesAt(text, offsets) : [])
  }
  return firstLines.map((first) => {
    const line = pendingLines.get(first)!.shift()
    return { text: TextCut.truncate(first, maxText), ...(line !== undefined && { line }) }
  })
}

/** Returns up to `max` offsets of a match in a text. */
const offsetsOf = (text: string, match: string, max: number): ReadonlyArray<number> => {
  const offsets: Array<number> = []
  // The match of an element ends with its name, which may also start a longer name.
  const isElement = /^<[\w.]+$/.test(match)
  for (let at = text.indexOf(match); at !== -1 && offsets.length < max; at = text.indexOf(match, at + match.length))
    if (!isElement || !/[\w.]/.test(text[at + match.length] ?? "")) offsets.push(at)
  return offsets
}

/** Returns the line numbers at ascending offsets. */
const linesAt = (text: string, offsets: ReadonlyArray<number>): Array<number> => {
  let line = 1
  let end = text.indexOf("\n")
  return offsets.map((offset) => {
    for (; end !== -1 && end < offset; end = text.indexOf("\n", end + 1)) line++
    return line
  })
}
