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
import { linkTo } from "./Links.ts"
import type { NavEntry, SitePage } from "./SitePage.ts"

export const tree = (shown: SitePage): Html => {
  const { words } = shown.parts
  return html`<aside class="sidebar" id="~drawer" aria-label="${words.menu}" popover><div class="drawer-head">${SiteHeader.brand(shown)}<button class="icon-button" popovertarget="~drawer" popovertargetaction="hide" aria-label="${words.close}">${Icons.close}</button></div><nav aria-label="${words.pages}" data-tree="${shown.base}">${entries(shown.tree, shown.parts)}</nav>${Scripts.restoreTree}${links(shown)}</aside>`
}

/** Renders the links of the bar, which do not fit into the bar on phones. */
const links = ({ customization, parts }: SitePage): Html | undefined => {
  const all = customization.header.links
    .flatMap(({ title, to, links }) => [linkTo({ title, to }, parts), ...links.map((link) => linkTo(link, parts))])
    .filter((link) => link !== undefined)
  return all.length === 0 ? undefined : html`<ul class="drawer-links">${all.map((link) => html`<li>${link}</li>`)}</ul>`
}

const entries = (all: ReadonlyArray<NavEntry>, parts: SitePage["parts"]): Html =>
  html`<ul>${all.map((entry) => {
    const sign = entry.emoji ?? (entry.icon === undefined ? undefined : parts.icon(entry.icon))
    const label = html`${sign && html`<span class="sign" aria-hidden="true">${sign}</span>`}<span>${entry.title}</span>`
    const below = entry.children.length > 0 && entries(entry.children, parts)
    if (entry.url === undefined) return html`<li class="group"><span>${label}</span>${below}</li>`
    const link = html`<a href="${entry.url}"${attributes({ "aria-current": entry.isCurrent && "page" })}>${label}</a>`
    return below === false
      ? html`<li>${link}</li>`
      : html`<li class="branch">${link}<details id="${`~in-${entry.id}`}"${attributes({ open: entry.isOpen })}><summary aria-label="${entry.title}">${Icons.chevron}</summary>${below}</details></li>`
  })}</ul>`
