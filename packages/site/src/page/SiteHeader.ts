/**
 * Bar at the top of a site: name, versions, search and links, with the sections as tabs below. Menus and the drawer of
 * pages on phones use `popover`, so they open without a script.
 */
import type { Customization } from "@lectern/core/customization/Customization"
import { attributes, type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import * as Icons from "../styling/Icons.ts"
import { nameOf } from "./Head.ts"
import { hrefOf, linkTo } from "./Links.ts"
import * as SearchBox from "./SearchBox.ts"
import type { Around, NavSection, NavSectionGroup } from "./SitePage.ts"
import * as SocialLinks from "./SocialLinks.ts"

/** Renders the bar. `hasDrawer`: true if phones can open a tree of pages. */
export const bar = (around: Around, hasDrawer: boolean): Html => {
  const { customization, parts } = around
  const { words } = parts
  const { themes, header, socialAccounts } = customization
  const links = header.links.map((link, i) => headerLink(link, i, around))
  const inMenu = socialAccounts.filter(({ display }) => display.header)
  return html`<header class="site-header">
    <div class="bar">
      ${
        hasDrawer &&
        html`<button class="icon-button drawer-button" popovertarget="~drawer" aria-label="${words.menu}">${Icons.menu}</button>`
      }
      ${brand(around)}
      ${variants(around)}
      ${SearchBox.box(around)}
      <nav class="links" aria-label="${words.menu}">${links}${SocialLinks.list(inMenu, parts)}</nav>
      ${
        themes.toggeable &&
        html`<lectern-theme><button class="icon-button" aria-label="${words.theme}">${Icons.theme}</button></lectern-theme>`
      }
    </div>
    ${sections(around)}
  </header>`
}

export const brand = ({ site, customization }: Around): Html => {
  const { logo } = customization.header
  const name = nameOf({ site, customization })
  const picture = (url: string, look?: string) =>
    html`<img${attributes({ class: look, src: SafeUrls.source(url), alt: name, height: 32 })}>`
  const mark =
    logo === undefined
      ? html`${customization.favicon.emoji && html`<span class="sign" aria-hidden="true">${customization.favicon.emoji}</span>`}<span>${name}</span>`
      : logo.light === logo.dark
        ? picture(logo.light)
        : html`${picture(logo.light, "light-only")}${picture(logo.dark, "dark-only")}`
  return html`<a class="brand" href="${site.home}">${mark}</a>`
}

/** Renders a menu that opens below its button. */
const menu = (id: string, label: Html | string, items: Html | ReadonlyArray<Html | undefined>): Html =>
  html`<div class="menu"><button class="menu-button" popovertarget="${id}">${label}${Icons.down}</button><ul class="popup" id="${id}" popover>${items}</ul></div>`

const headerLink = (
  { title, to, links, style }: Customization["header"]["links"][number],
  place: number,
  { parts }: Around
): Html | undefined => {
  const below = links.flatMap((link) => linkTo(link, parts) ?? [])
  const href = hrefOf(to, parts)
  if (below.length > 0) {
    const first = href !== undefined && linkTo({ title, to }, parts)
    return menu(
      `~menu-${place}`,
      title,
      html`${first && html`<li>${first}</li>`}${below.map((link) => html`<li>${link}</li>`)}`
    )
  }
  const look = style === "button-primary" ? "button" : style === "button-secondary" ? "button secondary" : "header-link"
  return linkTo({ title, to, look }, parts)
}

const variants = ({ variants, parts }: Around): Html | undefined => {
  if (variants.length < 2) return undefined
  const current = variants.find(({ isCurrent }) => isCurrent)
  const items = variants.map(
    ({ title, url, language, isCurrent }) =>
      html`<li><a href="${url}"${attributes({ lang: language, hreflang: language, "aria-current": isCurrent === true && "true" })}>${title}${isCurrent === true && Icons.check}</a></li>`
  )
  return html`<div class="variants">${menu("~variants", html`<span class="for-readers">${parts.words.variants}: </span><span class="variant">${current?.title ?? parts.words.variants}</span>`, items)}</div>`
}

const sections = ({ sections, parts }: Around): Html | undefined =>
  sections.length < 2
    ? undefined
    : html`<nav class="sections" aria-label="${parts.words.sections}"><ul>${sections.map((one, i) => section(one, i, parts))}</ul></nav>`

const section = (one: NavSection | NavSectionGroup, place: number, parts: Around["parts"]): Html => {
  const sign = one.icon === undefined ? undefined : parts.icon(one.icon)
  const label = html`${sign && html`<span class="sign">${sign}</span>`}${one.title}`
  if (!("sections" in one)) {
    return html`<li><a href="${one.url}"${attributes({ "aria-current": one.isCurrent === true && "page" })}>${label}</a></li>`
  }
  const items = one.sections.map(
    ({ title, url, description, isCurrent }) =>
      html`<li><a href="${url}"${attributes({ "aria-current": isCurrent === true && "page" })}><span>${title}${description && html`<small>${description}</small>`}</span></a></li>`
  )
  const isOpen = one.sections.some(({ isCurrent }) => isCurrent === true)
  return html`<li${attributes({ class: isOpen && "is-current" })}>${menu(`~sections-${place}`, label, items)}</li>`
}
