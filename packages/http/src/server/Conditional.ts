/**
 * Content is tagged with the revision it was read from, so a client that holds it already is told
 * so (304) before anything else is read.
 */
import type { Located } from "@lectern/core/content/Contents"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** File URLs change with time, so what holds some is tagged with the time too (ms). */
const fileWindow = 10 * 60 * 1000

export const conditional = Effect.fnUntraced(function* <E, R, E2, R2>(
  locate: Effect.Effect<Located, E, R>,
  read: (at: Located) => Effect.Effect<object, E2, R2>,
  options: {
    readonly holdsFiles?: boolean
    /** What is read of the revision, where that may be missing: only who has read it knows its tag. */
    readonly part?: string
  } = {}
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const known = request.headers["if-none-match"]
  const at = yield* locate
  const part = options.part === undefined ? "" : `.${options.part}`
  const window =
    options.holdsFiles === true
      ? `-${Math.floor((yield* Effect.clockWith((clock) => clock.currentTimeMillis)) / fileWindow)}`
      : ""
  // What the conditions of pages hide is another answer.
  const kind = at.visitor === undefined ? "" : `.${at.visitor.kind}${at.visitor.showsGit ? ".git" : ""}`
  // So are computed pages from another version of their spec.
  const sources = at.sources === undefined ? "" : `.${at.sources.key}`
  const etag = `"${at.revision.id}${part}${kind}${sources}${window}"`
  const headers = { etag, "cache-control": "private, no-cache" }
  if (names(known, etag)) return HttpServerResponse.empty({ status: 304, headers })
  const resource = yield* read(at)
  return known?.trim() === "*" ? HttpServerResponse.empty({ status: 304, headers }) : answered(resource, headers)
})

const bodies = new WeakMap<object, string | Uint8Array>()

/** Bodies from here on are kept as bytes: a small one goes out faster with the headers, as one text. */
const large = 64 * 1024

const encoder = new TextEncoder()

/** What is kept in memory as it was answered (see `Contents`, `SiteViews`) is written as JSON once. */
export const answered = (resource: object, headers: Record<string, string> = {}) => {
  let body = bodies.get(resource)
  if (body === undefined) {
    const text = JSON.stringify(resource)
    bodies.set(resource, (body = text.length < large ? text : encoder.encode(text)))
  }
  const options = { contentType: "application/json", headers }
  return typeof body === "string"
    ? HttpServerResponse.text(body, options)
    : HttpServerResponse.uint8Array(body, options)
}

/** By the weak comparison that `If-None-Match` asks for. */
export const names = (header: string | undefined, etag: string): boolean =>
  header !== undefined && header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag)

/** The revisions that `If-Match` names, whatever of them was read; undefined where anything goes. */
export const matching = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const header = headers["if-match"]
  if (header === undefined || header.trim() === "*") return {}
  return { revisions: header.split(",").map((tag) => /^"([^".-]*)/.exec(tag.trim())?.[1] ?? "") }
})
