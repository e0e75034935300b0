/**
 * Request to resolve a URL of a published site, and its response. Renderers send one for each page view.
 *
 * Limits: URL 4,096 characters without the token in it; token 8 KiB, claims 2.5 KiB.
 */
import { Schema } from "effect"
import { PageId } from "../content/pages/Page.ts"
import * as Text from "../schema/Text.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { SiteId } from "../site/Site.ts"
import { SiteSectionId, SiteSpaceId } from "../site/SiteStructure.ts"
import { SpaceId } from "../space/Space.ts"

/** A fast check for most URLs. Other texts may contain characters that the parser removes. */
const isHttp = (text: string) =>
  /^https?:/i.test(text) ? URL.canParse(text) : /^https?:$/.test(URL.parse(text)?.protocol ?? "")

export const maxTokenLength = 8 * 1024
const maxUrlLength = 4096

/** Returns true if a URL is within the limit without its token. */
export const isWithinLength = (text: string): boolean =>
  text.length <= maxUrlLength ||
  (text.length <= maxUrlLength + maxTokenLength &&
    text.replace(/(?<=[?&]jwt_token=)[^&#]*/g, "").length <= maxUrlLength)

export const PublicUrlText = Text.between(1, maxUrlLength + maxTokenLength).check(
  Schema.makeFilter((text: string) =>
    !isWithinLength(text)
      ? `Expected at most ${maxUrlLength} characters, beside a jwt_token`
      : isHttp(text)
        ? undefined
        : "Expected an http or https URL"
  )
)

/** Credentials and claims of a visitor, in addition to those in the URL. */
export const VisitorPayload = Schema.Struct({
  /** A token signed with the site's key, or the session that replaces it; for a preview the token that opens it. */
  jwtToken: Schema.optionalKey(Schema.String),
  /** Claims that no token signs, from a cookie. */
  unsignedClaims: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type VisitorPayload = typeof VisitorPayload.Type

export const PublishedUrlQuery = Schema.Struct({
  /** URL that the visitor requested. */
  url: PublicUrlText,
  /** Token and claims of the visitor. Default: none. */
  visitor: Schema.optionalKey(VisitorPayload),
  /**
   * If false, a visitor with an invalid token is not redirected to sign in. Default: the visitor is redirected like a
   * visitor without a token.
   */
  redirectOnError: Schema.optionalKey(Schema.Boolean)
})
export type PublishedUrlQuery = typeof PublishedUrlQuery.Type

/** Form of a lookup for older clients, which send only a token of the visitor. */
export const PublishedUrlParams = Schema.Struct({
  url: PublicUrlText.annotateKey({ description: "The URL to look up." }),
  visitorAuthToken: Schema.optionalKey(Schema.String).annotateKey({
    description: "The signed token of the visitor, if the visitor has one."
  }),
  redirectOnError: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "`false`: responds with 404 instead of a redirect to sign-on."
  })
})
export type PublishedUrlParams = typeof PublishedUrlParams.Type

export const queryOf = ({ visitorAuthToken, ...params }: PublishedUrlParams): PublishedUrlQuery => ({
  ...params,
  ...(visitorAuthToken !== undefined && { visitor: { jwtToken: visitorAuthToken } })
})

/** The URL redirects: `content` within the site, `external` to sign in or elsewhere. */
export const PublishedRedirect = Schema.Struct({
  target: Schema.Literals(["content", "external"]),
  /** Set if the target is `external`. */
  site: Schema.optionalKey(SiteId),
  redirect: Schema.String,
  /** True for a redirect configured as permanent. Redirects of moved pages are not permanent. */
  permanent: Schema.optionalKey(Schema.Boolean)
})

/** A cookie that the renderer sets, so that the visitor stays signed in or keeps seeing a preview. */
export const SessionCookie = Schema.Struct({
  /** `lectern-preview`: contains the token of a preview. */
  name: Schema.Literals(["lectern-visitor", "lectern-preview"]),
  value: Schema.String,
  path: Schema.String,
  /** Lifetime in seconds. */
  maxAge: Schema.Int
})

export const PublishedContent = Schema.Struct({
  object: Schema.Literal("published-url"),
  organization: OrganizationId,
  site: SiteId,
  siteSection: Schema.optionalKey(SiteSectionId),
  siteSpace: SiteSpaceId,
  space: SpaceId,
  /** Page at the path, if the space has one. */
  page: Schema.optionalKey(PageId),
  /** Path of the page below the space, with a leading slash. */
  pathname: Schema.String,
  /** Parts of the URL's path that lead to the space, and to the site, each with a trailing slash. */
  basePath: Schema.String,
  siteBasePath: Schema.String,
  canonicalUrl: Schema.String,
  shareKey: Schema.optionalKey(Schema.String),
  /** True for a preview, which must not be cached for others or indexed. */
  preview: Schema.optionalKey(Schema.Boolean),
  /** Id of the previewed change request. */
  changeRequest: Schema.optionalKey(Schema.String),
  /** True if no longer prefix of the URL could name a section or a space. */
  complete: Schema.Boolean,
  /** Changes with the claims of the visitor; absent without claims. */
  contextId: Schema.optionalKey(Schema.String),
  /** Token that reads the content of this site published for this visitor. */
  apiToken: Schema.String,
  session: Schema.optionalKey(SessionCookie)
})
export interface PublishedContent extends Schema.Schema.Type<typeof PublishedContent> {}

export const PublishedUrl = Schema.Union([PublishedContent, PublishedRedirect])
export type PublishedUrl = typeof PublishedUrl.Type

export class PublishedUrlNotFound extends Schema.TaggedError<PublishedUrlNotFound>()(
  "PublishedUrlNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
