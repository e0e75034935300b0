/**
 * Scripts of integrations on the pages of a site. A script that may set cookies loads only after the reader consents.
 * Other scripts load for all readers. A form requests consent from readers until they decide, as the first element for
 * the keyboard. Readers can change their decision later.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"
import { type Html, html } from "../html/Html.ts"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { Around } from "./SitePage.ts"

/** Path of the question about consent, below the path of the space. */
export const consentPath = "~consent"

/** Decision of a reader; undefined before the decision. */
export type Consent = "yes" | "no" | undefined

export interface SiteScripts {
  /** Scripts that the page loads. */
  readonly loaded: ReadonlyArray<SiteScript>
  /** True if a script of the site may set cookies. */
  readonly isAsked: boolean
  /** True if the page requests consent from the reader. */
  readonly asks: boolean
}

export const of = (scripts: ReadonlyArray<SiteScript>, consent: Consent): SiteScripts => {
  const isAsked = scripts.some(({ cookies }) => cookies)
  return {
    loaded: scripts.filter(({ cookies }) => !cookies || consent === "yes"),
    isAsked,
    asks: isAsked && consent === undefined
  }
}

/** Renders the script elements in the head of a page. */
export const elements = ({ scripts }: Pick<Around, "scripts">): Html =>
  html`${scripts?.loaded.map(({ script }) => {
    const url = SafeUrls.source(script)
    return url !== undefined && html`<script async src="${url}"></script>`
  })}`

export const banner = (around: Around): Html | undefined =>
  around.scripts?.asks === true
    ? html`<aside class="consent" aria-label="${around.parts.words.cookies.title}">${question(around)}</aside>`
    : undefined

/** Renders the question. Both answers have equal prominence. */
export const question = ({ base, customization, parts }: Around): Html => {
  const { cookies: words, privacy } = parts.words
  const url = customization.privacyPolicy.url
  const href = url === undefined ? undefined : SafeUrls.link(url)
  return html`<form method="post" action="${base}${consentPath}"><p>${words.question} ${href && html`<a href="${href}">${privacy}</a>`}</p><button class="button" name="consent" value="no">${words.reject}</button><button class="button" name="consent" value="yes">${words.accept}</button></form>`
}

/** Renders a link to the question; undefined if no script needs consent. */
export const again = ({ base, parts, scripts }: Around): Html | undefined =>
  scripts?.isAsked === true ? html`<a href="${base}${consentPath}">${parts.words.cookies.title}</a>` : undefined
