/**
 * Sign-in of visitors of a site with visibility `visitor-auth`: by a JWT that the site's owner signs with the site's
 * key (`custom`), or that an integration on the site signs with its own (`integration`). Visitors without a token are
 * sent to the fallback URL or to the integration; `logoutURL` is the page to sign out.
 *
 * Limits: URLs 2,048 characters, http or https. Default: `custom`.
 */
import { Schema } from "effect"
import { sealed } from "../schema/Sealed.ts"
import * as Text from "../schema/Text.ts"
import { SiteId } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"

/** Signer of visitors' tokens: an application of the site's owner, or an integration. */
const Backend = Schema.Literals(["custom", "integration"])

export const PublishingAuthRow = Schema.Struct({
  site: SiteId,
  backend: Backend,
  /** Id of the key. Tokens signed with a key of another id are invalid. */
  keyId: Schema.String,
  /** Key that signs the tokens of visitors. */
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
  /** `custom`: your code signs the tokens of visitors with the key of the site. `integration`: an integration does. */
  backend: Schema.optionalKey(Backend),
  /** URL to which visitors without a valid token are redirected to sign in. `null` removes it. */
  fallbackURL: Schema.optionalKey(Schema.NullOr(Text.HttpUrl)),
  /** URL to which visitors are redirected when they sign out. `null` removes it. */
  logoutURL: Schema.optionalKey(Schema.NullOr(Text.HttpUrl))
})
export type PublishingAuthPatch = typeof PublishingAuthPatch.Type

/** Sign-in settings as returned by the interface. */
export const PublishingAuth = Schema.Struct({
  object: Schema.Literal("publishing-auth"),
  backend: Backend,
  /** The site's own key. */
  privateKey: Schema.String,
  fallbackURL: Schema.optionalKey(Schema.String),
  logoutURL: Schema.optionalKey(Schema.String),
  /** The integration on the site that can sign in visitors, if there is one. */
  integration: Schema.optionalKey(Schema.String)
})
export interface PublishingAuth extends Schema.Schema.Type<typeof PublishingAuth> {}

/** Raised if no active integration on the site can sign in visitors. */
export class NoVisitorIntegration extends Schema.TaggedError<NoVisitorIntegration>()(
  "NoVisitorIntegration",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
