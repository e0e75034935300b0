/**
 * Path that requests consent from readers to cookies of third-party scripts, and stores the decision in a cookie of the
 * site.
 *
 * Limit: 1 KiB per form.
 */
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { html } from "../html/Html.ts"
import type { Assets } from "../page/Head.ts"
import * as Layout from "../page/Layout.ts"
import * as SiteScripts from "../page/SiteScripts.ts"
import type { SiteContext } from "../page/SitePage.ts"
import * as SameOrigin from "./SameOrigin.ts"
import * as SiteCookies from "./SiteCookies.ts"
import { pathAndQuery } from "./SitePaths.ts"

const maxForm = 1024

export interface ConsentContext {
  readonly published: PublishedContent
  readonly site: PublishedSite
  readonly context: SiteContext
  readonly assets: Assets
}

/**
 * Responds with the form that requests consent, or stores the decision of a sent form. Undefined if no script needs
 * consent, or if the form is invalid.
 */
export const respond = Effect.fnUntraced(function* (
  { published, site, context, assets }: ConsentContext,
  url: URL,
  request: HttpServerRequest.HttpServerRequest
) {
  if (!SiteScripts.scriptsFor(site.scripts, undefined).needsConsent) return undefined
  if (request.method !== "POST") {
    const { title } = context.dependencies.messages.cookies
    const main = html`<h1>${title}</h1><div class="consent-page">${SiteScripts.renderConsentForm(context)}</div>`
    return { text: Layout.renderSimplePage(context, { title, main }, assets) }
  }
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  if (!(length <= maxForm) || !SameOrigin.isSameOrigin(request, url)) return undefined
  const decision = new URLSearchParams(yield* Effect.orElseSucceed(request.text, () => "")).get("consent")
  if (decision !== "yes" && decision !== "no") return undefined
  const path = URL.parse(published.siteBasePath, url)?.pathname ?? "/"
  const location = originPage(request, url, path) ?? published.siteBasePath
  const headers = { location, "cache-control": "private, no-store" }
  const redirect = HttpServerResponse.empty({ status: 303, headers })
  return { response: HttpServerResponse.mergeCookies(redirect, SiteCookies.consentCookies(decision, url, path)) }
})

/**
 * Returns the path of the site's page that sent a form, by its `Referer` header. Undefined for the page with the
 * question.
 */
const originPage = ({ headers }: HttpServerRequest.HttpServerRequest, url: URL, path: string): string | undefined => {
  const refererUrl = URL.parse(headers["referer"] ?? "")
  if (refererUrl === null || refererUrl.host !== url.host || !refererUrl.pathname.startsWith(path)) return undefined
  return refererUrl.pathname.endsWith(`/${SiteScripts.consentPath}`) ? undefined : pathAndQuery(refererUrl)
}
