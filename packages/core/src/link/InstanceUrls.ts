/**
 * Converts absolute URLs of this instance to references: content by its address in the app, pages by their address on a
 * published site. So a link that was copied from the browser is stored by id, and follows its page.
 *
 * A URL with a query, and one to content that the writer may not see, stays unchanged.
 *
 * Limits: 100 URLs of sites in a document; the others stay unchanged.
 */
import { Effect, Result } from "effect"
import { Access } from "../access/Access.ts"
import type { ContentRef } from "@lectern/document/Document"
import { AppPaths } from "../identity/AppUrls.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { PublishedContent } from "../publishing/PublishedUrl.ts"
import { PublishedUrls } from "../publishing/urls/PublishedUrls.ts"
import { AddressTable, basenameIn, sitesUrl } from "../site/SiteAddress.ts"
import { type SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import * as AppUrl from "./AppUrl.ts"

const maxPublished = 100

type Published = typeof PublishedContent.Type

export const makeInstanceUrls = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const published = yield* PublishedUrls
  const spaces = storage.repository(SpaceTable)
  const siteAddresses = storage.repository(AddressTable)
  const { content } = yield* AppPaths
  const addresses = { publicUrl: yield* PublicUrl, sites: yield* sitesUrl, content }

  const basenameOf = basenameIn(addresses.sites)
  const isBelow = (url: URL) => basenameOf(url, segmentsOf(url)) !== undefined

  /** Returns the URLs with the address of a site. */
  const withSiteAddress = Effect.fnUntraced(function* (urls: ReadonlyArray<URL>) {
    const otherUrls = urls.filter((url) => !isBelow(url))
    const hosts = [...new Set(otherUrls.map(({ hostname }) => hostname))]
    const addressRows = hosts.length === 0 ? [] : yield* siteAddresses.list({ where: { host: { in: hosts } } })
    const hostsOfSites = new Set(addressRows.map(({ host }) => host))
    return urls.filter((url) => isBelow(url) || hostsOfSites.has(url.hostname))
  })

  const resolvePublished = Effect.fnUntraced(function* (url: URL) {
    const resolve = (target: string) =>
      published
        .resolve({ url: target, redirectOnError: false })
        .pipe(Effect.catchTag(["PublishedUrlNotFound", "InvalidInput"], () => Effect.succeed(undefined)))
    const result = yield* resolve(url.href)
    const finalResult = result !== undefined && "redirect" in result ? yield* resolve(result.redirect) : result
    // The front page of a space without pages refers to the space. Any other URL needs a page.
    return finalResult === undefined ||
      "redirect" in finalResult ||
      (finalResult.page === undefined && finalResult.pathname !== "/")
      ? undefined
      : finalResult
  })

  const visibleSpaces = Effect.fnUntraced(function* (ownSpace: SpaceId, contents: ReadonlyArray<Published>) {
    const otherSpaces = [...new Set(contents.map(({ space }) => space))].filter((id) => id !== ownSpace)
    const visibleIds = new Set<string>([ownSpace])
    for (const row of yield* spaces.getMany(otherSpaces.map((id) => ({ id })))) {
      if (row !== undefined && (yield* access.on(row)) !== undefined) visibleIds.add(row.id)
    }
    return visibleIds
  })

  return {
    /** Returns references for the URLs that lead to content, from within the space. */
    refs: Effect.fnUntraced(function* (ownSpace: SpaceId, urls: ReadonlyArray<string>) {
      const refsByUrl = new Map<string, ContentRef>()
      /** URLs as written, by their normalized form. */
      const byHref = new Map<string, Array<string>>()
      for (const url of urls) {
        const ref = AppUrl.refOf(addresses, url)
        if (ref !== undefined) refsByUrl.set(url, withoutOwnSpace(ownSpace, ref))
        else if (/^https?:/i.test(url) && !AppUrl.isApp(addresses, url)) {
          const parsed = URL.parse(url)
          if (parsed === null || parsed.search !== "") continue
          byHref.set(parsed.href, [...(byHref.get(parsed.href) ?? []), url])
        }
      }
      const candidates = (yield* withSiteAddress(Array.from(byHref.keys(), (href) => new URL(href)))).slice(
        0,
        maxPublished
      )
      const publishedContents = yield* Effect.forEach(candidates, resolvePublished)
      const visibleIds = yield* visibleSpaces(
        ownSpace,
        publishedContents.filter((content) => content !== undefined)
      )
      for (const [i, url] of candidates.entries()) {
        const content = publishedContents[i]
        if (content === undefined || !visibleIds.has(content.space)) continue
        for (const originalUrl of byHref.get(url.href)!)
          refsByUrl.set(originalUrl, withoutOwnSpace(ownSpace, refOf(content, url.hash)))
      }
      return refsByUrl
    })
  }
})

const segmentsOf = ({ pathname }: URL) => pathname.split("/").filter((segment) => segment !== "")

const refOf = ({ space, page }: Published, hash: string): ContentRef => {
  if (page === undefined) return { kind: "space", space }
  const anchor = Result.getOrElse(
    Result.try(() => decodeURIComponent(hash.slice(1))),
    () => hash.slice(1)
  )
  return anchor === "" ? { kind: "page", page, space } : { kind: "anchor", anchor, page, space }
}

/** Returns a reference without the space if it is within the space. */
const withoutOwnSpace = (ownSpace: SpaceId, ref: ContentRef): ContentRef => {
  if (ref.kind === "space" || !("space" in ref) || ref.space !== ownSpace) return ref
  const { space: _, ...inner } = ref
  return inner
}
