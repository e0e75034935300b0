/**
 * Scripts of integrations on the pages of a site. A script that may set cookies loads only after the reader consents.
 * Other scripts load for all readers. A form requests consent from readers until they decide, as the first element for
 * the keyboard. Readers can change their decision later.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"
import { type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { SiteContext } from "./SitePage.ts"

/** Path of the question about consent, below the path of the space. */
export const consentPath = "~consent"

/** Decision of a reader; undefined before the decision. */
export type Consent = "yes" | "no" | undefined

export interface SiteScripts {
  /** Scripts that the page loads. */
  readonly loaded: ReadonlyArray<SiteScript>
  /** True if a script of the site may set cookies. */
  readonly needsConsent: boolean
  /** True if the page requests consent from the reader. */
  readonly requestsConsent: boolean
}

export const scriptsFor = (scripts: ReadonlyArray<SiteScript>, consent: Consent): SiteScripts => {
  const needsConsent = scripts.some(({ cookies }) => cookies)
  return {
    loaded: scripts.filter(({ cookies }) => !cookies || consent === "yes"),
    needsConsent,
    requestsConsent: needsConsent && consent === undefined
  }
}

/** Renders the script elements in the head of a page. */
export const renderScripts = ({ scripts }: Pick<SiteContext, "scripts">): Html =>
  html`${scripts?.loaded.map(({ script }) => {
    const url = SafeUrls.sourceUrl(script)
    return url !== undefined && html`<script async src="${url}"></script>`
  })}`

export const renderBanner = (context: SiteContext): Html | undefined =>
  context.scripts?.requestsConsent === true
    ? html`<aside class="consent" aria-label="${context.dependencies.messages.cookies.title}">${renderConsentForm(context)}</aside>`
    : undefined

/** Renders the form that requests consent. Both buttons have equal prominence. */
export const renderConsentForm = ({ base, customization, dependencies }: SiteContext): Html => {
  const { cookies: labels, privacy } = dependencies.messages
  const url = customization.privacyPolicy.url
  const href = url === undefined ? undefined : SafeUrls.linkUrl(url)
  return html`<form method="post" action="${base}${consentPath}"><p>${labels.question} ${href && html`<a href="${href}">${privacy}</a>`}</p><button class="button" name="consent" value="no">${labels.reject}</button><button class="button" name="consent" value="yes">${labels.accept}</button></form>`
}

/** Renders a link to the form; undefined if no script needs consent. */
export const renderConsentLink = ({ base, dependencies, scripts }: SiteContext): Html | undefined =>
  scripts?.needsConsent === true
    ? html`<a href="${base}${consentPath}">${dependencies.messages.cookies.title}</a>`
    : undefined
