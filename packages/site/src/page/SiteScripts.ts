/**
 * Scripts of integrations on the pages of a site. One that may set cookies waits until its reader has agreed; any other
 * is there for everyone. A reader who has not said yet is asked by a form, above everything else that the keyboard
 * reaches, and may say otherwise later.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"
import { type Html, html } from "../html/Html.ts"
import * as Urls from "../html/Urls.ts"
import type { Around } from "./SitePage.ts"

/** Path where readers say whether they agree, below that of the space. */
export const consentPath = "~consent"

/** A reader's answer; undefined from one who has not said. */
export type Consent = "yes" | "no" | undefined

export interface SiteScripts {
  /** Those that run. */
  readonly loaded: ReadonlyArray<SiteScript>
  /** Some may set cookies. */
  readonly isAsked: boolean
  /** The reader has not said yet. */
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

/** In the head of a page. */
export const elements = ({ scripts }: Pick<Around, "scripts">): Html =>
  html`${scripts?.loaded.map(({ script }) => {
    const url = Urls.source(script)
    return url !== undefined && html`<script async src="${url}"></script>`
  })}`

export const banner = (around: Around): Html | undefined =>
  around.scripts?.asks === true
    ? html`<aside class="consent" aria-label="${around.parts.words.cookies.title}">${question(around)}</aside>`
    : undefined

/** The question with its two answers, of which neither is more than the other. */
export const question = ({ base, customization, parts }: Around): Html => {
  const { cookies: words, privacy } = parts.words
  const url = customization.privacyPolicy.url
  const href = url === undefined ? undefined : Urls.link(url)
  return html`<form method="post" action="${base}${consentPath}"><p>${words.question} ${href && html`<a href="${href}">${privacy}</a>`}</p><button class="button" name="consent" value="no">${words.reject}</button><button class="button" name="consent" value="yes">${words.accept}</button></form>`
}

/** Leads to the question once more; undefined where there is nothing to ask. */
export const again = ({ base, parts, scripts }: Around): Html | undefined =>
  scripts?.isAsked === true ? html`<a href="${base}${consentPath}">${parts.words.cookies.title}</a>` : undefined
