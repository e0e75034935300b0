/**
 * Records actions of readers in a site's insights. About the reader, an event contains only data that the browser sends
 * with the request. Previews are not recorded, and neither are views by programs or prefetching browsers.
 *
 * Integrations receive a view unless its reader opted out with the header `Sec-GPC: 1`. If scripts wait for consent,
 * they receive only views of readers who consented.
 */
import * as ServedNames from "@lectern/core/site/ServedNames"
import { CurrentActor } from "@lectern/core/access/Actor"
import { isPerson } from "@lectern/core/insights/Browser"
import type { ViewedEvent, SiteInsights } from "@lectern/core/insights/SiteInsights"
import type { SiteInsightsEvent } from "@lectern/core/insights/SiteInsightsEvent"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Clock, Effect, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as AlternateUrls from "../machine-readable/AlternateUrls.ts"
import type { ResolvedUrl } from "./SitePages.ts"

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}

interface Sender {
  readonly headers: Headers
  readonly address: string
  readonly now: number
}

const day = 24 * 60 * 60 * 1000

/**
 * Returns the session and location of an event: all fields except its type and data. `page`: null if the event is
 * not about a page.
 */
const eventContext = (
  { siteSection, siteSpace, shareKey, space }: PublishedContent,
  url: string,
  page: string | null,
  { headers, address, now }: Sender
): Pick<SiteInsightsEvent, "session" | "location"> => {
  const userAgent = headerOf(headers, "user-agent") ?? ""
  const language = headerOf(headers, "accept-language")?.split(",")[0]
  // Identifies a visitor of a site for one day, without a persistent identifier.
  const visitor = `${Math.floor(now / day)} ${address} ${userAgent}`.slice(0, 256).toWellFormed()
  return {
    session: {
      visitorId: visitor,
      sessionId: visitor,
      cookies: {},
      userAgent: userAgent.slice(0, 4096),
      language: language?.slice(0, 64) ?? null,
      referrer: headerOf(headers, "referer")?.slice(0, 4096) ?? null
    },
    location: {
      url,
      siteSection: siteSection ?? null,
      siteSpace,
      siteShareKey: shareKey ?? null,
      space,
      revision: null,
      page
    }
  }
}

/** Type and data of an action that `record` records. */
export type ReaderAction =
  | { readonly type: "search_type_query" | "search_open_result"; readonly query: string }
  | { readonly type: "page_post_feedback"; readonly feedback: { readonly rating: "bad" | "ok" | "good" } }
  | {
      readonly type: "page_post_feedback_comment"
      readonly feedback: { readonly rating: "bad" | "ok" | "good"; readonly comment: string }
    }

export const record = Effect.fnUntraced(function* (
  insights: SiteInsights["Service"],
  request: HttpServerRequest.HttpServerRequest,
  actions: ReadonlyArray<{
    readonly published: PublishedContent
    readonly url: string
    readonly page: string | null
    readonly action: ReaderAction
  }>
) {
  const recordedActions = actions.filter(({ published }) => published.preview !== true)
  const [firstAction] = recordedActions
  if (firstAction === undefined) return
  const address = Option.getOrElse(request.remoteAddress, () => "")
  const sender = { headers: request.headers, address, now: yield* Clock.currentTimeMillis }
  const events = recordedActions.map(({ published, url, page, action }) => ({
    ...action,
    ...eventContext(published, url, page, sender)
  }))
  const actor = yield* CurrentActor
  yield* insights.track(
    firstAction.published.organization,
    firstAction.published.site,
    { events },
    { actor, ip: address }
  )
})

/** A read of a site's content. */
export interface ReadEvent {
  readonly type: "page_view" | "page_markdown_request" | "llms_request" | "rss_request"
  readonly published: PublishedContent
  readonly url: string
  /** True if scripts wait for consent and this reader has not consented. */
  readonly lacksConsent: boolean
}

/** Returns the type of read of a response; undefined if the response is not counted. */
export const readTypeOf = (
  found: ResolvedUrl,
  { pathname }: URL,
  { status, headers }: HttpServerResponse.HttpServerResponse
): ReadEvent["type"] | undefined => {
  if (status !== 200 && status !== 304) return undefined
  const [name = ""] = pathname.split("/").slice(-1)
  // Markdown responses have a `Link` header to the canonical page. A 304 response has that header too, but no content
  // type.
  if (found.type === "page") return headers["link"] === undefined ? "page_view" : "page_markdown_request"
  if (found.type !== "no-page") return undefined
  if (name === ServedNames.index || name === ServedNames.fullText) return "llms_request"
  if (AlternateUrls.withoutExtension(name, "atom") !== undefined) return "rss_request"
  return AlternateUrls.withoutExtension(name, "md") === undefined ? undefined : "page_markdown_request"
}

/** Returns a function that records each request with this response; undefined in previews. */
export const viewRecorder = (
  insights: SiteInsights["Service"],
  { type, published, url, lacksConsent }: ReadEvent
): ((headers: Headers, address: string | undefined) => void) | undefined => {
  if (published.preview === true) return undefined
  const isView = type === "page_view"
  return (headers, address = "") => {
    if (isView && !isViewedByPerson(headers)) return
    insights.recordView(published.site, isView ? "view" : "other", (now): ViewedEvent => {
      const event = { type, ...eventContext(published, url, published.page ?? null, { headers, address, now }) }
      return { event, ip: address, isForIntegrations: !lacksConsent && headerOf(headers, "sec-gpc") !== "1" }
    })
  }
}

/** Returns true if a person requests the page to view it now. */
const isViewedByPerson = (headers: Headers): boolean => {
  const destination = headerOf(headers, "sec-fetch-dest") ?? "document"
  const purpose = headerOf(headers, "sec-purpose") ?? headerOf(headers, "purpose") ?? ""
  return destination === "document" && !purpose.includes("prefetch") && isPerson(headerOf(headers, "user-agent") ?? "")
}
