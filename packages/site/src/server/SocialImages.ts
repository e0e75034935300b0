/**
 * Preview pictures of pages for links on social media. The URL of a picture contains a hash of all of its content. A
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
import type { FoundPage } from "../reading/SitePages.ts"

const keptBytes = 16 * 1024 * 1024
const bytesOfSite = 2 * 1024 * 1024
const maxWaiting = 20
const year = 365 * 24 * 60 * 60
/** Version of the rendering. A new version changes all URLs. */
const version = 1

type Png = Uint8Array | undefined

export const make = ({ sha256 }: Pick<Hasher["Service"], "sha256">, painter: SnippetRenderer | undefined) => {
  const bySite = new LruCache<string, LruCache<string, { readonly png: Png }>>(keptBytes / bytesOfSite)
  const flights = new SingleFlight<string, Png>()
  const paint = painter?.socialImage

  const pictureOf = ({ shown, published, site: { site } }: FoundPage) => {
    const isPublic = site.visibility === "public" || site.visibility === "unlisted"
    if (paint === undefined || !isPublic || published.preview === true) return undefined
    if (shown.customization.socialPreview.url !== undefined) return undefined
    const picture = SocialImage.socialImageOf(shown, Head.nameOf(shown), Head.descriptionOf(shown))
    const hash = sha256(JSON.stringify([version, picture])).slice(0, 22)
    return { picture, hash, url: `${AlternateUrls.pictureOf(shown.canonicalUrl)}?v=${hash}` }
  }

  const keptOf = (site: string) => {
    let kept = bySite.get(site)
    if (kept === undefined) bySite.set(site, (kept = new LruCache(bytesOfSite)), 1)
    return kept
  }

  const drawn = (site: string, hash: string, picture: SocialImage.SocialImage) => {
    const keeping = Effect.map(paint!(picture), (png) => {
      keptOf(site).set(hash, { png }, (png?.length ?? 0) + 500)
      return png
    })
    return flights.run(hash, keeping)
  }

  return {
    /** Returns the URL of a page's picture; undefined if the page has no picture. */
    urlOf: (found: FoundPage): string | undefined => pictureOf(found)?.url,

    /** Returns the response for the URL of a picture; undefined if the page has no picture. */
    answer: Effect.fnUntraced(function* (found: FoundPage, url: URL) {
      const wanted = pictureOf(found)
      if (wanted === undefined) return undefined
      const { picture, hash } = wanted
      if (url.searchParams.get("v") !== hash) {
        return HttpServerResponse.empty({ status: 307, headers: { ...headers, location: wanted.url } })
      }
      const site = found.published.site
      const known = keptOf(site).get(hash)
      if (known === undefined && flights.size >= maxWaiting && !flights.has(hash)) {
        return HttpServerResponse.empty({ status: 503, headers: { ...headers, "retry-after": "10" } })
      }
      const png = known === undefined ? yield* drawn(site, hash, picture) : known.png
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

export type SocialPictures = ReturnType<typeof make>

const headers = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff"
}
