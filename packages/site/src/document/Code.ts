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

const usualLines = 10

/** Maximum characters of code with syntax highlighting. */
export const maxHighlighted = 50_000

/** Maximum characters of a diagram; a longer diagram is shown as code. */
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
  const syntax = textOf(data?.["syntax"])
  const code = codeOf(lines)
  const drawn = code === undefined ? undefined : highlighted(code, syntax)
  const title = textOf(data?.["title"])
  const isNumbered = data?.["lineNumbers"] === true
  const looksOf = (line: Block) => [
    line.data?.["highlighted"] === true && "marked",
    syntax === "diff" && changeOf(lineText(line))
  ]
  const hasLines = isNumbered || lines.some((line) => looksOf(line).some(Boolean))
  const show = (from: number, to?: number): Html =>
    each(lines.slice(from, to), (line, i) => {
      const content = drawn?.[from + i] ?? html`${lineText(line)}`
      const look = ["line", ...looksOf(line)].filter(Boolean).join(" ")
      return hasLines ? html`<span class="${look}">${content}${"\n"}</span>` : html`${content}${"\n"}`
    })
  const least = leastOf(data?.["collapsedLineCount"])
  const folds = data?.["expandable"] === true && lines.length > least
  const rest = folds && html`<span class="rest">${show(least)}</span>`
  const look = [
    "code",
    isNumbered && "numbered",
    hasLines && "lined",
    data?.["overflow"] === "wrap" && "wrapped",
    data?.["fullWidth"] === true && "wide"
  ]
  const name = title || syntax || words.code
  return html`<figure${attributes({ class: look.filter(Boolean).join(" "), "data-syntax": syntax || undefined })}>${title !== "" && html`<figcaption>${title}</figcaption>`}<pre tabindex="0" role="group" aria-label="${name}"><code>${show(0, folds ? least : undefined)}${rest}</code></pre>${folds && html`<label class="more"><input type="checkbox"><span>${words.showAll}</span></label>`}</figure>`
}

const lineText = ({ nodes = [] }: Block): string => DocumentText.ofInlines(nodes)

/** Returns the text of all lines; undefined if it is too long for syntax highlighting. */
const codeOf = (lines: ReadonlyArray<Block>): string | undefined => {
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

const leastOf = (count: unknown): number =>
  typeof count === "number" && count >= 1 ? Math.min(Math.floor(count), 1_000) : usualLines

/** Returns the change that a line of a diff states; undefined for other lines and for file headers. */
const changeOf = (line: string): "ins" | "del" | undefined => {
  if (line.startsWith("+") && !line.startsWith("+++")) return "ins"
  return line.startsWith("-") && !line.startsWith("---") ? "del" : undefined
}
