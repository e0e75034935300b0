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
import { captionOf } from "./Images.ts"
import { outward } from "./Links.ts"
import { refOf, textOf } from "./Nodes.ts"
import type { RenderBlock } from "./BlockRenderer.ts"

export const embed: RenderBlock = (node, rendering) => {
  const { data } = node
  const ref = refOf(data)
  const href = SafeUrls.link(ref?.kind === "url" ? ref.url : textOf(data?.["url"]))
  if (href === undefined) return empty
  const caption = captionOf(node, rendering)
  const content =
    player(href, rendering.words) ?? (EmbedProviders.frameOf(href) ? clicked(href, rendering) : card(href, rendering))
  const look = data?.["fullWidth"] === true ? "embed wide" : "embed"
  return html`<figure class="${look}">${content}${caption && html`<figcaption>${caption}</figcaption>`}</figure>`
}

type Around = Parameters<RenderBlock>[1]

const clicked = (href: string, rendering: Around): Html => {
  const { name, url, shape } = EmbedProviders.frameOf(href)!
  return html`<lectern-embed${attributes({ class: shape, "data-frame": url })}><a class="play" href="${href}"${outward(href, rendering)}><span class="play-sign"></span><span>${rendering.words.loadFrom(name)}</span><span class="embed-url">${shownUrl(href)}</span></a></lectern-embed>`
}

const card = (href: string, rendering: Around): Html => {
  const host = URL.parse(href)?.hostname ?? ""
  return html`<a class="embed-card" href="${href}"${outward(href, rendering)}><strong>${host || href}</strong><span class="embed-url">${shownUrl(href)}</span></a>`
}

const shownUrl = (href: string): string => href.replace(/^https?:\/\/(?:www\.)?|\/$/g, "")

const player = (href: string, { recording }: Around["words"]): Html | undefined => {
  const path = URL.parse(href)?.pathname ?? ""
  if (/\.(?:mp4|webm|ogv|mov)$/i.test(path))
    return html`<video controls preload="none" src="${href}" aria-label="${recording}"></video>`
  return /\.(?:mp3|m4a|ogg|oga|wav|flac)$/i.test(path)
    ? html`<audio controls preload="none" src="${href}" aria-label="${recording}"></audio>`
    : undefined
}
