/**
 * Files of the pages of a mounted site (see `SiteMount`), below the site, so that its host needs no API for readers. The
 * URLs are those of the API with another base. So are their checks (see `FileUrls` and `Downloads` of the core).
 */
import { Downloads } from "@lectern/core/content/files/Downloads"
import * as FileResponse from "@lectern/core/content/files/FileResponse"
import type * as Resources from "@lectern/core/content/ContentResources"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import * as Text from "@lectern/document/Text"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as EntityTag from "./EntityTag.ts"

const folder = "~files"

/** Path of a file at the API, and its query. */
const apiPath = /\/v1\/(?:orgs|spaces)\/[^?]+\/files\/.+$/

type DownloadedFile = Pick<Resources.File, "name" | "downloadURL">

/** Returns the URL of a file below the mounted site. URLs that are not of the API stay unchanged. */
const mountedUrl = ({ url }: Pick<SiteMount, "url">, downloadUrl: string): string => {
  const match = apiPath.exec(downloadUrl)
  return match === null ? downloadUrl : `${url}${folder}${match[0]}`
}

/**
 * Returns the URL of a file. `base`: path or URL of the page's space. If the site is written to files, the URL is a path
 * if `base` is a path, so that the site works at every host.
 */
export const urlOf = (mount: SiteMount, base: string, file: DownloadedFile): string => {
  const written = mount.staticSite && writtenFile(mount, file)
  if (written === undefined) return mountedUrl(mount, file.downloadURL)
  const siteBase = base.startsWith("/") ? new URL(mount.url).pathname : mount.url
  return siteBase + written.path.split("/").map(encodeURIComponent).join("/")
}

/** Characters of the hash in the path of a written file. */
const hashLength = 16
const maxName = 100

/** Characters that some file systems or URLs don't allow in names. */
const unusualCharacters = /[^\p{L}\p{M}\p{N}._-]+/gu

/**
 * Returns the path of a file below a site that is written to files, decoded, and the URL of its bytes while it is
 * written. The path contains the hash of the bytes. Undefined if the URL is not of the API.
 */
export const writtenFile = (mount: SiteMount, { downloadURL, name }: DownloadedFile) => {
  const hash = publishedPath.exec(URL.parse(downloadURL)?.pathname ?? "")?.[5]
  if (hash === undefined) return undefined
  const [, stem = "", extension = ""] = /^(.*?)(\.[\w-]{1,10})?$/s.exec(name.toWellFormed()) ?? []
  const safeStem = Text.truncate(stem.replaceAll(unusualCharacters, "-"), maxName).replace(/^[.-]+/, "")
  const path = `${folder}/${hash.slice(0, hashLength)}/${safeStem || "file"}${extension.replaceAll(unusualCharacters, "")}`
  return { path, url: mountedUrl(mount, downloadURL) }
}

const publishedPath = /^\/v1\/orgs\/([^/]+)\/sites\/([^/]+)\/spaces\/([^/]+)\/files\/([^/]+)\/([^/]+)$/
const revisionPath = /^\/v1\/spaces\/([^/]+)\/revisions\/([^/]+)\/files\/([^/]+)\/download$/

export const make = Effect.gen(function* () {
  const downloads = yield* Downloads

  /** Returns the file of a path and query below the folder. */
  const find = Effect.fnUntraced(function* (path: string, query: URLSearchParams) {
    const signature = query.get("signature") ?? ""
    const [, organization, site, sharedSpace = "", sharedFile = "", hash = ""] = publishedPath.exec(path) ?? []
    if (organization !== undefined && site !== undefined) {
      const claims = query.get("claims")
      const via = query.get("via") ?? ""
      const link = { organization, site, space: sharedSpace, file: sharedFile, hash, via, signature }
      return yield* downloads.published({ ...link, ...(claims !== null && { claims }) })
    }
    const [, space, revision = "", file = ""] = revisionPath.exec(path) ?? []
    if (space === undefined) return undefined
    return yield* downloads.ofRevision({ space, revision, file, expires: Number(query.get("expires")), signature })
  })

  /** Returns the response to a request for a file; undefined for other paths. */
  return Effect.fnUntraced(function* (
    { pathname, searchParams }: URL,
    { headers, method }: HttpServerRequest.HttpServerRequest
  ) {
    const mount = yield* SiteMount
    const base = mount && new URL(mount.url).pathname + folder
    if (mount === undefined || base === undefined || !pathname.startsWith(`${base}/`)) return undefined
    if (method !== "GET" && method !== "HEAD") return undefined
    const found = yield* find(pathname.slice(base.length), searchParams).pipe(
      Effect.catchTag("FileNotFound", () => Effect.undefined)
    )
    if (found === undefined) return HttpServerResponse.empty({ status: 404 })
    if ("replaced" in found) {
      const location = mountedUrl(mount, found.replaced)
      return HttpServerResponse.redirect(location, { status: 307, headers: { "cache-control": "private, no-cache" } })
    }
    const { file, isPublic } = found
    const etag = `"${file.blob}"`
    const sharedHeaders = { ...FileResponse.headersOf(file, { isPublic }), etag, "accept-ranges": "bytes" }
    if (EntityTag.matchingTag(headers["if-none-match"], etag) !== undefined)
      return HttpServerResponse.empty({ status: 304, headers: sharedHeaders })
    const bytes = yield* found.bytes.pipe(Effect.catchTag("FileNotFound", () => Effect.undefined))
    if (bytes === undefined) return HttpServerResponse.empty({ status: 404 })
    const range = FileResponse.rangeOf(bytes.length, etag, headers)
    const total = bytes.length
    if (range === "none")
      return HttpServerResponse.empty({ status: 416, headers: { "content-range": `bytes */${total}` } })
    const { start, end } = range ?? { start: 0, end: total - 1 }
    const response = HttpServerResponse.uint8Array(bytes.subarray(start, end + 1), {
      status: range === undefined ? 200 : 206
    })
    return HttpServerResponse.setHeaders(response, {
      ...sharedHeaders,
      ...(range !== undefined && { "content-range": `bytes ${start}-${end}/${total}` })
    })
  })
})
