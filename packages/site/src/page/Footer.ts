/** Footer and announcement of each page of a site. */
import { type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import { nameOf } from "./Head.ts"
import { renderLink } from "./Links.ts"
import type { SiteContext } from "./SitePage.ts"
import * as SiteScripts from "./SiteScripts.ts"
import * as SocialLinks from "./SocialLinks.ts"

/** Path that signs a reader out, below the site. */
export const signOffPath = "~sign-off"

export const renderFooter = (context: SiteContext): Html => {
  const { customization, dependencies } = context
  const { messages } = dependencies
  const { footer, socialAccounts, privacyPolicy, trademark } = customization
  const name = nameOf(context)
  const image = (url: string, className: string) =>
    html`<img class="${className}" src="${SafeUrls.sourceUrl(url)}" alt="${name}">`
  const logo =
    footer.logo &&
    html`<div class="footer-logo">${image(footer.logo.light, "light-only")}${image(footer.logo.dark, "dark-only")}</div>`
  const groups = footer.groups.map(
    ({ title, links }) =>
      html`<section><h2>${title}</h2><ul>${links.map((link) => {
        const rendered = renderLink(link, dependencies)
        return rendered && html`<li>${rendered}</li>`
      })}</ul></section>`
  )
  const privacy = privacyPolicy.url === undefined ? undefined : SafeUrls.linkUrl(privacyPolicy.url)
  const smallItems = [
    footer.copyright && html`<span>${footer.copyright}</span>`,
    privacy && html`<a href="${privacy}">${messages.privacy}</a>`,
    SiteScripts.renderConsentLink(context),
    context.signIn !== undefined && html`<a href="${context.signIn}" rel="nofollow">${messages.signIn}</a>`,
    context.signOff !== undefined && html`<a href="${context.signOff}">${messages.signOff}</a>`,
    trademark.enabled && html`<span>${messages.madeWith("Lectern")}</span>`
  ].filter((item) => item !== undefined && item !== false && item !== "")
  const socials = SocialLinks.renderSocialLinks(
    socialAccounts.filter(({ display }) => display.footer),
    dependencies
  )
  if (logo === undefined && groups.length === 0 && smallItems.length === 0 && socials === undefined) return html``
  return html`<footer class="site-footer"><div>${(logo !== undefined || groups.length > 0) && html`<div class="footer-groups">${logo}${groups}</div>`}<div class="footer-small">${smallItems}${socials}</div></div></footer>`
}

export const renderAnnouncement = ({ customization, dependencies }: SiteContext): Html | undefined => {
  const { announcement } = customization
  if (announcement?.enabled !== true) return undefined
  const { message, link, style } = announcement
  return html`<aside class="${`announcement ${style}`}" aria-label="${dependencies.messages.announcement}"><p>${message} ${link && renderLink(link, dependencies)}</p></aside>`
}
