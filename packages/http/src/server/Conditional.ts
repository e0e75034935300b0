/**
 * Content is tagged with the revision it was read from, so a client that holds it already is told
 * so (304) before anything else is read. The tag names the form of documents too, which a newer Lectern may
 * answer otherwise.
 */
import type { Located } from "@lectern/core/content/reading/Located"
import { dataFormat } from "@lectern/core/identity/DataFormat"
import * as Moment from "@lectern/core/moment/Moment"
import * as JsonText from "@lectern/core/schema/JsonText"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import type { StorageError } from "@lectern/core/storage/Storage"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Effect } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { withHeaders } from "./Answers.ts"
import * as CacheTags from "./CacheTags.ts"
import { withoutEncoding } from "./Compression.ts"

/** File URLs of members change with time, so what holds some is tagged with the time too (ms). */
const fileWindow = 10 * 60 * 1000

/** A tag for the URLs of files: by time for a member, by site and way in for a visitor. */
const filesTag = ({ visitor }: Located) =>
  visitor === undefined
    ? Effect.map(Moment.windowOf(fileWindow), (window) => `-${window}`)
    : Effect.succeed(`-${visitor.site}-${visitor.via}${visitor.isThereForAll ? "" : "-claims"}`)

export const conditional = Effect.fnUntraced(function* <E, R, E2, R2>(
  locate: Effect.Effect<Located, E, R>,
  read: (at: Located) => Effect.Effect<object, E2, R2>,
  options: {
    readonly holdsFiles?: boolean
    /** The part of the revision that is read, where it may be missing. Its tag is known only after reading it. */
    readonly part?: string
  } = {}
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const known = request.headers["if-none-match"]
  const at = yield* locate
  const part = options.part === undefined ? "" : `.${options.part}`
  const files = options.holdsFiles === true ? yield* filesTag(at) : ""
  // What the conditions of pages hide is another answer.
  const kind = at.visitor === undefined ? "" : `.${at.visitor.kind}${at.visitor.showsGit ? ".git" : ""}`
  // So are computed pages from another version of their spec.
  const sources = at.sources === undefined ? "" : `.${at.sources.key}`
  // And blocks that other integrations draw.
  const blocks = at.blocks === undefined ? "" : `.${at.blocks.key}`
  const located = `${at.revision.id}.f${dataFormat}${part}${kind}${sources}${blocks}${files}`
  const tagged = CacheTags.ofContent(at)
  const tagOf = at.sources?.tagOf
  if (tagOf === undefined) {
    const held = known === undefined ? undefined : named(known, `"${located}"`)
    if (held !== undefined) return unchanged(held, tagged)
  }
  const resource = yield* read(at)
  // What integrations answer has no version that is known before it is read: the tag is of what was.
  const etag = tagOf === undefined ? `"${located}"` : `"${located}.${keptTag(resource, tagOf)}"`
  const held = known?.trim() === "*" ? etag : known && named(known, etag)
  return held ? unchanged(held, tagged) : yield* answeredInSlices(resource, { ...headersOf(etag), ...tagged })
})

const tags = new WeakMap<object, string>()

/** Of a resource that is kept in memory the tag is made once. */
const keptTag = (resource: object, tagOf: (body: string) => string): string => {
  const tag = tags.get(resource) ?? tagOf(JsonText.stringify(resource))
  tags.set(resource, tag)
  return tag
}

const headersOf = (etag: string) => ({ etag, "cache-control": "private, no-cache" })

const unchanged = (etag: string, tagged: Record<string, string>) =>
  HttpServerResponse.empty({ status: 304, headers: { ...headersOf(etag), ...tagged } })

/**
 * Response bodies by resource. A large body is held by a weak reference: it lives only while a response sends it, and
 * does not count toward the size of the resource's cache.
 */
const bodies = new WeakMap<object, HttpBody.HttpBody | WeakRef<HttpBody.HttpBody>>()

/** Bodies from here on are kept as bytes: a small one goes out faster with the headers, as one text. */
const large = 64 * 1024

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
export const answered = (resource: object, headers?: Record<string, string>) => {
  let body = bodyOf(resource)
  if (body === undefined) {
    const text = JsonText.stringify(resource)
    body = text.length < large ? HttpBody.text(text, json) : HttpBody.uint8Array(encoder.encode(text), json)
    bodies.set(resource, body)
  }
  return response(body, headers)
}

const encodings = new SingleFlight<object, HttpBody.HttpBody, StorageError>()

/** Responds with a resource that may be large: a large one is serialized in slices. */
const answeredInSlices = (resource: object, headers: Record<string, string>) => {
  if (bodyOf(resource) !== undefined || !JsonText.isLarge(resource)) return Effect.succeed(answered(resource, headers))
  const encode = Effect.gen(function* () {
    const budget = yield* MemoryBudget
    const bytes = yield* budget.take(largeBody, JsonText.encode(resource))
    const body = HttpBody.uint8Array(bytes, json)
    bodies.set(resource, new WeakRef(body))
    return body
  })
  return Effect.map(encodings.run(resource, encode), (body) => response(body, headers))
}

/** Memory budget in bytes for serializing a large resource. The JSON of a tree of 50,000 pages has 30 MB. */
const largeBody = 64 * 1024 * 1024

/** The tag of those in `If-None-Match` that names this one, in any encoding, by the weak comparison. */
const named = (header: string, etag: string): string | undefined =>
  header
    .split(",")
    .map((candidate) => candidate.trim().replace(/^W\//, ""))
    .find((candidate) => candidate === etag || withoutEncoding(candidate) === etag)

/** Tells whether `If-None-Match` names this tag. */
export const names = (header: string | undefined, etag: string): boolean =>
  header !== undefined && named(header, etag) !== undefined

/** The revisions that `If-Match` names, whatever of them was read; undefined where anything goes. */
export const matching = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const header = headers["if-match"]
  if (header === undefined || header.trim() === "*") return {}
  return { revisions: header.split(",").map((tag) => /^"([^".-]*)/.exec(tag.trim())?.[1] ?? "") }
})
