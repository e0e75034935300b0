/**
 * Tree of pages: next to the content on wide screens, a drawer on narrow ones. An inline script restores its open
 * branches and its scroll position before the first paint.
 *
 * The tree follows the content in the source, so that programs read the content first. It is displayed before the
 * content. Keyboard focus follows the displayed order in browsers that support `reading-flow`.
 */
import { attributes, type Html, html } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import * as Scripts from "../styling/Scripts.ts"
import * as SiteHeader from "./SiteHeader.ts"
import { renderLink } from "./Links.ts"
import type { NavEntry, SitePage } from "./SitePage.ts"

export const renderTree = (sitePage: SitePage): Html => {
  const { messages } = sitePage.dependencies
  return html`<aside class="sidebar" id="~drawer" aria-label="${messages.menu}" popover><div class="drawer-head">${SiteHeader.renderBrand(sitePage)}<button class="icon-button" popovertarget="~drawer" popovertargetaction="hide" aria-label="${messages.close}">${Icons.close}</button></div><nav aria-label="${messages.pages}" data-tree="${sitePage.base}">${renderEntries(sitePage.tree, sitePage.dependencies)}</nav>${Scripts.restoreTree}${renderLinks(sitePage)}</aside>`
}

/** Renders the links of the bar, which do not fit into the bar on phones. */
const renderLinks = ({ customization, dependencies }: SitePage): Html | undefined => {
  const all = customization.header.links
    .flatMap(({ title, to, links }) => [
      renderLink({ title, to }, dependencies),
      ...links.map((link) => renderLink(link, dependencies))
    ])
    .filter((link) => link !== undefined)
  return all.length === 0 ? undefined : html`<ul class="drawer-links">${all.map((link) => html`<li>${link}</li>`)}</ul>`
}

const renderEntries = (all: ReadonlyArray<NavEntry>, dependencies: SitePage["dependencies"]): Html =>
  html`<ul>${all.map((entry) => {
    const icon = entry.emoji ?? (entry.icon === undefined ? undefined : dependencies.icon(entry.icon))
    const label = html`${icon && html`<span class="sign" aria-hidden="true">${icon}</span>`}<span>${entry.title}</span>`
    const children = entry.children.length > 0 && renderEntries(entry.children, dependencies)
    if (entry.url === undefined) return html`<li class="group"><span>${label}</span>${children}</li>`
    const link = html`<a href="${entry.url}"${attributes({ "aria-current": entry.isCurrent && "page" })}>${label}</a>`
    return children === false
      ? html`<li>${link}</li>`
      : html`<li class="branch">${link}<details id="${`~in-${entry.id}`}"${attributes({ open: entry.isOpen })}><summary aria-label="${entry.title}">${Icons.chevron}</summary>${children}</details></li>`
  })}</ul>`
