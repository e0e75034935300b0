/**
 * An event of a site's visitor, as sent by renderers: page views, feedback and others. Anyone may send events, so they
 * prove nothing.
 *
 * Limits: 100 events in one call; URLs 4,096 characters, a comment 512; at most 5 minutes old.
 */
import { Schema } from "effect"
import { PublicUrlText } from "../publishing/PublishedUrl.ts"
import { foreignFieldMessage } from "../schema/Input.ts"
import { InputTime } from "../schema/InputTime.ts"
import * as Text from "../schema/Text.ts"

export const maxEvents = 100
export const maxAge = 5 * 60 * 1000

const Id = Text.atMost(256)
const NullableId = Schema.NullOr(Id)

/** The visitor, as identified by the browser. */
const Session = Schema.Struct({
  visitorId: Id,
  sessionId: Id,
  cookies: Schema.Record(Schema.String, Schema.String),
  /** Default: the IP address of the request. */
  ip: Schema.optionalKey(Text.atMost(64)),
  userAgent: Text.atMost(4096),
  language: Schema.NullOr(Text.atMost(64)),
  referrer: Schema.NullOr(Text.atMost(4096))
})

const Location = Schema.Struct({
  url: PublicUrlText,
  /** Default: `site`. */
  displayContext: Schema.optionalKey(Schema.Literals(["site", "server", "embed", "mcp"])),
  siteSection: NullableId,
  siteSpace: NullableId,
  /** Key or id of the share link that the visitor used. */
  siteShareKey: Schema.optionalKey(NullableId),
  space: NullableId,
  revision: NullableId,
  page: NullableId
})

export const Rating = Schema.Literals(["bad", "ok", "good"])

const about = {
  session: Session,
  location: Location,
  /** Time of the event in ISO 8601. Default: now. */
  timestamp: Schema.optionalKey(InputTime)
}

const knownTypes: ReadonlySet<string> = new Set(["page_view", "page_post_feedback", "page_post_feedback_comment"])

export const SiteInsightsEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("page_view"), ...about }),
  Schema.Struct({
    type: Schema.Literal("page_post_feedback"),
    ...about,
    feedback: Schema.Struct({ rating: Rating })
  }),
  Schema.Struct({
    type: Schema.Literal("page_post_feedback_comment"),
    ...about,
    feedback: Schema.Struct({ rating: Rating, comment: Text.between(1, 512) })
  }),
  Schema.Struct({
    type: Text.between(1, 100).check(
      Schema.makeFilter((type: string) => (knownTypes.has(type) ? foreignFieldMessage : undefined))
    ),
    ...about,
    /** Search query, or question. */
    query: Schema.optionalKey(Text.atMost(512))
  })
])
export type SiteInsightsEvent = typeof SiteInsightsEvent.Type

export const InsightsTrack = Schema.Struct({
  /** Events, with the visitor, the session and the page. */
  events: Schema.Array(SiteInsightsEvent).check(Schema.isMaxLength(maxEvents))
})
export type InsightsTrack = typeof InsightsTrack.Type
