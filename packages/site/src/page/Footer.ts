/** Footer and announcement of each page of a site. */
import { type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { nameOf } from "./Head.ts"
import { linkTo } from "./Links.ts"
import type { Around } from "./SitePage.ts"
import * as SiteScripts from "./SiteScripts.ts"
import * as SocialLinks from "./SocialLinks.ts"

/** Path that signs a reader out, below the site. */
export const signOffPath = "~sign-off"

export const footer = (around: Around): Html => {
  const { customization, parts } = around
  const { words } = parts
  const { footer, socialAccounts, privacyPolicy, trademark } = customization
  const name = nameOf(around)
  const picture = (url: string, look: string) => html`<img class="${look}" src="${SafeUrls.source(url)}" alt="${name}">`
  const logo =
    footer.logo &&
    html`<div class="footer-logo">${picture(footer.logo.light, "light-only")}${picture(footer.logo.dark, "dark-only")}</div>`
  const groups = footer.groups.map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.map((link) => {
        const made = linkTo(link, parts)
        return made && html`<li>${made}</li>`
      })}</ul></section>`
  )
  const privacy = privacyPolicy.url === undefined ? undefined : SafeUrls.link(privacyPolicy.url)
  const small = [
    footer.copyright && html`<span>${footer.copyright}</span>`,
    privacy && html`<a href="${privacy}">${words.privacy}</a>`,
    SiteScripts.again(around),
    around.signIn !== undefined && html`<a href="${around.signIn}" rel="nofollow">${words.signIn}</a>`,
    around.signOff !== undefined && html`<a href="${around.signOff}">${words.signOff}</a>`,
    trademark.enabled && html`<span>${words.madeWith("Lectern")}</span>`
  ].filter((one) => one !== undefined && one !== false && one !== "")
  const socials = SocialLinks.list(
    socialAccounts.filter(({ display }) => display.footer),
    parts
  )
  if (logo === undefined && groups.length === 0 && small.length === 0 && socials === undefined) return html``
  return html`<footer class="site-footer"><div>${(logo !== undefined || groups.length > 0) && html`<div class="footer-groups">${logo}${groups}</div>`}<div class="footer-small">${small}${socials}</div></div></footer>`
}

export const announcement = ({ customization, parts }: Around): Html | undefined => {
  const { announcement } = customization
  if (announcement?.enabled !== true) return undefined
  const { message, link, style } = announcement
  return html`<aside class="${`announcement ${style}`}" aria-label="${parts.words.announcement}"><p>${message} ${link && linkTo(link, parts)}</p></aside>`
}
