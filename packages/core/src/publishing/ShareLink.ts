/**
 * A share link opens a site with visibility `share-link` to everyone who has it: its key is the first segment of the
 * path below the site. It is disabled by setting it inactive, or by deleting it.
 *
 * Limits: name 50 characters, 100 links of a site.
 */
import { Schema } from "effect"
import type { Instance } from "../identity/Instance.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SiteId } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"

export const maxShareLinks = 100

const Name = Text.line(0, 50)

export const ShareLinkRow = Schema.Struct({
  site: SiteId,
  id: Schema.String,
  name: Name,
  /** Key in the URL. */
  key: sealed<string>(),
  /** Hash by which the link is found (see `shareKeyHash`). */
  mark: Schema.String,
  active: Schema.Boolean,
  createdAt: Timestamp
})
export type ShareLinkRow = typeof ShareLinkRow.Type

export const ShareLinkTable = Table.make("shareLink", ShareLinkRow, {
  key: ["site", "id"],
  indexes: [["site", "createdAt"]],
  sealed: ["key"]
})

/** Returns a hash of a key, equal for equal keys of a site. It does not reveal the key. */
export const shareKeyHash = (instance: Instance["Service"], site: SiteId, key: string): string =>
  instance.sign("share key", `${site} ${key}`)

export const ShareLinkCreate = Schema.Struct({
  /** Name, for the people who manage the links. */
  name: Name
})
export type ShareLinkCreate = typeof ShareLinkCreate.Type

export const ShareLinkPatch = Schema.Struct({
  /** Name, for the people who manage the links. */
  name: Schema.optionalKey(Name),
  /** False to refuse visitors who have the key. */
  active: Schema.optionalKey(Schema.Boolean)
})
export type ShareLinkPatch = typeof ShareLinkPatch.Type

/** Share link as returned by the interface. */
export const ShareLink = Schema.Struct({
  object: Schema.Literal("share-link"),
  id: Schema.String,
  createdAt: Timestamp,
  /** Name, for the people who manage the links. */
  name: Schema.String,
  /** False if visitors with the key are refused. */
  active: Schema.Boolean,
  urls: Schema.Struct({ published: Schema.String })
})
export interface ShareLink extends Schema.Schema.Type<typeof ShareLink> {}

export class ShareLinkNotFound extends Schema.TaggedError<ShareLinkNotFound>()(
  "ShareLinkNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export class TooManyShareLinks extends Schema.TaggedError<TooManyShareLinks>()(
  "TooManyShareLinks",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
