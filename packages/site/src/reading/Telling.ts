/**
 * Tells the insights of a site what its reader did. Of the reader nothing is sent but what its browser tells with the
 * request. Previews are not told of, and no views of programs, or of what a browser fetches ahead.
 *
 * Integrations hear of a view unless its reader doesn't want that: where scripts wait for consent, of readers alone who
 * gave it, and never of one whose browser says so (`Sec-GPC`).
 */
import * as ServedNames from "@lectern/core/site/ServedNames"
import { CurrentActor } from "@lectern/core/access/Actor"
import { isPerson } from "@lectern/core/insights/Browser"
import type { ViewedEvent, SiteInsights } from "@lectern/core/insights/SiteInsights"
import type { SiteInsightsEvent } from "@lectern/core/insights/SiteInsightsEvent"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Clock, Effect, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Addresses from "../machine/Addresses.ts"
import type { Found } from "./SitePages.ts"

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

/** Everything of an event beside what happened, on this page or on none. */
const aboutOf = (
  { siteSection, siteSpace, shareKey, space }: PublishedContent,
  url: string,
  page: string | null,
  { headers, address, now }: Sender
): Pick<SiteInsightsEvent, "session" | "location"> => {
  const userAgent = headerOf(headers, "user-agent") ?? ""
  const language = headerOf(headers, "accept-language")?.split(",")[0]
  // One visitor of a day on a site, known by nothing that lasts.
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

/** Something that happened, of those types that are told here. */
export type Happened =
  | { readonly type: "search_type_query" | "search_open_result"; readonly query: string }
  | { readonly type: "page_post_feedback"; readonly feedback: { readonly rating: "bad" | "ok" | "good" } }
  | {
      readonly type: "page_post_feedback_comment"
      readonly feedback: { readonly rating: "bad" | "ok" | "good"; readonly comment: string }
    }

export const tell = Effect.fnUntraced(function* (
  insights: SiteInsights["Service"],
  request: HttpServerRequest.HttpServerRequest,
  happened: ReadonlyArray<{
    readonly on: PublishedContent
    readonly url: string
    readonly page: string | null
    readonly what: Happened
  }>
) {
  const told = happened.filter(({ on }) => on.preview !== true)
  const [first] = told
  if (first === undefined) return
  const address = Option.getOrElse(request.remoteAddress, () => "")
  const sender = { headers: request.headers, address, now: yield* Clock.currentTimeMillis }
  const events = told.map(({ on, url, page, what }) => ({ ...what, ...aboutOf(on, url, page, sender) }))
  const actor = yield* CurrentActor
  yield* insights.track(first.on.organization, first.on.site, { events }, { actor, ip: address })
})

/** Something of a site that was read. */
export interface Read {
  readonly type: "page_view" | "page_markdown_request" | "llms_request" | "rss_request"
  readonly on: PublishedContent
  readonly url: string
  /** Scripts wait for consent, and this reader has not given it. */
  readonly isUnasked: boolean
}

/** Notes the kind of reading that this answer is; undefined for what is not counted. */
export const typeOf = (
  found: Found,
  { pathname }: URL,
  { status, headers }: HttpServerResponse.HttpServerResponse
): Read["type"] | undefined => {
  if (status !== 200 && status !== 304) return undefined
  const [name = ""] = pathname.split("/").slice(-1)
  // Markdown names the page that it stands for, also where it has not changed and so has no type.
  if (found.type === "page") return headers["link"] === undefined ? "page_view" : "page_markdown_request"
  if (found.type !== "no-page") return undefined
  if (name === ServedNames.index || name === ServedNames.fullText) return "llms_request"
  if (Addresses.without(name, "atom") !== undefined) return "rss_request"
  return Addresses.without(name, "md") === undefined ? undefined : "page_markdown_request"
}

/** Notes each request that was answered by what is read; undefined for a preview. */
export const reads = (
  insights: SiteInsights["Service"],
  { type, on, url, isUnasked }: Read
): ((headers: Headers, address: string | undefined) => void) | undefined => {
  if (on.preview === true) return undefined
  const isView = type === "page_view"
  return (headers, address = "") => {
    if (isView && !isLookedAt(headers)) return
    insights.recordView(on.site, isView ? "view" : "other", (now): ViewedEvent => {
      const event = { type, ...aboutOf(on, url, on.page ?? null, { headers, address, now }) }
      return { event, ip: address, isForIntegrations: !isUnasked && headerOf(headers, "sec-gpc") !== "1" }
    })
  }
}

/** Tells whether a page is asked for to be looked at now. */
const isLookedAt = (headers: Headers): boolean => {
  const destination = headerOf(headers, "sec-fetch-dest") ?? "document"
  const purpose = headerOf(headers, "sec-purpose") ?? headerOf(headers, "purpose") ?? ""
  return destination === "document" && !purpose.includes("prefetch") && isPerson(headerOf(headers, "user-agent") ?? "")
}
