/**
 * Addresses of sites: a basename below the URL of all sites, a hostname, or a path behind a proxy (`host/path`). Each
 * is unique on the instance regardless of case. A former address redirects to its site until another site takes it.
 *
 * Limits: a site keeps its last 10 former addresses.
 */
import { Context, Effect, Schema } from "effect"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import * as ServedNames from "./ServedNames.ts"
import { SiteId, type SiteRow } from "./Site.ts"

/**
 * URL before the basename of a site, without a trailing slash. Null: `sites` below the public URL of the instance. If
 * the first label of the host is `*`, each site has its own host: `https://*.docs.example.com`.
 */
export const SitesUrl = Context.Reference<string | null>("@lectern/core/site/SitesUrl", { defaultValue: () => null })

export const sitesUrl = Effect.map(Effect.all([SitesUrl, PublicUrl]), ([url, publicUrl]) => url ?? `${publicUrl}/sites`)

export const AddressKind = Schema.Literals(["basename", "hostname", "proxy"])
export type AddressKind = typeof AddressKind.Type

const AddressRow = Schema.Struct({
  kind: AddressKind,
  /** Name in lower case. */
  name: Schema.String,
  /** Host by which the address is found; empty for a basename. */
  host: Schema.String,
  site: SiteId,
  /** False for a former address, which redirects. */
  current: Schema.Boolean,
  changedAt: Timestamp
})
export type AddressRow = typeof AddressRow.Type

export const AddressTable = Table.make("siteAddress", AddressRow, {
  key: ["kind", "name"],
  indexes: [["host"], ["site", "kind", "current", "changedAt"]]
})

/**
 * The only site of a request: a host serves it at a URL of its own, which replaces its other addresses. Default: sites
 * are found by their addresses.
 */
export interface SiteMount {
  readonly site: SiteId
  /** Absolute URL with a trailing slash. */
  readonly url: string
  /**
   * Set if the site is written to files: URLs of pages end with a slash, as file servers need it, and parts that need a
   * server are left out. Default: a server responds to requests.
   */
  readonly staticSite?: {
    /** True if `url` is the public URL of the site. If false, its origin is a placeholder. */
    readonly hasPublicUrl: boolean
    /** True if pages have pictures for link previews. */
    readonly hasPictures: boolean
  }
}

export const SiteMount = Context.Reference<SiteMount | undefined>("@lectern/core/site/SiteMount", {
  defaultValue: () => undefined
})

/** A site, with the URL of its mount if it is mounted (see `SiteMount`). */
export type AddressedSite = SiteRow & { readonly mountUrl?: string }

/** Returns the URL of a published site, with a trailing slash. */
export const publishedUrl = (site: AddressedSite, sites: string): string =>
  site.mountUrl ??
  (site.proxy !== undefined
    ? `https://${site.proxy}/`
    : site.hostname !== undefined
      ? `https://${site.hostname}/`
      : directUrl(site, sites))

/**
 * Returns the path of a URL below the site, with a leading slash and without a query; undefined for a URL elsewhere.
 * `https` and `http` are not distinguished.
 */
export const pathBelow = (site: AddressedSite, sites: string, text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null) return undefined
  for (const base of new Set([publishedUrl(site, sites), directUrl(site, sites)])) {
    const { host, pathname } = new URL(base)
    const isBelow = url.host === host && `${url.pathname}/`.toLowerCase().startsWith(pathname.toLowerCase())
    if (isBelow) return `/${url.pathname.slice(pathname.length).replace(/\/+$/, "")}`
  }
  return undefined
}

const anyHost = /^(https?:\/\/)\*(\..+)$/

/** Returns the URL to which a proxy forwards requests. */
export const directUrl = ({ basename }: Pick<SiteRow, "basename">, sites: string): string => {
  const [, scheme, domain] = anyHost.exec(sites) ?? []
  return domain === undefined ? `${sites}/${basename}/` : `${scheme}${basename}${domain}/`
}

/** Returns why a site cannot have a basename below this URL, or undefined if it can. */
export const basenameRefusal = (sites: string, basename: string): string | undefined => {
  if (anyHost.test(sites)) {
    return /^(?!-)[a-z0-9-]{1,63}$/i.test(basename) && !basename.endsWith("-")
      ? undefined
      : "Expected the first name of a host: 1 to 63 letters, digits and hyphens, with none of these at an end"
  }
  if (/^[.~]/.test(basename)) return "Expected a basename that does not begin with . or ~, which are for other things"
  const isReserved = ServedNames.isReserved(basename) && new URL(sites).pathname === "/"
  return isReserved ? `${basename} is for all sites at this host: choose another` : undefined
}

/**
 * Returns a function that finds the basename in a URL, if it may belong to a site below `sites`, and the number of its
 * path segments.
 */
export const basenameIn = (
  sites: string
): ((url: URL, segments: ReadonlyArray<string>) => { readonly name: string; readonly length: number } | undefined) => {
  const [, scheme, domain] = anyHost.exec(sites) ?? []
  if (domain !== undefined) {
    // `URL` omits the default port of the scheme, so the suffix must omit it as well.
    const hostSuffix = new URL(`${scheme}x${domain}`).host.slice(1)
    return ({ host }) =>
      host.endsWith(hostSuffix) && host.length > hostSuffix.length
        ? { name: host.slice(0, -hostSuffix.length), length: 0 }
        : undefined
  }
  const root = new URL(sites)
  const basenameSegments = root.pathname.split("/").filter((segment) => segment !== "")
  return ({ host }, segments) => {
    const name = segments[basenameSegments.length]
    return name !== undefined && host === root.host && basenameSegments.every((segment, i) => segments[i] === segment)
      ? { name: name.toLowerCase(), length: basenameSegments.length + 1 }
      : undefined
  }
}
