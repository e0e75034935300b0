/**
 * Renders code blocks, with syntax highlighting once it is ready. Lines are elements only if a line is numbered,
 * highlighted or changed. An expandable block shows its first lines and a control for all lines, without a script.
 *
 * Code in the language `mermaid` is a diagram that a script renders (`lectern-diagram`). Without the script, it is
 * shown as code.
 */
import type { Block } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { attributes, each, type Html, html } from "../html/Html.ts"
import { blocksOf, textOf } from "./Nodes.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

const defaultLines = 10

/** Maximum characters of code with syntax highlighting. */
export const maxHighlighted = 50_000

/** Maximum characters of a diagram; a longer diagram is shown as code. */
const maxDiagram = 20_000

export const code: RenderBlock = (node, renderer) => {
  const figure = renderFigure(node, renderer)
  const { messages, rendersDiagrams } = renderer
  if (rendersDiagrams !== true || textOf(node.data?.["syntax"]).toLowerCase() !== "mermaid") return figure
  const length = blocksOf(node.nodes).reduce((sum, { nodes = [] }) => sum + DocumentText.inlinesText(nodes).length, 0)
  if (length === 0 || length > maxDiagram) return figure
  return html`<lectern-diagram data-label="${messages.diagram}" data-enlarge="${messages.enlarge}"><details class="diagram-source" open><summary>${messages.diagramSource}</summary>${figure}</details></lectern-diagram>`
}

const renderFigure: RenderBlock = ({ data, nodes }, { highlight, messages }) => {
  const lines = blocksOf(nodes)
  const syntax = textOf(data?.["syntax"])
  const code = codeText(lines)
  const highlightedLines = code === undefined ? undefined : highlight(code, syntax)
  const title = textOf(data?.["title"])
  const isNumbered = data?.["lineNumbers"] === true
  const lineClasses = (line: Block) => [
    line.data?.["highlighted"] === true && "marked",
    syntax === "diff" && changeClass(lineText(line))
  ]
  const hasLines = isNumbered || lines.some((line) => lineClasses(line).some(Boolean))
  const renderLines = (from: number, to?: number): Html =>
    each(lines.slice(from, to), (line, i) => {
      const content = highlightedLines?.[from + i] ?? html`${lineText(line)}`
      const classNames = ["line", ...lineClasses(line)].filter(Boolean).join(" ")
      return hasLines ? html`<span class="${classNames}">${content}${"\n"}</span>` : html`${content}${"\n"}`
    })
  const collapsedCount = collapsedLineCount(data?.["collapsedLineCount"])
  const isCollapsible = data?.["expandable"] === true && lines.length > collapsedCount
  const hiddenLines = isCollapsible && html`<span class="rest">${renderLines(collapsedCount)}</span>`
  const classNames = [
    "code",
    isNumbered && "numbered",
    hasLines && "lined",
    data?.["overflow"] === "wrap" && "wrapped",
    data?.["fullWidth"] === true && "wide"
  ]
  const name = title || syntax || messages.code
  return html`<figure${attributes({ class: classNames.filter(Boolean).join(" "), "data-syntax": syntax || undefined })}>${title !== "" && html`<figcaption>${title}</figcaption>`}<pre tabindex="0" role="group" aria-label="${name}"><code>${renderLines(0, isCollapsible ? collapsedCount : undefined)}${hiddenLines}</code></pre>${isCollapsible && html`<label class="more"><input type="checkbox"><span>${messages.showAll}</span></label>`}</figure>`
}

const lineText = ({ nodes = [] }: Block): string => DocumentText.inlinesText(nodes)

/** Returns the text of all lines; undefined if it is too long for syntax highlighting. */
const codeText = (lines: ReadonlyArray<Block>): string | undefined => {
  const texts: Array<string> = []
  let length = -1
  for (const line of lines) {
    const text = lineText(line)
    length += text.length + 1
    if (length > maxHighlighted) return undefined
    texts.push(text)
  }
  return texts.join("\n")
}

const collapsedLineCount = (count: unknown): number =>
  typeof count === "number" && count >= 1 ? Math.min(Math.floor(count), 1_000) : defaultLines

/** Returns the change that a line of a diff states; undefined for other lines and for file headers. */
const changeClass = (line: string): "ins" | "del" | undefined => {
  if (line.startsWith("+") && !line.startsWith("+++")) return "ins"
  return line.startsWith("-") && !line.startsWith("---") ? "del" : undefined
}
