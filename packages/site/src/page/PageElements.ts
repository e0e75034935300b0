/** Parts of a page around its content: breadcrumbs, cover, outline, pagination. */
import { attributes, each, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Icons from "../styling/Icons.ts"
import type { SitePage } from "./SitePage.ts"

export const breadcrumbs = ({ breadcrumbs, parts }: SitePage): Html | undefined =>
  breadcrumbs.length === 0
    ? undefined
    : html`<nav class="breadcrumbs" aria-label="${parts.words.breadcrumbs}"><ol>${breadcrumbs.map(({ title, url }) => html`<li>${url === undefined ? title : html`<a href="${url}">${title}</a>`}</li>`)}</ol></nav>`

export const cover = ({ page }: SitePage): Html | undefined => {
  if (page.cover === undefined) return undefined
  const { url, dark, isFull } = page.cover
  const picture = (of: string, look?: string) =>
    html`<img${attributes({ class: look, src: SafeUrls.source(of), alt: "" })}>`
  return html`<div class="${isFull ? "cover full" : "cover"}">${dark === undefined ? picture(url) : html`${picture(url, "light-only")}${picture(dark, "dark-only")}`}</div>`
}

export const outline = ({ page, parts }: SitePage): Html =>
  html`<lectern-outline class="outline"><nav aria-label="${parts.words.onThisPage}"><p>${parts.words.onThisPage}</p><ul>${each(page.outline, ({ id, title, level }) => html`<li class="${`level-${level}`}"><a href="#${encodeURIComponent(id)}">${title}</a></li>`)}</ul></nav></lectern-outline>`

/** Renders the outline for narrow screens, as a collapsible element. */
export const foldedOutline = ({ page, parts }: SitePage): Html | undefined =>
  page.outline.length < 2
    ? undefined
    : html`<details class="folded-outline"><summary>${parts.words.onThisPage}${Icons.down}</summary><ul>${each(page.outline, ({ id, title, level }) => html`<li class="${`level-${level}`}"><a href="#${encodeURIComponent(id)}">${title}</a></li>`)}</ul></details>`

export const pagination = ({ previous, next, parts }: SitePage): Html | undefined =>
  previous === undefined && next === undefined
    ? undefined
    : html`<nav class="pagination" aria-label="${`${parts.words.previous}, ${parts.words.next}`}">${previous && html`<a class="previous" href="${previous.url}" rel="prev">${Icons.previous}<span><small>${parts.words.previous}</small><strong>${previous.title}</strong></span></a>`}${next && html`<a class="next" href="${next.url}" rel="next"><span><small>${parts.words.next}</small><strong>${next.title}</strong></span>${Icons.next}</a>`}</nav>`

/** Renders cards of the child pages of a page without its own text. */
export const below = ({ below = [], parts }: SitePage): Html | undefined => {
  if (below.length === 0) return undefined
  const cards = below.map(({ title, url, description, emoji, icon }) => {
    const sign = emoji ?? (icon === undefined ? undefined : parts.icon(icon))
    return html`<li class="card"><div class="card-text"><div><strong>${sign && html`<span class="emoji" aria-hidden="true">${sign}</span> `}${title}</strong></div>${description && html`<div>${description}</div>`}</div><a class="card-link" href="${url}" aria-label="${title}"></a></li>`
  })
  return html`<ul class="cards">${cards}</ul>`
}
