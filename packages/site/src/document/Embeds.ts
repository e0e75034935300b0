/**
 * Renders embedded content of other websites.
 *
 * - A known provider is a placeholder to click (`lectern-embed`). Nothing loads from the provider before the click.
 *   Without a script, the placeholder is a link.
 * - A video or audio file is played from its URL and loads only when the reader plays it.
 * - Any other URL is a link.
 */
import * as EmbedProviders from "@lectern/document/EmbedProviders"
import { attributes, empty, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { renderCaption } from "./Images.ts"
import { externalAttributes } from "./Links.ts"
import { refOf, textOf } from "./Nodes.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

export const embed: RenderBlock = (node, renderer) => {
  const { data } = node
  const ref = refOf(data)
  const href = SafeUrls.linkUrl(ref?.kind === "url" ? ref.url : textOf(data?.["url"]))
  if (href === undefined) return empty
  const caption = renderCaption(node, renderer)
  const content =
    renderPlayer(href, renderer.messages) ??
    (EmbedProviders.frameOf(href) ? renderPlaceholder(href, renderer) : renderCard(href, renderer))
  const className = data?.["fullWidth"] === true ? "embed wide" : "embed"
  return html`<figure class="${className}">${content}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
}

type Renderer = Parameters<RenderBlock>[1]

const renderPlaceholder = (href: string, renderer: Renderer): Html => {
  const { name, url, shape } = EmbedProviders.frameOf(href)!
  return html`<lectern-embed${attributes({ class: shape, "data-frame": url })}><a class="play" href="${href}"${externalAttributes(href, renderer)}><span class="play-sign"></span><span>${renderer.messages.loadFrom(name)}</span><span class="embed-url">${displayUrl(href)}</span></a></lectern-embed>`
}

const renderCard = (href: string, renderer: Renderer): Html => {
  const host = URL.parse(href)?.hostname ?? ""
  return html`<a class="embed-card" href="${href}"${externalAttributes(href, renderer)}><strong>${host || href}</strong><span class="embed-url">${displayUrl(href)}</span></a>`
}

const displayUrl = (href: string): string => href.replace(/^https?:\/\/(?:www\.)?|\/$/g, "")

const renderPlayer = (href: string, { recording }: Renderer["messages"]): Html | undefined => {
  const path = URL.parse(href)?.pathname ?? ""
  if (/\.(?:mp4|webm|ogv|mov)$/i.test(path))
    return html`<video controls preload="none" src="${href}" aria-label="${recording}"></video>`
  return /\.(?:mp3|m4a|ogg|oga|wav|flac)$/i.test(path)
    ? html`<audio controls preload="none" src="${href}" aria-label="${recording}"></audio>`
    : undefined
}
