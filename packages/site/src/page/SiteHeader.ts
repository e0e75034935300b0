/**
 * Bar at the top of a site: name, versions, search and links, with the sections as tabs below. Menus and the drawer of
 * pages on phones use `popover`, so they open without a script.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Icons from "../styling/Icons.ts"
import { nameOf } from "./Head.ts"
import { hrefOf, renderLink } from "./Links.ts"
import * as SearchBox from "./SearchBox.ts"
import type { SiteContext, NavSection, NavSectionGroup } from "./SitePage.ts"
import * as SocialLinks from "./SocialLinks.ts"

/**
 * Renders the bar. `hasDrawer`: true if phones can open a tree of pages or a menu of links. `searchScript`: see
 * `SearchBox`.
 */
export const renderHeader = (context: SiteContext, hasDrawer: boolean, searchScript?: string): Html => {
  const { customization, dependencies } = context
  const { messages } = dependencies
  const { themes, header, socialAccounts } = customization
  const links = header.links.map((link, i) => renderHeaderLink(link, i, context))
  const headerAccounts = socialAccounts.filter(({ display }) => display.header)
  return html`<header class="site-header">
    <div class="bar">
      ${
        hasDrawer &&
        html`<button class="icon-button drawer-button" popovertarget="~drawer" aria-label="${messages.menu}">${Icons.menu}</button>`
      }
      <div class="bar-start">${renderBrand(context)}${renderVariants(context)}</div>
      ${SearchBox.renderSearchBox(context, searchScript)}
      <nav class="links" aria-label="${messages.menu}">${links}${SocialLinks.renderSocialLinks(headerAccounts, dependencies)}</nav>
      ${
        themes.toggeable &&
        html`<lectern-theme><button class="icon-button" aria-label="${messages.theme}">${Icons.theme}</button></lectern-theme>`
      }
    </div>
    ${renderSections(context)}
  </header>`
}

export const renderBrand = ({ site, customization }: SiteContext): Html => {
  const { logo } = customization.header
  const name = nameOf({ site, customization })
  const picture = (url: string, className?: string) =>
    html`<img${attributes({ class: className, src: SafeUrls.sourceUrl(url), alt: name, height: 32 })}>`
  const content =
    logo === undefined
      ? html`${customization.favicon.emoji && html`<span class="sign" aria-hidden="true">${customization.favicon.emoji}</span>`}<span>${name}</span>`
      : logo.light === logo.dark
        ? picture(logo.light)
        : html`${picture(logo.light, "light-only")}${picture(logo.dark, "dark-only")}`
  return html`<a class="brand" href="${site.home}">${content}</a>`
}

/** Renders a menu that opens below its button. */
const renderMenu = (id: string, label: Html | string, items: Html | ReadonlyArray<Html | undefined>): Html =>
  html`<div class="menu"><button class="menu-button" popovertarget="${id}">${label}${Icons.chevronDown}</button><ul class="popup" id="${id}" popover>${items}</ul></div>`

const renderHeaderLink = (
  { title, to, links, style }: Customization["header"]["links"][number],
  index: number,
  { dependencies }: SiteContext
): Html | undefined => {
  const submenuLinks = links.flatMap((link) => renderLink(link, dependencies) ?? [])
  const href = hrefOf(to, dependencies)
  if (submenuLinks.length > 0) {
    const menuLink = href !== undefined && renderLink({ title, to }, dependencies)
    return renderMenu(
      `~menu-${index}`,
      title,
      html`${menuLink && html`<li>${menuLink}</li>`}${submenuLinks.map((link) => html`<li>${link}</li>`)}`
    )
  }
  const className =
    style === "button-primary" ? "button" : style === "button-secondary" ? "button secondary" : "header-link"
  return renderLink({ title, to, className }, dependencies)
}

const renderVariants = ({ variants, dependencies }: SiteContext): Html | undefined => {
  if (variants.length < 2) return undefined
  const currentVariant = variants.find(({ isCurrent }) => isCurrent)
  const items = variants.map(
    ({ title, url, language, isCurrent }) =>
      html`<li><a href="${url}"${attributes({ lang: language, hreflang: language, "aria-current": isCurrent === true && "true" })}>${title}${isCurrent === true && Icons.check}</a></li>`
  )
  return html`<div class="variants">${renderMenu("~variants", html`<span class="for-readers">${dependencies.messages.variants}: </span><span class="variant">${currentVariant?.title ?? dependencies.messages.variants}</span>`, items)}</div>`
}

const renderSections = ({ sections, dependencies }: SiteContext): Html | undefined =>
  sections.length < 2
    ? undefined
    : html`<nav class="sections" aria-label="${dependencies.messages.sections}"><ul>${sections.map((entry, i) => renderSection(entry, i, dependencies))}</ul></nav>`

const renderSection = (
  entry: NavSection | NavSectionGroup,
  index: number,
  dependencies: SiteContext["dependencies"]
): Html => {
  const icon = entry.icon === undefined ? undefined : dependencies.icon(entry.icon)
  const label = html`${icon && html`<span class="sign">${icon}</span>`}${entry.title}`
  if (!("sections" in entry)) {
    return html`<li><a href="${entry.url}"${attributes({ "aria-current": entry.isCurrent === true && "page" })}>${label}</a></li>`
  }
  const items = entry.sections.map(
    ({ title, url, description, isCurrent }) =>
      html`<li><a href="${url}"${attributes({ "aria-current": isCurrent === true && "page" })}><span>${title}${description && html`<small>${description}</small>`}</span></a></li>`
  )
  const isOpen = entry.sections.some(({ isCurrent }) => isCurrent === true)
  return html`<li${attributes({ class: isOpen && "is-current" })}>${renderMenu(`~sections-${index}`, label, items)}</li>`
}
