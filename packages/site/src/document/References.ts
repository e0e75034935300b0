/** Renders blocks that refer to something: a page, a file or an integration. */
import { attributes, empty, html, trusted } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { captionOf } from "./Images.ts"
import { outward } from "./Links.ts"
import { refOf } from "./Nodes.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

const sheet = trusted(
  '<svg class="ui" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 3h8l4 4v14H6zM14 3v4h4"/></svg>'
)

export const contentRef: RenderBlock = ({ data }, rendering) => {
  const ref = refOf(data)
  const target = ref && rendering.targetOf(ref)
  const href = target?.url === undefined ? undefined : SafeUrls.link(target.url)
  if (target === undefined || href === undefined) return html`<p class="missing">${rendering.words.missing}</p>`
  const icon = target.icon === undefined ? undefined : rendering.icon(target.icon)
  const sign = target.emoji ?? icon ?? sheet
  return html`<a class="content-ref" href="${href}"${outward(href, rendering)}><span class="sign">${sign}</span><span class="content-ref-text"><strong>${target.title}</strong>${target.description && html`<span>${target.description}</span>`}</span></a>`
}

export const file: RenderBlock = (node, rendering) => {
  const ref = refOf(node.data)
  const target = ref && rendering.targetOf(ref)
  const href = target?.url === undefined ? undefined : SafeUrls.source(target.url)
  const caption = captionOf(node, rendering)
  if (target === undefined || href === undefined)
    return html`<p class="missing">${caption ?? rendering.words.missing}</p>`
  const size = target.file && rendering.words.bytes(target.file.size)
  const kind = /\.(\w{1,5})$/.exec(target.title)?.[1]?.toUpperCase()
  const about = [kind, size].filter((one) => one !== undefined).join(" · ")
  return html`<figure class="file"><a href="${href}" download${attributes({ type: target.file?.contentType })}><span class="sign">${sheet}</span><span class="file-name">${target.title}</span>${about !== "" && html`<span class="file-about">${about}</span>`}</a>${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
}

export const integration: RenderBlock = (node, rendering) => rendering.integration(node, rendering) ?? empty
