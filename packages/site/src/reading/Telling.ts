/**
 * Tells the insights of a site what its reader did. Of the reader nothing is sent but what its browser tells with the
 * request. Previews are not told of.
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import type { SiteInsights } from "@lectern/core/insights/SiteInsights"
import type { SiteInsightsEvent } from "@lectern/core/insights/SiteInsightsEvent"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Everything of an event beside what happened, on this page or on none. */
const aboutOf = (
  { siteSection, siteSpace, shareKey, space }: PublishedContent,
  url: string,
  page: string | null,
  { headers }: HttpServerRequest.HttpServerRequest,
  address: string
): Pick<SiteInsightsEvent, "session" | "location"> => {
  const userAgent = headers["user-agent"] ?? ""
  const language = headers["accept-language"]?.split(",")[0]
  // One visitor of a day on a site, known by nothing that lasts.
  const visitor = `${address} ${userAgent}`.slice(0, 256).toWellFormed()
  return {
    session: {
      visitorId: visitor,
      sessionId: visitor,
      cookies: {},
      userAgent: userAgent.slice(0, 4096),
      language: language?.slice(0, 64) ?? null,
      referrer: headers["referer"]?.slice(0, 4096) ?? null
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
  const events = told.map(({ on, url, page, what }) => ({ ...what, ...aboutOf(on, url, page, request, address) }))
  const actor = yield* CurrentActor
  yield* insights.track(first.on.organization, first.on.site, { events }, { actor, ip: address })
})
