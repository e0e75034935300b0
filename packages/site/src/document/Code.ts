/**
 * Blocks of code: plain until their words are marked, and right either way. Lines are elements only where something
 * is said of one. A block that folds shows its first lines, and the rest on demand, without a script.
 *
 * Code in the language `mermaid` is a diagram: a script draws it (`lectern-diagram`), and it can be read without one.
 */
import * as DocumentText from "@lectern/document/DocumentText"
import { attributes, type Html, html } from "../html/Html.ts"
import { blocksOf, textOf } from "./Nodes.ts"
import type { RenderBlock } from "./Rendering.ts"

const usualLines = 10

/** Characters of a diagram; a longer one is code. */
const maxDiagram = 20_000

export const code: RenderBlock = (node, rendering) => {
  const figure = figureOf(node, rendering)
  const { words, drawsDiagrams } = rendering
  if (drawsDiagrams !== true || textOf(node.data?.["syntax"]).toLowerCase() !== "mermaid") return figure
  const length = blocksOf(node.nodes).reduce((sum, { nodes = [] }) => sum + DocumentText.ofInlines(nodes).length, 0)
  if (length === 0 || length > maxDiagram) return figure
  return html`<lectern-diagram data-label="${words.diagram}" data-enlarge="${words.enlarge}"><details class="diagram-source" open><summary>${words.diagramSource}</summary>${figure}</details></lectern-diagram>`
}

const figureOf: RenderBlock = ({ data, nodes }, { highlighted, words }) => {
  const lines = blocksOf(nodes)
  const texts = lines.map((line) => DocumentText.ofInlines(line.nodes ?? []))
  const syntax = textOf(data?.["syntax"])
  const drawn = highlighted(texts.join("\n"), syntax)
  const title = textOf(data?.["title"])
  const isNumbered = data?.["lineNumbers"] === true
  const looks = lines.map(({ data }, i) => [data?.["highlighted"] === true && "marked", changeOf(texts[i]!, syntax)])
  const hasLines = isNumbered || looks.some((look) => look.some(Boolean))
  const shown = lines.map((_, i): Html => {
    const content = drawn?.[i] ?? html`${texts[i]}`
    const look = ["line", ...looks[i]!].filter(Boolean).join(" ")
    return hasLines ? html`<span class="${look}">${content}${"\n"}</span>` : html`${content}${"\n"}`
  })
  const least = leastOf(data?.["collapsedLineCount"])
  const folds = data?.["expandable"] === true && lines.length > least
  const rest = folds && html`<span class="rest">${shown.slice(least)}</span>`
  const look = [
    "code",
    isNumbered && "numbered",
    hasLines && "lined",
    data?.["overflow"] === "wrap" && "wrapped",
    data?.["fullWidth"] === true && "wide"
  ]
  const name = title || syntax || words.code
  return html`<figure${attributes({ class: look.filter(Boolean).join(" "), "data-syntax": syntax || undefined })}>${title !== "" && html`<figcaption>${title}</figcaption>`}<pre tabindex="0" role="group" aria-label="${name}"><code>${folds ? shown.slice(0, least) : shown}${rest}</code></pre>${folds && html`<label class="more"><input type="checkbox"><span>${words.showAll}</span></label>`}</figure>`
}

const leastOf = (count: unknown): number =>
  typeof count === "number" && count >= 1 ? Math.min(Math.floor(count), 1_000) : usualLines

/** A change of a line, as a diff says it; those of headers are none. */
const changeOf = (line: string, syntax: string): "ins" | "del" | undefined => {
  if (syntax !== "diff") return undefined
  if (line.startsWith("+") && !line.startsWith("+++")) return "ins"
  return line.startsWith("-") && !line.startsWith("---") ? "del" : undefined
}
