/** Renders the parts of a page around its content: breadcrumbs, cover, outline, pagination. */
import { attributes, each, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Icons from "../styling/Icons.ts"
import type { SitePage } from "./SitePage.ts"

export const renderBreadcrumbs = ({ breadcrumbs, dependencies }: SitePage): Html | undefined =>
  breadcrumbs.length === 0
    ? undefined
    : html`<nav class="breadcrumbs" aria-label="${dependencies.messages.breadcrumbs}"><ol>${breadcrumbs.map(({ title, url }) => html`<li>${url === undefined ? title : html`<a href="${url}">${title}</a>`}</li>`)}</ol></nav>`

export const renderCover = ({ page }: SitePage): Html | undefined => {
  if (page.cover === undefined) return undefined
  const { url, dark, isFull } = page.cover
  const image = (imageUrl: string, className?: string) =>
    html`<img${attributes({ class: className, src: SafeUrls.sourceUrl(imageUrl), alt: "" })}>`
  return html`<div class="${isFull ? "cover full" : "cover"}">${dark === undefined ? image(url) : html`${image(url, "light-only")}${image(dark, "dark-only")}`}</div>`
}

export const renderOutline = ({ page, dependencies }: SitePage): Html =>
  html`<lectern-outline class="outline"><nav aria-label="${dependencies.messages.onThisPage}"><p>${dependencies.messages.onThisPage}</p><ul>${each(page.outline, ({ id, title, level }) => html`<li class="${`level-${level}`}"><a href="#${encodeURIComponent(id)}">${title}</a></li>`)}</ul></nav></lectern-outline>`

/** Renders the outline for narrow screens, as a collapsible element. */
export const renderCollapsedOutline = ({ page, dependencies }: SitePage): Html | undefined =>
  page.outline.length < 2
    ? undefined
    : html`<details class="folded-outline"><summary>${dependencies.messages.onThisPage}${Icons.chevronDown}</summary><ul>${each(page.outline, ({ id, title, level }) => html`<li class="${`level-${level}`}"><a href="#${encodeURIComponent(id)}">${title}</a></li>`)}</ul></details>`

export const renderPagination = ({ previous, next, dependencies }: SitePage): Html | undefined =>
  previous === undefined && next === undefined
    ? undefined
    : html`<nav class="pagination" aria-label="${`${dependencies.messages.previous}, ${dependencies.messages.next}`}">${previous && html`<a class="previous" href="${previous.url}" rel="prev">${Icons.previous}<span><small>${dependencies.messages.previous}</small><strong>${previous.title}</strong></span></a>`}${next && html`<a class="next" href="${next.url}" rel="next"><span><small>${dependencies.messages.next}</small><strong>${next.title}</strong></span>${Icons.next}</a>`}</nav>`

/** Renders cards of the child pages of a page without its own text. */
export const renderCards = ({ cards: entries = [], dependencies }: SitePage): Html | undefined => {
  if (entries.length === 0) return undefined
  const cards = entries.map(({ title, url, description, emoji, icon }) => {
    const iconHtml = emoji ?? (icon === undefined ? undefined : dependencies.icon(icon))
    return html`<li class="card"><div class="card-text"><div><strong>${iconHtml && html`<span class="emoji" aria-hidden="true">${iconHtml}</span> `}${title}</strong></div>${description && html`<div>${description}</div>`}</div><a class="card-link" href="${url}" aria-label="${title}"></a></li>`
  })
  return html`<ul class="cards">${cards}</ul>`
}
