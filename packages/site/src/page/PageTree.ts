/**
 * Tree of pages: next to the content on wide screens, a drawer on narrow ones. The drawer also has the links of the bar,
 * which do not fit into the bar on phones. An inline script restores the open branches and the scroll position before
 * the first paint.
 *
 * Groups are open, unless the tree has more than 40 entries. Then only those on the way to the displayed page are.
 *
 * The tree follows the content in the source, so that programs read the content first. It is displayed before the
 * content. Keyboard focus follows the displayed order in browsers that support `reading-flow`.
 */
import { attributes, type Html, html, trusted } from "../html/Html.ts"
import * as Icons from "../styling/Icons.ts"
import * as Scripts from "../styling/Scripts.ts"
import * as SiteHeader from "./SiteHeader.ts"
import { renderLink } from "./Links.ts"
import type { NavEntry, SiteContext, SitePage } from "./SitePage.ts"
import * as SocialLinks from "./SocialLinks.ts"

const maxOpenEntries = 40

export const renderTree = (sitePage: SitePage): Html => {
  const { base, tree, dependencies } = sitePage
  const opensGroups = sizeOf(tree) <= maxOpenEntries
  return renderDrawer(
    sitePage,
    html`<nav aria-label="${dependencies.messages.pages}" data-tree="${base}">${renderEntries(tree, { opensGroups, dependencies })}</nav>${Scripts.restoreTree}`
  )
}

/** Returns true if the bar has links, which phones show in the drawer. */
export const hasLinks = ({ customization: { header, socialAccounts } }: SiteContext): boolean =>
  header.links.length > 0 || socialAccounts.some(({ display }) => display.header)

export const renderDrawer = (context: SiteContext, tree?: Html): Html => {
  const { messages } = context.dependencies
  return html`<aside class="sidebar" id="~drawer" aria-label="${messages.menu}" popover><div class="drawer-head">${SiteHeader.renderBrand(context)}<button class="icon-button" popovertarget="~drawer" popovertargetaction="hide" aria-label="${messages.close}">${Icons.close}</button></div>${tree}${renderLinks(context)}</aside>`
}

const renderLinks = (context: SiteContext): Html | undefined => {
  if (!hasLinks(context)) return undefined
  const { customization, dependencies } = context
  const items = customization.header.links.map(({ title, to, links }) => {
    const sublinks = links.flatMap((link) => renderLink(link, dependencies) ?? [])
    const label = renderLink({ title, to }, dependencies) ?? (sublinks.length > 0 && html`<span>${title}</span>`)
    return (
      label &&
      html`<li>${label}${sublinks.length > 0 && html`<ul>${sublinks.map((link) => html`<li>${link}</li>`)}</ul>`}</li>`
    )
  })
  const accounts = customization.socialAccounts.filter(({ display }) => display.header)
  return html`<div class="drawer-links"><ul>${items}</ul>${SocialLinks.renderSocialLinks(accounts, dependencies)}</div>`
}

/** Labels of HTTP methods that are too long for the tree. */
const shortMethods: Readonly<Record<string, string>> = { delete: "DEL", options: "OPT" }

const renderMethod = (method: string): Html =>
  html`<span class="api-method ${method}">${shortMethods[method] ?? method.toUpperCase()}</span>`

const sizeOf = (all: ReadonlyArray<NavEntry>): number =>
  all.reduce((size, { children }) => size + 1 + sizeOf(children), 0)

interface EntryOptions {
  readonly opensGroups: boolean
  readonly dependencies: SitePage["dependencies"]
}

/**
 * HTML of closed entries with children, by entry, for trees without open groups. Entries with icons are not cached,
 * since an icon may not be rendered yet.
 */
const closedCache = new WeakMap<NavEntry, Html>()

const hasIcons = ({ icon, children }: NavEntry): boolean => icon !== undefined || children.some(hasIcons)

const renderEntry = (entry: NavEntry, options: EntryOptions): Html => {
  if (entry.isOpen || options.opensGroups || entry.children.length === 0) return renderUncached(entry, options)
  const cached = closedCache.get(entry)
  if (cached !== undefined) return cached
  const rendered = renderUncached(entry, options)
  if (hasIcons(entry)) return rendered
  const serialized = trusted(rendered.text)
  closedCache.set(entry, serialized)
  return serialized
}

const renderEntries = (all: ReadonlyArray<NavEntry>, options: EntryOptions): Html =>
  html`<ul>${all.map((entry) => renderEntry(entry, options))}</ul>`

const renderUncached = (entry: NavEntry, options: EntryOptions): Html => {
  const icon = entry.emoji ?? (entry.icon === undefined ? undefined : options.dependencies.icon(entry.icon))
  const label = html`${entry.method && renderMethod(entry.method)}${icon && html`<span class="sign" aria-hidden="true">${icon}</span>`}<span>${entry.title}</span>`
  const children = entry.children.length > 0 && renderEntries(entry.children, options)
  const details = (isOpen: boolean, summary: Html) =>
    html`<details id="${`~in-${entry.id}`}"${attributes({ open: isOpen })}>${summary}${children}</details>`
  if (entry.url === undefined) {
    return html`<li class="group">${
      children === false
        ? html`<span>${label}</span>`
        : details(entry.isOpen || options.opensGroups, html`<summary>${label}${Icons.chevron}</summary>`)
    }</li>`
  }
  const link = html`<a href="${entry.url}"${attributes({ "aria-current": entry.isCurrent && "page" })}>${label}</a>`
  return children === false
    ? html`<li>${link}</li>`
    : html`<li class="branch">${link}${details(entry.isOpen, html`<summary aria-label="${entry.title}">${Icons.chevron}</summary>`)}</li>`
}
