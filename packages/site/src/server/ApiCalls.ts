/**
 * Calls of operations from pages: the form, and the calls that the server of the site makes where a specification says
 * so (see `Trying`). Whoever calls reads the page that the operation is on.
 *
 * Limits: 30 calls in a minute for an address, 300 for a site; 8 at once; 1 MiB of an answer, 20 seconds (see the
 * adapter). Counted by each process for itself.
 */
import type { Contents } from "@lectern/core/content/Contents"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Threads } from "@lectern/core/thread/Threads"
import { Clock, Effect, Option, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ApiReference from "../api/ApiReference.ts"
import { ApiCaller, type Called, callHeader } from "../api/ApiCaller.ts"
import * as TriedCall from "../api/TriedCall.ts"
import * as TryForm from "../api/TryForm.ts"
import * as Trying from "../api/Trying.ts"
import type { Words } from "../page/Words.ts"
import * as PageDocument from "../reading/PageDocument.ts"
import { CallCounter } from "./CallCounter.ts"

const perAddress = 30
const perSite = 300
const atOnce = 8
/** Bytes of a request, whose body is Base64. */
const maxRequest = 400 * 1024

interface Named {
  readonly page: string
  readonly spec: string
  readonly method: string
  readonly path: string
}

const isAsked = Schema.decodeUnknownOption(Schema.fromJsonString(TriedCall.Asked))

export const make = Effect.fnUntraced(function* (
  services: ApiReference.Services & { readonly contents: Contents["Service"] }
) {
  const { contents } = services
  const threads = yield* Threads
  const caller = yield* ApiCaller
  const counted = new CallCounter({ perAddress, perSite })
  let running = 0

  const find = Effect.fnUntraced(function* ({ space }: PublishedContent, named: Named) {
    const at = yield* contents.locate({ space })
    const page = yield* contents.page(at, named.page, PageDocument.options)
    const { document } = yield* PageDocument.read(threads, page)
    const { loaded } = yield* ApiReference.load(services, at, document)
    const shown = ApiReference.operationIn(loaded, document, named)
    if (shown === undefined) return undefined
    const { spec, source } = shown.loaded
    const tried = Trying.of(spec, shown.found, { source, hasProxy: caller !== undefined })
    return tried && { spec, found: shown.found, tried }
  })

  return {
    /** Undefined where there is no such operation for this reader. */
    form: Effect.fnUntraced(function* (
      published: PublishedContent,
      { searchParams }: URL,
      { words, assets }: { readonly words: Words; readonly assets: TryForm.Form["assets"] }
    ) {
      const value = (name: string) => searchParams.get(name) ?? ""
      const named = { page: value("page"), spec: value("spec"), method: value("method"), path: value("path") }
      const shown = yield* find(published, named)
      if (shown === undefined) return undefined
      const { api, close } = words
      const drawn = TryForm.form({
        ...shown,
        words: api,
        close,
        assets
      })
      return HttpServerResponse.text(drawn.text, { contentType: "text/html; charset=utf-8", headers: sealed })
    }),

    /** Undefined where there is no such operation for this reader, or the server does not call it. */
    call: Effect.fnUntraced(function* (published: PublishedContent, request: HttpServerRequest.HttpServerRequest) {
      if (caller === undefined || request.headers[callHeader] !== undefined) return undefined
      // A page of another website may send neither without being asked whether it may.
      if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) return undefined
      if (!(Number(request.headers["content-length"] ?? Number.NaN) <= maxRequest)) {
        return problem(413, "The call is too long to be made from here")
      }
      const asked = Option.getOrUndefined(isAsked(yield* Effect.orElseSucceed(request.text, () => "")))
      if (asked === undefined) return problem(400, "The call can't be read")
      const shown = yield* find(published, asked)
      if (shown === undefined || !shown.tried.isProxied) return undefined
      const call = TriedCall.of(shown.spec, shown.found, shown.tried, asked)
      if (Result.isFailure(call)) return problem(400, call.failure)
      const address = Option.getOrElse(request.remoteAddress, () => "")
      const seconds = counted.wait([address, published.site], yield* Clock.currentTimeMillis)
      if (seconds > 0) return problem(429, `There were too many calls: try again in ${seconds} seconds`, seconds)
      if (running >= atOnce) return problem(429, "Too many calls are being made: try again in a few seconds", 5)
      running++
      const begun = yield* Clock.currentTimeMillis
      const called = yield* Effect.result(caller.call(call.success)).pipe(
        Effect.ensuring(Effect.sync(() => void running--))
      )
      if (Result.isFailure(called)) return problem(502, called.failure.message)
      return answered(called.success, (yield* Clock.currentTimeMillis) - begun)
    })
  }
})

/** An answer that is for the script alone, wherever it is opened. */
const sealed = {
  "cache-control": "private, no-store",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "content-disposition": "attachment",
  "cross-origin-resource-policy": "same-origin"
}

const json = (value: unknown, status: number, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(JSON.stringify(value), {
    status,
    contentType: "application/json",
    headers: { ...sealed, ...headers }
  })

const problem = (status: number, message: string, seconds?: number) =>
  json({ problem: message }, status, seconds === undefined ? {} : { "retry-after": String(seconds) })

const unread =
  /^(?:set-cookie2?|connection|keep-alive|transfer-encoding|proxy-.*|strict-transport-security|clear-site-data)$/i

const answered = ({ status, headers, bytes, isCut }: Called, took: number) =>
  json(
    {
      status,
      took,
      headers: headers.filter(([name]) => !unread.test(name)),
      ...textOf(bytes, isCut),
      size: bytes.length,
      isCut
    },
    200
  )

/** Undefined of what is no text. A character that was cut in two is left out. */
const textOf = (bytes: Uint8Array, isCut: boolean): { readonly text?: string } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut }) }
  } catch {
    return {}
  }
}
