/** Renders blocks that refer to a page, a file or an integration. */
import { attributes, empty, html, trusted } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { renderCaption } from "./Images.ts"
import { externalAttributes } from "./Links.ts"
import { refOf } from "./Nodes.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

const fileIcon = trusted(
  '<svg class="ui" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 3h8l4 4v14H6zM14 3v4h4"/></svg>'
)

export const contentRef: RenderBlock = ({ data }, renderer) => {
  const ref = refOf(data)
  const target = ref && renderer.targetOf(ref)
  const href = target?.url === undefined ? undefined : SafeUrls.linkUrl(target.url)
  if (target === undefined || href === undefined) return html`<p class="missing">${renderer.messages.missing}</p>`
  const icon = target.icon === undefined ? undefined : renderer.icon(target.icon)
  const iconHtml = target.emoji ?? icon ?? fileIcon
  return html`<a class="content-ref" href="${href}"${externalAttributes(href, renderer)}><span class="sign">${iconHtml}</span><span class="content-ref-text"><strong>${target.title}</strong>${target.description && html`<span>${target.description}</span>`}</span></a>`
}

export const file: RenderBlock = (node, renderer) => {
  const ref = refOf(node.data)
  const target = ref && renderer.targetOf(ref)
  const href = target?.url === undefined ? undefined : SafeUrls.sourceUrl(target.url)
  const caption = renderCaption(node, renderer)
  if (target === undefined || href === undefined)
    return html`<p class="missing">${caption ?? renderer.messages.missing}</p>`
  const size = target.file && renderer.messages.bytes(target.file.size)
  const kind = /\.(\w{1,5})$/.exec(target.title)?.[1]?.toUpperCase()
  const details = [kind, size].filter((detail) => detail !== undefined).join(" · ")
  return html`<figure class="file"><a href="${href}" download${attributes({ type: target.file?.contentType })}><span class="sign">${fileIcon}</span><span class="file-name">${target.title}</span>${details !== "" && html`<span class="file-about">${details}</span>`}</a>${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
}

export const integration: RenderBlock = (node, renderer) => renderer.integration(node, renderer) ?? empty
