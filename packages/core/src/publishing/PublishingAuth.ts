/**
 * How visitors of a site of visibility `visitor-auth` sign on: with a JWT that the site's owner signs
 * with the site's key. Where a fallback URL is set, those without one are sent there.
 *
 * Limits: fallback URL 2,048 characters, http or https.
 */
import { Schema } from "effect"
import type { Place } from "../identity/Secrets.ts"
import * as Text from "../schema/Text.ts"
import { SiteId } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"

export const PublishingAuthRow = Schema.Struct({
  site: SiteId,
  /** Names the key: what was signed with an earlier one opens nothing any more. */
  keyId: Schema.String,
  /** Signs the tokens of visitors; sealed (see `keyPlace`). */
  sealedKey: Schema.String,
  fallbackURL: Schema.optionalKey(Text.HttpUrl)
})
export type PublishingAuthRow = typeof PublishingAuthRow.Type

export const PublishingAuthTable = Table.make("publishingAuth", PublishingAuthRow, { key: ["site"] })

export const keyPlace = (site: SiteId): Place => ["publishingAuth", site, "privateKey"]

const Backend = Schema.Literal("custom")

export const PublishingAuthPatch = Schema.Struct({
  backend: Schema.optionalKey(Backend),
  fallbackURL: Schema.optionalKey(Schema.NullOr(Text.HttpUrl))
})
export type PublishingAuthPatch = typeof PublishingAuthPatch.Type

/** The resource. */
export const PublishingAuth = Schema.Struct({
  object: Schema.Literal("publishing-auth"),
  backend: Backend,
  privateKey: Schema.String,
  fallbackURL: Schema.optionalKey(Schema.String)
})
export type PublishingAuth = typeof PublishingAuth.Type
