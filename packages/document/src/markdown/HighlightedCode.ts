/**
 * Converts code with highlighted lines, which a fence cannot express: `<pre><code>` with highlighted lines in
 * `<strong>`, including their line ends. Only whole lines can be highlighted. Code that contains elements other than
 * `<strong>` stays HTML.
 */
import type { Block, Data } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as HtmlTree from "./HtmlTree.ts"

export interface Line {
  readonly text: string
  readonly highlighted: boolean
}
export interface Code {
  readonly data: Data
  readonly lines: ReadonlyArray<Line>
}

const attributes = [
  "class",
  "data-title",
  "data-overflow",
  "data-line-numbers",
  "data-full-width",
  "data-meta"
] as const

/** Returns the code in HTML; undefined if the HTML is not code or has other content or attributes. */
export const parse = (html: string): Code | undefined => {
  if (!/^<pre[\s>]/.test(html)) return undefined
  const [pre, ...rest] = HtmlTree.parse(html.trimEnd()) ?? []
  return pre?.kind === "element" && rest.length === 0 ? read(pre) : undefined
}

/** Returns the code in an element; undefined in the same cases as `parse`. */
export const read = (pre: HtmlTree.Element): Code | undefined => {
  const [code, ...rest] = pre.children
  const values = pre.name === "pre" ? HtmlTree.knownAttributes(pre, attributes) : undefined
  if (values === undefined || code?.kind !== "element" || code.name !== "code" || rest.length > 0) return undefined
  const codeAttributes = HtmlTree.knownAttributes(code, ["class"])
  const syntax = languageIn("language-", values.class)
  if (codeAttributes === undefined || syntax === undefined || syntax !== languageIn("lang-", codeAttributes.class))
    return undefined
  const { "data-title": title, "data-overflow": overflow, "data-meta": meta } = values
  const lineNumbers = parseBoolean(values["data-line-numbers"])
  const fullWidth = parseBoolean(values["data-full-width"])
  const lines = readLines(code)
  if (lines === undefined || lineNumbers === "other" || fullWidth === "other") return undefined
  return {
    data: {
      ...(syntax === "" ? {} : { syntax }),
      ...(meta === undefined ? {} : { meta }),
      ...(title === undefined ? {} : { title }),
      ...(overflow === undefined ? {} : { overflow }),
      ...(lineNumbers === undefined ? {} : { lineNumbers }),
      ...(fullWidth === undefined ? {} : { fullWidth })
    },
    lines
  }
}

const languageIn = (prefix: string, value: string | undefined): string | undefined =>
  value === undefined ? "" : value.startsWith(prefix) ? value.slice(prefix.length) : undefined

/** Returns the value of a boolean attribute. An attribute without a value is true. */
const parseBoolean = (value: string | undefined): boolean | undefined | "other" =>
  value === undefined ? undefined : value === "" || value === "true" ? true : value === "false" ? false : "other"

const readLines = (code: HtmlTree.Element): ReadonlyArray<Line> | undefined => {
  let text = ""
  /** Offsets at which highlighting starts and ends, alternately. */
  const boundaries: Array<number> = []
  for (const child of code.children) {
    const isStrong = child.kind === "element" && child.name === "strong" && child.attributes.size === 0
    if (child.kind === "element" && !isStrong) return undefined
    const parts = child.kind === "text" ? [child] : child.children
    if (isStrong) boundaries.push(text.length)
    for (const part of parts) {
      if (part.kind !== "text") return undefined
      text += HtmlTree.decodeReferences(part.source)
    }
    if (isStrong) boundaries.push(text.length)
  }
  const lines: Array<Line> = []
  let from = 0
  let boundary = 0
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const lineEnd = from + line.length
    // Skips highlighting that ended before this line or at its start.
    while (boundary < boundaries.length && boundaries[boundary + 1]! <= from) boundary += 2
    const [start = Infinity, end = Infinity] = boundaries.slice(boundary, boundary + 2)
    const highlighted = start <= from
    if (highlighted ? end < lineEnd : start < lineEnd) return undefined
    lines.push({ text: line, highlighted })
    from = lineEnd + 1
  }
  return lines
}

export const isHighlighted = ({ nodes }: Block): boolean =>
  nodes?.some((line) => line.object === "block" && line.data?.highlighted === true) === true

/** Returns the HTML of code, and the data that the HTML does not express. */
export const print = ({ data = {}, nodes = [] }: Block): { readonly html: string; readonly otherData: Data } => {
  const { syntax, meta, title, overflow, lineNumbers, fullWidth, ...otherData } = data
  const name = (prefix: string) => (typeof syntax === "string" && syntax !== "" ? prefix + syntax : undefined)
  const pre = HtmlTree.openTag("pre", {
    class: name("language-"),
    "data-title": text(title),
    "data-overflow": text(overflow),
    "data-line-numbers": typeof lineNumbers === "boolean" ? String(lineNumbers) : undefined,
    "data-full-width": typeof fullWidth === "boolean" ? String(fullWidth) : undefined,
    "data-meta": text(meta)
  })
  let html = `${pre}${HtmlTree.openTag("code", { class: name("lang-") })}`
  let open = false
  for (const line of nodes) {
    if (line.object !== "block") continue
    const highlighted = line.data?.highlighted === true
    if (highlighted !== open) html += highlighted ? "<strong>" : "</strong>"
    open = highlighted
    html += `${escapeHtml(DocumentText.inlinesText(line.nodes ?? []))}\n`
  }
  return { html: `${html}${open ? "</strong>" : ""}</code></pre>`, otherData }
}

const escapeHtml = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
