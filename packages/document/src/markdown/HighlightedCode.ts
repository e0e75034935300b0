/**
 * Converts code with highlighted lines, which a fence cannot express: `<pre><code>` with highlighted lines in
 * `<strong>`, including their line ends. Only whole lines can be highlighted. Code with other elements stays HTML.
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
  const said = pre.name === "pre" ? HtmlTree.only(pre, attributes) : undefined
  if (said === undefined || code?.kind !== "element" || code.name !== "code" || rest.length > 0) return undefined
  const inner = HtmlTree.only(code, ["class"])
  const syntax = nameIn("language-", said.class)
  if (inner === undefined || syntax === undefined || syntax !== nameIn("lang-", inner.class)) return undefined
  const { "data-title": title, "data-overflow": overflow, "data-meta": meta } = said
  const lineNumbers = truth(said["data-line-numbers"])
  const fullWidth = truth(said["data-full-width"])
  const lines = linesOf(code)
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

const nameIn = (prefix: string, value: string | undefined): string | undefined =>
  value === undefined ? "" : value.startsWith(prefix) ? value.slice(prefix.length) : undefined

/** Returns the value of a boolean attribute. An attribute without a value is true. */
const truth = (value: string | undefined): boolean | undefined | "other" =>
  value === undefined ? undefined : value === "" || value === "true" ? true : value === "false" ? false : "other"

const linesOf = (code: HtmlTree.Element): ReadonlyArray<Line> | undefined => {
  let text = ""
  /** Offsets at which highlighting starts and ends, alternately. */
  const turns: Array<number> = []
  for (const child of code.children) {
    const isStrong = child.kind === "element" && child.name === "strong" && child.attributes.size === 0
    if (child.kind === "element" && !isStrong) return undefined
    const parts = child.kind === "text" ? [child] : child.children
    if (isStrong) turns.push(text.length)
    for (const part of parts) {
      if (part.kind !== "text") return undefined
      text += HtmlTree.decode(part.source)
    }
    if (isStrong) turns.push(text.length)
  }
  const lines: Array<Line> = []
  let from = 0
  let turn = 0
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const end = from + line.length
    // Skips highlighting that ended before this line or at its start.
    while (turn < turns.length && turns[turn + 1]! <= from) turn += 2
    const [begins = Infinity, ends = Infinity] = turns.slice(turn, turn + 2)
    const highlighted = begins <= from
    if (highlighted ? ends < end : begins < end) return undefined
    lines.push({ text: line, highlighted })
    from = end + 1
  }
  return lines
}

export const isHighlighted = ({ nodes }: Block): boolean =>
  nodes?.some((line) => line.object === "block" && line.data?.highlighted === true) === true

/** Returns the HTML of code, and the data that the HTML does not express. */
export const print = ({ data = {}, nodes = [] }: Block): { readonly html: string; readonly rest: Data } => {
  const { syntax, meta, title, overflow, lineNumbers, fullWidth, ...rest } = data
  const name = (prefix: string) => (typeof syntax === "string" && syntax !== "" ? prefix + syntax : undefined)
  const pre = HtmlTree.tag("pre", {
    class: name("language-"),
    "data-title": text(title),
    "data-overflow": text(overflow),
    "data-line-numbers": typeof lineNumbers === "boolean" ? String(lineNumbers) : undefined,
    "data-full-width": typeof fullWidth === "boolean" ? String(fullWidth) : undefined,
    "data-meta": text(meta)
  })
  let html = `${pre}${HtmlTree.tag("code", { class: name("lang-") })}`
  let open = false
  for (const line of nodes) {
    if (line.object !== "block") continue
    const highlighted = line.data?.highlighted === true
    if (highlighted !== open) html += highlighted ? "<strong>" : "</strong>"
    open = highlighted
    html += `${escaped(DocumentText.inlinesText(line.nodes ?? []))}\n`
  }
  return { html: `${html}${open ? "</strong>" : ""}</code></pre>`, rest }
}

const escaped = (value: string): string => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
