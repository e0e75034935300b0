/**
 * The question where a URL of a published site leads, and its answer. A renderer asks at every page view.
 *
 * Limits: URL 4,096 characters, beside the token in it; token 8 KiB, claims 2.5 KiB.
 */
import { Schema } from "effect"
import { PageId } from "../content/pages/Page.ts"
import * as Text from "../schema/Text.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { SiteId } from "../site/Site.ts"
import { SiteSectionId, SiteSpaceId } from "../site/SiteStructure.ts"
import { SpaceId } from "../space/Space.ts"

/** Most URLs say so at once; others hold what the parser drops. */
const isHttp = (text: string) =>
  /^https?:/i.test(text) ? URL.canParse(text) : /^https?:$/.test(URL.parse(text)?.protocol ?? "")

export const maxTokenLength = 8 * 1024
const maxUrlLength = 4096

/** Tells whether a URL is short enough, once a token in it is set apart. */
export const isShortEnough = (text: string): boolean =>
  text.length <= maxUrlLength ||
  (text.length <= maxUrlLength + maxTokenLength &&
    text.replace(/(?<=[?&]jwt_token=)[^&#]*/g, "").length <= maxUrlLength)

export const PublicUrlText = Text.between(1, maxUrlLength + maxTokenLength).check(
  Schema.makeFilter((text: string) =>
    !isShortEnough(text)
      ? `Expected at most ${maxUrlLength} characters, beside a jwt_token`
      : isHttp(text)
        ? undefined
        : "Expected an http or https URL"
  )
)

/** Credentials and claims of a visitor. Those in the URL count as well. */
export const VisitorPayload = Schema.Struct({
  /** Signed with the site's key, or the session that it was exchanged for; below a preview what opens that. */
  jwtToken: Schema.optionalKey(Schema.String),
  /** Claims from a cookie that anyone may write. */
  unsignedClaims: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type VisitorPayload = typeof VisitorPayload.Type

export const PublishedUrlQuery = Schema.Struct({
  url: PublicUrlText,
  visitor: Schema.optionalKey(VisitorPayload),
  /** False: a visitor whose token is no good is not sent to sign on. Default: it is, as one without a token. */
  redirectOnError: Schema.optionalKey(Schema.Boolean)
})
export type PublishedUrlQuery = typeof PublishedUrlQuery.Type

/** The same as older clients ask it: what they show of the visitor is a token alone. */
export const PublishedUrlParams = Schema.Struct({
  url: PublicUrlText.annotateKey({ description: "The URL to look up." }),
  visitorAuthToken: Schema.optionalKey(Schema.String).annotateKey({
    description: "The signed token of the visitor, where there is one."
  }),
  redirectOnError: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`false`: answers 404 where a visitor would be sent to sign on."
  })
})
export type PublishedUrlParams = typeof PublishedUrlParams.Type

export const queryOf = ({ visitorAuthToken, ...params }: PublishedUrlParams): PublishedUrlQuery => ({
  ...params,
  ...(visitorAuthToken !== undefined && { visitor: { jwtToken: visitorAuthToken } })
})

/** The URL leads on: `content` within the site, `external` to where visitors sign on. */
export const PublishedRedirect = Schema.Struct({
  target: Schema.Literals(["content", "external"]),
  /** Of an external one. */
  site: Schema.optionalKey(SiteId),
  redirect: Schema.String,
  /** True for a redirect that was set as permanent. What has moved may move again. */
  permanent: Schema.optionalKey(Schema.Boolean)
})

/** A cookie for the renderer to set: with it the visitor stays signed on, or goes on to see a preview. */
export const SessionCookie = Schema.Struct({
  /** `lectern-preview` holds what opens a preview. */
  name: Schema.Literals(["lectern-visitor", "lectern-preview"]),
  value: Schema.String,
  path: Schema.String,
  /** Seconds. */
  maxAge: Schema.Int
})

export const PublishedContent = Schema.Struct({
  object: Schema.Literal("published-url"),
  organization: OrganizationId,
  site: SiteId,
  siteSection: Schema.optionalKey(SiteSectionId),
  siteSpace: SiteSpaceId,
  space: SpaceId,
  /** The page at the path, if there is one at all in the space. */
  page: Schema.optionalKey(PageId),
  /** The path of the page below the space, with a slash in front. */
  pathname: Schema.String,
  /** Parts of the URL's path that lead to the space, and to the site; each ends with a slash. */
  basePath: Schema.String,
  siteBasePath: Schema.String,
  canonicalUrl: Schema.String,
  shareKey: Schema.optionalKey(Schema.String),
  /** True for a preview: what is shown is not for everyone, and not to be found by search engines. */
  preview: Schema.optionalKey(Schema.Boolean),
  /** The change request that is previewed. */
  changeRequest: Schema.optionalKey(Schema.String),
  /** True where no more of the URL could name a section or a space. */
  complete: Schema.Boolean,
  /** Changes with what is known of the visitor; absent where nothing is. */
  contextId: Schema.optionalKey(Schema.String),
  /** Reads what is published of this site for this visitor. */
  apiToken: Schema.String,
  session: Schema.optionalKey(SessionCookie)
})
export type PublishedContent = typeof PublishedContent.Type

export const PublishedUrl = Schema.Union([PublishedContent, PublishedRedirect])
export type PublishedUrl = typeof PublishedUrl.Type

export class PublishedUrlNotFound extends Schema.TaggedError<PublishedUrlNotFound>()(
  "PublishedUrlNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
