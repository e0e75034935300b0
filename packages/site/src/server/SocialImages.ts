/**
 * Preview pictures of pages for links on social media. The URL of a picture contains a hash of the picture's content. A
 * picture is rendered when its URL is first requested, never with the page, and then cached.
 *
 * Pages of public and unlisted sites have a picture, unless the site sets its own picture (`socialPreview`).
 *
 * Limits: caches 16 MiB of the most recently used pictures, at most 2 MiB per site. At most 20 pictures are rendered at
 * a time; further requests get a 503 response.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { LruCache } from "@lectern/core/storage/LruCache"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import * as AlternateUrls from "../machine-readable/AlternateUrls.ts"
import * as Head from "../page/Head.ts"
import type { SnippetRenderer } from "../rendering/SnippetRenderer.ts"
import * as SocialImage from "../rendering/SocialImage.ts"
import type { ResolvedPage } from "../reading/SitePages.ts"

const cacheBytes = 16 * 1024 * 1024
const siteBytes = 2 * 1024 * 1024
const maxWaiting = 20
const year = 365 * 24 * 60 * 60
/** Version of the rendering. A new version changes all URLs. */
const version = 1

type Png = Uint8Array | undefined

export const make = ({ sha256 }: Pick<Hasher["Service"], "sha256">, renderer: SnippetRenderer | undefined) => {
  const bySite = new LruCache<string, LruCache<string, { readonly png: Png }>>(cacheBytes / siteBytes)
  const flights = new SingleFlight<string, Png>()
  const renderImage = renderer?.socialImage

  const imageOf = ({ sitePage, published, site: { site } }: ResolvedPage) => {
    const isPublic = site.visibility === "public" || site.visibility === "unlisted"
    if (renderImage === undefined || !isPublic || published.preview === true) return undefined
    if (sitePage.customization.socialPreview.url !== undefined) return undefined
    if (sitePage.site.staticSite?.hasPictures === false) return undefined
    const image = SocialImage.socialImageOf(sitePage, Head.nameOf(sitePage), Head.descriptionOf(sitePage))
    const hash = sha256(JSON.stringify([version, image])).slice(0, 22)
    return { image, hash, url: `${AlternateUrls.socialImageUrl(sitePage.canonicalUrl)}?v=${hash}` }
  }

  const siteCache = (site: string) => {
    let cache = bySite.get(site)
    if (cache === undefined) bySite.set(site, (cache = new LruCache(siteBytes)), 1)
    return cache
  }

  const renderOnce = (site: string, hash: string, image: SocialImage.SocialImage) => {
    const renderAndStore = Effect.map(renderImage!(image), (png) => {
      siteCache(site).set(hash, { png }, (png?.length ?? 0) + 500)
      return png
    })
    return flights.run(hash, renderAndStore)
  }

  return {
    /** Returns the URL of a page's picture; undefined if the page has no picture. */
    urlOf: (found: ResolvedPage): string | undefined => imageOf(found)?.url,

    /** Returns the response for the URL of a picture; undefined if the page has no picture. */
    respond: Effect.fnUntraced(function* (found: ResolvedPage, url: URL) {
      const result = imageOf(found)
      if (result === undefined) return undefined
      const { image, hash } = result
      if (url.searchParams.get("v") !== hash) {
        return HttpServerResponse.empty({ status: 307, headers: { ...headers, location: result.url } })
      }
      const site = found.published.site
      const cached = siteCache(site).get(hash)
      if (cached === undefined && flights.size >= maxWaiting && !flights.has(hash)) {
        return HttpServerResponse.empty({ status: 503, headers: { ...headers, "retry-after": "10" } })
      }
      const png = cached === undefined ? yield* renderOnce(site, hash, image) : cached.png
      return (
        png &&
        HttpServerResponse.uint8Array(png, {
          contentType: "image/png",
          headers: {
            ...headers,
            etag: `"${hash}"`,
            "cache-control": `public, max-age=${year}, immutable`,
            "cross-origin-resource-policy": "cross-origin"
          }
        })
      )
    })
  }
}

export type SocialImages = ReturnType<typeof make>

const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff"
}
