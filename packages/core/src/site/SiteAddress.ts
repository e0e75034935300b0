/**
 * Addresses of sites: a basename below the address of all sites, a hostname of their own, or a path behind a
 * proxy (`host/path`). Each is unique on the instance whatever its case. A given-up address leads on to its
 * site until another site takes it.
 *
 * Limits: a site keeps the last 10 addresses that it gave up.
 */
import { Context, Effect, Schema } from "effect"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { SiteId, type SiteRow } from "./Site.ts"

/**
 * The URL before the basename of a site, without a slash at the end; null for `sites` below the public URL of
 * the instance.
 */
export const SitesUrl = Context.Reference<string | null>("@lectern/core/site/SitesUrl", { defaultValue: () => null })

export const sitesUrl = Effect.map(Effect.all([SitesUrl, PublicUrl]), ([url, publicUrl]) => url ?? `${publicUrl}/sites`)

export const AddressKind = Schema.Literals(["basename", "hostname", "proxy"])
export type AddressKind = typeof AddressKind.Type

const AddressRow = Schema.Struct({
  kind: AddressKind,
  /** In lower case. */
  name: Schema.String,
  /** The host that it is looked up by; empty for a basename. */
  host: Schema.String,
  site: SiteId,
  /** Otherwise it was given up, and leads on. */
  current: Schema.Boolean,
  changedAt: Timestamp
})
export type AddressRow = typeof AddressRow.Type

export const AddressTable = Table.make("siteAddress", AddressRow, {
  key: ["kind", "name"],
  indexes: [["host"], ["site", "kind", "current", "changedAt"]]
})

/** The URL that a site is published at, with a slash at the end. */
export const publishedUrl = (site: SiteRow, sites: string): string =>
  site.proxy !== undefined
    ? `https://${site.proxy}/`
    : site.hostname !== undefined
      ? `https://${site.hostname}/`
      : directUrl(site, sites)

/** The URL that a proxy passes requests on to. */
export const directUrl = (site: SiteRow, sites: string): string => `${sites}/${site.basename}/`
