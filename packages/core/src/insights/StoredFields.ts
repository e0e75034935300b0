/** Converts an event of a visitor to the fields that are stored for sums (see `StoredEvent`). */
import type { CachedSite } from "../site/store/SiteStore.ts"
import { findSection, findSiteSpace, spaces } from "../site/SiteStructure.ts"
import type { SpaceId } from "../space/Space.ts"
import { browserOf } from "./Browser.ts"
import type { StoredEvent } from "./StoredEvent.ts"
import type { SiteInsightsEvent } from "./SiteInsightsEvent.ts"
import { withoutShareKey } from "./WithoutShareKey.ts"

/** Maximum number of stored characters of a URL, and of the name of a language. */
const maxUrl = 1_024
const maxName = 64

const types: ReadonlySet<string> = new Set([
  "page_view",
  "page_markdown_request",
  "search_open",
  "search_type_query",
  "search_open_result",
  "page_post_feedback",
  "page_post_feedback_comment",
  "agent_feedback",
  "ask_question",
  "ask_view",
  "ask_rate_response",
  "link_click",
  "api_client_open",
  "api_client_request",
  "ad_click",
  "ad_display",
  "trademark_click",
  "llms_request",
  "mcp_request",
  "rss_request"
])

/** Returns true for a known type of events. Events of unknown types are accepted and dropped. */
export const isKnown = (type: string): boolean => types.has(type)

const utmNames = ["source", "medium", "campaign", "term", "content"] as const

export const storedFieldsOf = (
  event: SiteInsightsEvent,
  cached: CachedSite,
  marker: (text: string) => string
): Omit<StoredEvent, "id" | "at" | "weight"> => {
  const { site, shareLinks, shareLinkOf } = cached
  const { session, location } = event
  const { siteSection, siteSpace, space, page, siteShareKey } = location
  const link = siteShareKey
    ? (shareLinkOf(siteShareKey) ?? shareLinks.find(({ id }) => id === siteShareKey))
    : undefined
  // A space that is not on the site was invented by the sender.
  const isSpace = space !== null && spaces(site.structure).includes(space as SpaceId)
  const query = "query" in event ? event.query?.toWellFormed().trim() : undefined
  const url = URL.parse(location.url)
  const utm = utmNames.flatMap((name) => {
    const value = url?.searchParams.get(`utm_${name}`)
    return value ? [[name, value.slice(0, maxName).toWellFormed()] as const] : []
  })
  return {
    site: site.id,
    type: event.type,
    visitor: marker(`visitor ${session.visitorId}`).slice(0, 16),
    session: marker(`session ${session.sessionId}`).slice(0, 16),
    context: location.displayContext ?? "site",
    url: plainUrl(withoutShareKey(location.url, cached)),
    ...(siteSection !== null && findSection(site.structure, siteSection) && { siteSection }),
    ...(siteSpace !== null && findSiteSpace(site.structure, siteSpace) && { siteSpace }),
    ...(isSpace && page !== null && { page: { page, space } }),
    ...(link && { shareKey: link.id }),
    ...(session.language !== null && { language: session.language.slice(0, maxName).toWellFormed() }),
    ...browserOf(session.userAgent),
    referrer: session.referrer === null ? "" : plainUrl(withoutShareKey(session.referrer, cached)),
    ...(utm.length > 0 && { utm: Object.fromEntries(utm) }),
    ...(query && { query }),
    ...("feedback" in event && { rating: event.feedback.rating }),
    ...("feedback" in event && "comment" in event.feedback && { comment: event.feedback.comment })
  }
}

/** Returns a URL without parts that may identify a visitor: query, fragment and credentials. */
const plainUrl = (text: string): string => {
  const url = URL.parse(text)
  return url === null || !/^https?:$/.test(url.protocol) ? "" : `${url.origin}${url.pathname}`.slice(0, maxUrl)
}
