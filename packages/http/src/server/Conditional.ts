/**
 * Conditional requests for content. The entity tag names the revision, so a client with a current representation gets a
 * 304 before anything else is read. The tag also names the document format, which can differ between releases of
 * Lectern.
 */
import type { LocatedRevision } from "@lectern/core/content/reading/LocatedRevision"
import { dataFormat } from "@lectern/core/identity/DataFormat"
import * as TimeDependency from "@lectern/core/time/TimeDependency"
import * as JsonText from "@lectern/core/schema/JsonText"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import type { StorageError } from "@lectern/core/storage/Storage"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Effect } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { withHeaders } from "./Responses.ts"
import * as CacheTags from "./CacheTags.ts"
import { withoutEncoding } from "./Compression.ts"

/** File URLs for members expire, so responses with files are tagged with a time window of this length (ms). */
const fileWindow = 10 * 60 * 1000

/** Returns the part of a tag for file URLs: a time window for members; site and kind of access for visitors. */
const filesTag = ({ visitor }: LocatedRevision) =>
  visitor === undefined
    ? Effect.map(TimeDependency.windowOf(fileWindow), (window) => `-${window}`)
    : Effect.succeed(`-${visitor.site}-${visitor.via}${visitor.isVisibleToAll ? "" : "-claims"}`)

export const conditional = Effect.fnUntraced(function* <E, R, E2, R2>(
  locate: Effect.Effect<LocatedRevision, E, R>,
  read: (location: LocatedRevision) => Effect.Effect<object, E2, R2>,
  options: {
    readonly holdsFiles?: boolean
    /** Part of the revision, if it may be missing. Its tag is known only after the read. */
    readonly part?: string
  } = {}
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const ifNoneMatch = request.headers["if-none-match"]
  const location = yield* locate
  const part = options.part === undefined ? "" : `.${options.part}`
  const files = options.holdsFiles === true ? yield* filesTag(location) : ""
  // Visitors get pages filtered by conditions, so the tag depends on the visitor.
  const kind =
    location.visitor === undefined ? "" : `.${location.visitor.kind}${location.visitor.showsGit ? ".git" : ""}`
  // The tag contains the version of the specs, since computed pages depend on it.
  const sources = location.sources === undefined ? "" : `.${location.sources.key}`
  // The tag contains the integrations that render blocks, since blocks depend on them.
  const blocks = location.blocks === undefined ? "" : `.${location.blocks.key}`
  const revisionTag = `${location.revision.id}.f${dataFormat}${part}${kind}${sources}${blocks}${files}`
  const cacheTags = CacheTags.ofContent(location)
  const tagOf = location.sources?.tagOf
  if (tagOf === undefined) {
    const matched = ifNoneMatch === undefined ? undefined : matchingTag(ifNoneMatch, `"${revisionTag}"`)
    if (matched !== undefined) return notModified(matched, cacheTags)
  }
  const resource = yield* read(location)
  // Responses of integrations have no version before they are read. Their tag is a hash of the response.
  const etag = tagOf === undefined ? `"${revisionTag}"` : `"${revisionTag}.${resourceTag(resource, tagOf)}"`
  const matched = ifNoneMatch?.trim() === "*" ? etag : ifNoneMatch && matchingTag(ifNoneMatch, etag)
  return matched
    ? notModified(matched, cacheTags)
    : yield* slicedResourceResponse(resource, { ...headersOf(etag), ...cacheTags })
})

const tags = new WeakMap<object, string>()

/** Returns the tag of a resource. Computed once for a resource that is cached in memory. */
const resourceTag = (resource: object, tagOf: (body: string) => string): string => {
  const tag = tags.get(resource) ?? tagOf(JsonText.stringify(resource))
  tags.set(resource, tag)
  return tag
}

const headersOf = (etag: string) => ({ etag, "cache-control": "private, no-cache" })

const notModified = (etag: string, cacheTags: Record<string, string>) =>
  HttpServerResponse.empty({ status: 304, headers: { ...headersOf(etag), ...cacheTags } })

/**
 * Response bodies by resource. A large body is held by a weak reference: it lives only while a response sends it, and
 * does not count toward the size of the resource's cache.
 */
const bodies = new WeakMap<object, HttpBody.HttpBody | WeakRef<HttpBody.HttpBody>>()

/**
 * Size from which bodies are cached as bytes, in UTF-16 code units. A smaller body is sent faster as text, together
 * with the headers.
 */
const largeBody = 64 * 1024

const encoder = new TextEncoder()

const json = "application/json"

const bodyOf = (resource: object): HttpBody.HttpBody | undefined => {
  const body = bodies.get(resource)
  return body instanceof WeakRef ? body.deref() : body
}

const response = (body: HttpBody.HttpBody, headers: Record<string, string> | undefined) =>
  withHeaders(HttpServerResponse.setBody(HttpServerResponse.empty({ status: 200 }), body), headers)

/**
 * Responds with a resource that is cached in memory (see `Contents`, `SiteViews`). The resource is serialized to JSON
 * once.
 */
export const resourceResponse = (resource: object, headers?: Record<string, string>) => {
  let body = bodyOf(resource)
  if (body === undefined) {
    const text = JsonText.stringify(resource)
    body = text.length < largeBody ? HttpBody.text(text, json) : HttpBody.uint8Array(encoder.encode(text), json)
    bodies.set(resource, body)
  }
  return response(body, headers)
}

const encodings = new SingleFlight<object, HttpBody.HttpBody, StorageError>()

/** Responds with a resource. A large resource is serialized in time slices (see `Slice`). */
const slicedResourceResponse = (resource: object, headers: Record<string, string>) => {
  if (bodyOf(resource) !== undefined || !JsonText.isLarge(resource))
    return Effect.succeed(resourceResponse(resource, headers))
  const encode = Effect.gen(function* () {
    const budget = yield* MemoryBudget
    const bytes = yield* budget.runReserved(encodingMemory, JsonText.encode(resource))
    const body = HttpBody.uint8Array(bytes, json)
    bodies.set(resource, new WeakRef(body))
    return body
  })
  return Effect.map(encodings.run(resource, encode), (body) => response(body, headers))
}

/** Memory budget in bytes for serializing a large resource. The JSON of a tree of 50,000 pages has 30 MB. */
const encodingMemory = 64 * 1024 * 1024

/** Returns the tag in `If-None-Match` that matches, in any encoding, by weak comparison. */
const matchingTag = (header: string, etag: string): string | undefined =>
  header
    .split(",")
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .find((candidate) => candidate === etag || withoutEncoding(candidate) === etag)

/** Returns true if `If-None-Match` matches a tag. */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && matchingTag(header, etag) !== undefined

/**
 * Returns the revisions that `If-Match` names, or no condition without the header or with `*`. Other parts of the tags
 * are ignored.
 */
export const ifMatch = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const header = headers["if-match"]
  if (header === undefined || header.trim() === "*") return {}
  return { revisions: header.split(",").map((tag) => /^"([^".-]*)/.exec(tag.trim())?.[1] ?? "") }
})
