/** Renders headings, each with a link to itself. */
import * as HeadingDepth from "@lectern/document/markdown/HeadingDepth"
import { attributes, html, trusted } from "../html/Html.ts"
import * as Direction from "./Direction.ts"
import { renderInlines } from "./Inlines.ts"
import { renderNotes } from "./Annotations.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

/** Renders a heading at level 2 or deeper, since the page's title is the heading of level 1. */
export const heading: RenderBlock = (node, renderer) => {
  const depth = Math.max(2, HeadingDepth.depthOf(node) ?? 2)
  const id = node.meta?.id
  const align = node.data?.["align"]
  const name = trusted(`h${depth}`)
  const className = align === "center" || align === "end" ? `align-${align}` : undefined
  const anchor =
    id === undefined || renderer.linksHeadings === false
      ? undefined
      : html`<a class="anchor" href="#${encodeURIComponent(id)}" aria-label="${renderer.messages.linkToHeading}"></a>`
  return html`<${name}${attributes({ id, class: className, dir: Direction.directionOf(node.nodes, renderer.messages) })}>${renderInlines(node.nodes ?? [], renderer)}${anchor}</${name}>${renderNotes(node.nodes, renderer)}`
}
