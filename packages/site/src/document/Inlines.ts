/**
 * Renders the text of paragraphs, headings and cells as HTML. Each type of inline node and of mark has a renderer here.
 */
import type { Data, Inline, Leaf, Node } from "@lectern/document/Document"
import * as Emoji from "@lectern/document/markdown/Emoji"
import { type InlineType, isInlineType } from "@lectern/document/vocabulary/InlineTypes"
import { isMarkType, type MarkType } from "@lectern/document/vocabulary/MarkTypes"
import { each, empty, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Elements from "./Elements.ts"
import * as Footnotes from "./Footnotes.ts"
import { linkTo, outward } from "./Links.ts"
import { idOfNote } from "./Annotations.ts"
import { refOf, textOf } from "./Nodes.ts"
import { pictureOf } from "./ImageElements.ts"
import type { Rendering } from "./BlockRenderer.ts"

export const inlines = (nodes: ReadonlyArray<Node>, rendering: Rendering): Html =>
  each(nodes, (node) =>
    node.object === "text"
      ? each(node.leaves, leaf)
      : node.object === "inline"
        ? holdsText(node)
          ? inline(node, rendering)
          : () => inline(node, rendering)
        : undefined
  )

/** True if an inline has at most 8 nodes, all of them text, and so renders in constant time. */
const holdsText = ({ nodes = [] }: Inline): boolean =>
  nodes.length <= 8 && nodes.every(({ object }) => object === "text")

/** Renders a leaf. A line feed in a leaf is a line end of the source, and so white space. */
const leaf = ({ text, marks }: Leaf): Html =>
  marks.reduceRight((within, { type, data }) => (isMarkType(type) ? marked[type](within, data) : within), html`${text}`)

/** Returns the class of a color by its name in the palette; undefined for the default color. */
const colour = (data: Data | undefined, name: "text" | "background"): string | undefined => {
  const value = textOf(data?.[name]).replace(/^\$/, "")
  return /^[a-z]{1,20}$/.test(value) && value !== "default"
    ? `${name === "text" ? "ink" : "ground"}-${value}`
    : undefined
}

const marked: { readonly [_ in MarkType]: (content: Html, data: Data | undefined) => Html } = {
  bold: (content) => html`<strong>${content}</strong>`,
  italic: (content) => html`<em>${content}</em>`,
  strikethrough: (content) => html`<del>${content}</del>`,
  keyboard: (content) => html`<kbd>${content}</kbd>`,
  superscript: (content) => html`<sup>${content}</sup>`,
  subscript: (content) => html`<sub>${content}</sub>`,
  code: (content) => html`<code>${content}</code>`,
  underline: (content) => html`<u>${content}</u>`,
  color: (content, data) => {
    const names = [colour(data, "text"), colour(data, "background")].filter((name) => name !== undefined)
    return names.length === 0 ? content : html`<span class="${names.join(" ")}">${content}</span>`
  }
}

type RenderInline = (node: Inline, rendering: Rendering) => Html

const inline: RenderInline = (node, rendering) => {
  if (isInlineType(node.type)) return renderers[node.type](node, rendering)
  const content = text(node, rendering)
  return Elements.isElement(node) ? Elements.inlineElement(node, content) : content
}

const text: RenderInline = ({ nodes = [] }, rendering) => inlines(nodes, rendering)

const image: RenderInline = ({ data }, rendering) => {
  const alt = textOf(data?.["alt"])
  const title = textOf(data?.["title"]) || textOf(data?.["caption"])
  const look = data?.["size"] === "line" ? "inline-image line" : "inline-image"
  return pictureOf(data ?? {}, rendering, { alt, look, ...(title !== "" && { title }) }) ?? html`${alt}`
}

const button: RenderInline = ({ data }, rendering) => {
  const ref = refOf(data)
  const label = textOf(data?.["label"])
  const size = textOf(data?.["size"])
  const kind = ["button", data?.["kind"] === "secondary" && "secondary", (size === "small" || size === "large") && size]
    .filter(Boolean)
    .join(" ")
  const icon = rendering.icon(textOf(data?.["icon"]))
  const target = ref && rendering.targetOf(ref)
  const href = target?.url === undefined ? undefined : SafeUrls.link(target.url)
  return href === undefined
    ? html`<span class="${kind}">${icon}${label}</span>`
    : html`<a class="${kind}" href="${href}"${outward(href, rendering)}>${icon}${label}</a>`
}

const renderers: { readonly [_ in InlineType]: RenderInline } = {
  link: (node, rendering) => {
    const ref = refOf(node.data)
    return linkTo(ref && rendering.targetOf(ref), text(node, rendering), rendering, textOf(node.data?.["title"]))
  },
  mention: ({ data }, rendering) => {
    const ref = refOf(data)
    const target = ref && rendering.targetOf(ref)
    const name = target?.title ?? textOf(data?.["text"])
    return linkTo(target, html`<span class="mention">${name}</span>`, rendering)
  },
  annotation: (node, rendering) =>
    html`<button type="button" class="annotation" popovertarget="${idOfNote(node)}">${text(node, rendering)}</button>`,
  emoji: ({ data }) => html`<span class="emoji">${Emoji.charactersOf(textOf(data?.["code"]))}</span>`,
  icon: ({ data }, { icon }) => {
    const drawn = icon(textOf(data?.["icon"]))
    if (drawn === undefined) return empty
    const look = colour({ text: data?.["color"] }, "text")
    return look === undefined ? drawn : html`<span class="${look}">${drawn}</span>`
  },
  "inline-image": image,
  "inline-math": ({ data }, { formula }) => {
    const tex = textOf(data?.["formula"])
    return formula(tex, false) ?? html`<code>${tex}</code>`
  },
  // Expressions are evaluated before rendering. An unevaluated expression renders nothing.
  expression: () => empty,
  button,
  "hard-break": () => html`<br>`,
  "footnote-reference": Footnotes.reference,
  // Visitors receive other nodes instead of raw HTML (see `HtmlNodes`).
  html: () => empty
}
