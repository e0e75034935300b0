/**
 * Renders the text of paragraphs, headings and cells as HTML. Each type of inline node and of mark has a renderer here.
 */
import type { Data, Inline, Leaf, Node } from "@lectern/document/Document"
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { type InlineType, isInlineType } from "@lectern/document/vocabulary/InlineTypes"
import { isMarkType, type MarkType } from "@lectern/document/vocabulary/MarkTypes"
import { each, empty, type Html, html, trusted } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Elements from "./Elements.ts"
import * as Footnotes from "./Footnotes.ts"
import { renderLink, externalAttributes } from "./Links.ts"
import { noteId } from "./Annotations.ts"
import { refOf, textOf } from "./Nodes.ts"
import { renderImage } from "./ImageElements.ts"
import type { BlockRenderer } from "./BlockRenderer.ts"

export const renderInlines = (nodes: ReadonlyArray<Node>, renderer: BlockRenderer): Html =>
  each(nodes, (node) =>
    node.object === "text"
      ? each(node.leaves, renderLeaf)
      : node.object === "inline"
        ? containsOnlyText(node)
          ? renderInline(node, renderer)
          : () => renderInline(node, renderer)
        : undefined
  )

/** True if an inline has at most 8 nodes, all of them text, and so renders in constant time. */
const containsOnlyText = ({ nodes = [] }: Inline): boolean =>
  nodes.length <= 8 && nodes.every(({ object }) => object === "text")

/** Renders a leaf. A line feed in a leaf is a line end of the source, and so white space. */
const renderLeaf = ({ text, marks }: Leaf): Html =>
  marks.reduceRight(
    (content, { type, data }) => (isMarkType(type) ? markRenderers[type](content, data) : content),
    html`${text}`
  )

/** Returns the class of a color by its name in the palette; undefined for the default color. */
const colorClass = (data: Data | undefined, name: "text" | "background"): string | undefined => {
  const value = textOf(data?.[name]).replace(/^\$/, "")
  return /^[a-z]{1,20}$/.test(value) && value !== "default"
    ? `${name === "text" ? "ink" : "ground"}-${value}`
    : undefined
}

/** Maximum length of code that does not wrap in the cell of a table. */
const maxUnwrapped = 40

const renderCode = (content: Html): Html => {
  const isLong = content.prefix(maxUnwrapped + 1).length > maxUnwrapped
  return html`<code${isLong && trusted(` class="long"`)}>${content}</code>`
}

const markRenderers: { readonly [_ in MarkType]: (content: Html, data: Data | undefined) => Html } = {
  bold: (content) => html`<strong>${content}</strong>`,
  italic: (content) => html`<em>${content}</em>`,
  strikethrough: (content) => html`<del>${content}</del>`,
  keyboard: (content) => html`<kbd>${content}</kbd>`,
  superscript: (content) => html`<sup>${content}</sup>`,
  subscript: (content) => html`<sub>${content}</sub>`,
  code: renderCode,
  underline: (content) => html`<u>${content}</u>`,
  color: (content, data) => {
    const names = [colorClass(data, "text"), colorClass(data, "background")].filter((name) => name !== undefined)
    return names.length === 0 ? content : html`<span class="${names.join(" ")}">${content}</span>`
  }
}

type RenderInline = (node: Inline, renderer: BlockRenderer) => Html

const renderInline: RenderInline = (node, renderer) => {
  if (isInlineType(node.type)) return renderers[node.type](node, renderer)
  const content = renderText(node, renderer)
  return Elements.isElement(node) ? Elements.inlineElement(node, content) : content
}

const renderText: RenderInline = ({ nodes = [] }, renderer) => renderInlines(nodes, renderer)

const image: RenderInline = ({ data }, renderer) => {
  const alt = textOf(data?.["alt"])
  const title = textOf(data?.["title"]) || textOf(data?.["caption"])
  const className = data?.["size"] === "line" ? "inline-image line" : "inline-image"
  return renderImage(data ?? {}, renderer, { alt, className, ...(title !== "" && { title }) }) ?? html`${alt}`
}

const button: RenderInline = ({ data }, renderer) => {
  const ref = refOf(data)
  const label = textOf(data?.["label"])
  const size = textOf(data?.["size"])
  const className = [
    "button",
    data?.["kind"] === "secondary" && "secondary",
    (size === "small" || size === "large") && size
  ]
    .filter(Boolean)
    .join(" ")
  const icon = renderer.icon(textOf(data?.["icon"]))
  const target = ref && renderer.targetOf(ref)
  const href = target?.url === undefined ? undefined : SafeUrls.linkUrl(target.url)
  return href === undefined
    ? html`<span class="${className}">${icon}${label}</span>`
    : html`<a class="${className}" href="${href}"${externalAttributes(href, renderer)}>${icon}${label}</a>`
}

const renderers: { readonly [_ in InlineType]: RenderInline } = {
  link: (node, renderer) => {
    const ref = refOf(node.data)
    return renderLink(ref && renderer.targetOf(ref), renderText(node, renderer), renderer, textOf(node.data?.["title"]))
  },
  mention: ({ data }, renderer) => {
    const ref = refOf(data)
    const target = ref && renderer.targetOf(ref)
    const name = target?.title ?? textOf(data?.["text"])
    return renderLink(target, html`<span class="mention">${name}</span>`, renderer)
  },
  annotation: (node, renderer) =>
    html`<button type="button" class="annotation" popovertarget="${noteId(node)}">${renderText(node, renderer)}</button>`,
  emoji: ({ data }) => html`<span class="emoji">${emojiCharacters(textOf(data?.["code"]))}</span>`,
  icon: ({ data }, { icon }) => {
    const iconHtml = icon(textOf(data?.["icon"]))
    if (iconHtml === undefined) return empty
    const className = colorClass({ text: data?.["color"] }, "text")
    return className === undefined ? iconHtml : html`<span class="${className}">${iconHtml}</span>`
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
  "footnote-reference": Footnotes.renderReference,
  // Visitors receive other nodes instead of raw HTML (see `HtmlNodes`).
  html: () => empty
}
