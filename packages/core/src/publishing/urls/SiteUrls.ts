/**
 * Finds the site of a URL: by its hostname, by the host and path of a proxy, or by its basename. In a request for a
 * mounted site, only by the URL of the mount (see `SiteMount`).
 */
import { Effect } from "effect"
import type { SiteId } from "../../site/Site.ts"
import {
  type AddressKind,
  type AddressRow,
  basenameIn,
  publishedUrl,
  SiteMount,
  sitesUrl
} from "../../site/SiteAddress.ts"
import { SiteAddresses } from "../../site/SiteAddresses.ts"
import { type CachedSite, SiteStore } from "../../site/store/SiteStore.ts"

export interface SiteUrl {
  readonly cachedSite: CachedSite
  /** Kind of the address that matched. */
  readonly addressKind: AddressKind | "mount"
  /** Path of the site with slashes at both ends. */
  readonly basePath: string
  /** Decoded segments of the path after `basePath`. */
  readonly segments: ReadonlyArray<string>
  /** Base that the URL should have. Differs from the URL if the site has another address now. */
  readonly base: string
  readonly moved: boolean
}

export const makeSiteUrls = Effect.gen(function* () {
  const addresses = yield* SiteAddresses
  const store = yield* SiteStore
  const sites = yield* sitesUrl
  const basenameOf = basenameIn(sites)

  /** Returns the address of a URL, and the number of its path segments. */
  const addressOf = Effect.fnUntraced(function* (url: URL, segments: ReadonlyArray<string>) {
    const basename = basenameOf(url, segments)
    const atBasename = basename && (yield* addresses.atBasename(basename.name))
    if (atBasename !== undefined) return { address: atBasename, length: basename!.length }
    const hostAddresses = yield* addresses.atHost(url.hostname)
    const path = [url.hostname, ...segments.map((segment) => segment.replaceAll("/", "%2f"))].join("/").toLowerCase()
    let best: AddressRow | undefined
    for (const address of hostAddresses) {
      if (address.kind === "proxy" && path !== address.name && !path.startsWith(`${address.name}/`)) continue
      if (best === undefined || addressRank(address) > addressRank(best)) best = address
    }
    return best && { address: best, length: best.name.split("/").length - 1 }
  })

  const findAtMount = Effect.fnUntraced(function* (mount: SiteMount, url: URL, segments: ReadonlyArray<string>) {
    const mountUrl = new URL(mount.url)
    const mountSegments = decodeSegments(mountUrl.pathname) ?? []
    const isBelow = url.origin === mountUrl.origin && mountSegments.every((segment, i) => segments[i] === segment)
    const cachedSite = isBelow ? yield* store.get(mount.site) : undefined
    if (cachedSite === undefined) return undefined
    return {
      cachedSite,
      addressKind: "mount",
      basePath: mountUrl.pathname,
      segments: segments.slice(mountSegments.length),
      base: mount.url,
      moved: false
    } satisfies SiteUrl
  })

  return {
    /**
     * Returns the site of a preview URL in the form of the hosted service, `…/preview/{site}` at any host. Undefined if
     * the URL names no site or a site other than `site`.
     */
    preview: Effect.fnUntraced(function* (url: URL, site: string) {
      const segments = decodeSegments(url.pathname) ?? []
      const prefixIndex = segments.findIndex((segment, i) => segment === "preview" && segments[i + 1] === site)
      const cachedSite = prefixIndex === -1 ? undefined : yield* store.get(site as SiteId)
      if (cachedSite === undefined) return undefined
      const baseSegments = segments.slice(0, prefixIndex + 2).map((segment) => `${encodeURIComponent(segment)}/`)
      const basePath = `/${baseSegments.join("")}`
      return {
        cachedSite,
        addressKind: "basename",
        basePath,
        segments: segments.slice(prefixIndex + 2),
        base: url.origin + basePath,
        moved: false
      } satisfies SiteUrl
    }),

    /** Returns undefined if there is no site, published or not. */
    find: Effect.fnUntraced(function* (url: URL) {
      const segments = decodeSegments(url.pathname)
      if (segments === undefined) return undefined
      const mount = yield* SiteMount
      if (mount !== undefined) return yield* findAtMount(mount, url, segments)
      const match = yield* addressOf(url, segments)
      const cachedSite = match && (yield* store.get(match.address.site))
      if (cachedSite === undefined) return undefined
      const { address, length } = match!
      const { site } = cachedSite
      // A proxy forwards requests to the basename, which therefore stays valid; a hostname replaces it.
      const hasMoved =
        !address.current || (address.kind === "basename" && site.hostname !== undefined && site.proxy === undefined)
      const basePath = `/${segments.slice(0, length).map(encodeURIComponent).join("/")}${length > 0 ? "/" : ""}`
      return {
        cachedSite,
        addressKind: address.kind,
        basePath,
        segments: segments.slice(length),
        base: hasMoved ? publishedUrl(site, sites) : `${url.origin}${basePath}`,
        moved: hasMoved
      } satisfies SiteUrl
    })
  }
})

/** Ranks addresses: current ones before former ones, then the longest. */
const addressRank = ({ current, name }: AddressRow) => (current ? 10_000 : 0) + name.length

const segmentsOf = (pathname: string) => pathname.split("/").filter((segment) => segment !== "")

/** Returns the decoded segments of a path; undefined if it cannot be decoded. */
const decodeSegments = (pathname: string): ReadonlyArray<string> | undefined => {
  try {
    return segmentsOf(pathname).map(decodeURIComponent)
  } catch {
    return undefined
  }
}
