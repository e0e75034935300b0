/**
 * How visitors of a site of visibility `visitor-auth` sign on: with a JWT that the site's owner signs
 * with the site's key (`custom`), or an integration on the site with its own (`integration`). Where a
 * fallback URL is set, those without one are sent there, or to the integration; `logoutURL` is where
 * they sign off.
 *
 * Limits: URLs 2,048 characters, http or https. Default: `custom`.
 */
import { Schema } from "effect"
import { sealed } from "../schema/Sealed.ts"
import * as Text from "../schema/Text.ts"
import { SiteId } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"

/** The signer of visitors' tokens: an application of the site's owner, or an integration. */
const Backend = Schema.Literals(["custom", "integration"])

export const PublishingAuthRow = Schema.Struct({
  site: SiteId,
  backend: Backend,
  /** Names the key: what was signed with an earlier one opens nothing any more. */
  keyId: Schema.String,
  /** Signs the tokens of visitors. */
  key: sealed<string>(),
  fallbackURL: Schema.optionalKey(Text.HttpUrl),
  logoutURL: Schema.optionalKey(Text.HttpUrl)
})
export type PublishingAuthRow = typeof PublishingAuthRow.Type

export const PublishingAuthTable = Table.make("publishingAuth", PublishingAuthRow, {
  key: ["site"],
  sealed: ["key"]
})

export const PublishingAuthPatch = Schema.Struct({
  backend: Schema.optionalKey(Backend),
  fallbackURL: Schema.optionalKey(Schema.NullOr(Text.HttpUrl)),
  logoutURL: Schema.optionalKey(Schema.NullOr(Text.HttpUrl))
})
export type PublishingAuthPatch = typeof PublishingAuthPatch.Type

/** The resource. */
export const PublishingAuth = Schema.Struct({
  object: Schema.Literal("publishing-auth"),
  backend: Backend,
  /** The site's own. */
  privateKey: Schema.String,
  fallbackURL: Schema.optionalKey(Schema.String),
  logoutURL: Schema.optionalKey(Schema.String),
  /** The integration on the site that can sign visitors on, if there is one. */
  integration: Schema.optionalKey(Schema.String)
})
export type PublishingAuth = typeof PublishingAuth.Type

/** No integration that could sign visitors on is at work on the site. */
export class NoVisitorIntegration extends Schema.TaggedError<NoVisitorIntegration>()(
  "NoVisitorIntegration",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
