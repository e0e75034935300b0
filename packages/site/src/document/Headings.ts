/** Renders headings, each with a link to itself. */
import * as HeadingDepth from "@lectern/document/markdown/HeadingDepth"
import { attributes, html, trusted } from "../html/Html.ts"
import * as Direction from "./Direction.ts"
import { inlines } from "./Inlines.ts"
import { notesOf } from "./Annotations.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

/** Renders a heading at level 2 or deeper, since the page's title is the heading of level 1. */
export const heading: RenderBlock = (node, rendering) => {
  const depth = Math.max(2, HeadingDepth.of(node) ?? 2)
  const id = node.meta?.id
  const align = node.data?.["align"]
  const name = trusted(`h${depth}`)
  const look = align === "center" || align === "end" ? `align-${align}` : undefined
  const self =
    id === undefined || rendering.linksHeadings === false
      ? undefined
      : html`<a class="anchor" href="#${encodeURIComponent(id)}" aria-label="${rendering.words.linkToHeading}"></a>`
  return html`<${name}${attributes({ id, class: look, dir: Direction.of(node.nodes, rendering.words) })}>${inlines(node.nodes ?? [], rendering)}${self}</${name}>${notesOf(node.nodes, rendering)}`
}
