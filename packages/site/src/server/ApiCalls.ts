/**
 * Operations that readers call from pages: the form, and calls that the site's server makes. The server makes calls
 * only if the specification says so (see `TryIt`). The reader must be able to read the page with the operation.
 *
 * Limits: 30 calls per minute and address, 300 per minute and site, 8 concurrent calls. Responses are cut at 1 MiB, and
 * calls time out after 20 seconds (see the adapter of `ApiCaller`). Each process counts on its own.
 */
import type { Contents } from "@lectern/core/content/Contents"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Threads } from "@lectern/core/thread/Threads"
import { Clock, Effect, Option, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ApiReference from "../api/ApiReference.ts"
import { ApiCaller, type CallResponse, callHeader } from "../api/ApiCaller.ts"
import * as ProxiedCall from "../api/ProxiedCall.ts"
import * as TryItForm from "../api/TryItForm.ts"
import * as TryIt from "../api/TryIt.ts"
import type { LocalizedMessages } from "../page/LocalizedMessages.ts"
import * as PageDocument from "../reading/PageDocument.ts"
import { RateLimiter } from "./RateLimiter.ts"

const perAddress = 30
const perSite = 300
const maxConcurrent = 8
/** Maximum bytes of a request. Its body is Base64. */
const maxRequest = 400 * 1024

interface OperationParams {
  readonly page: string
  readonly spec: string
  readonly method: string
  readonly path: string
}

const decodeCall = Schema.decodeUnknownOption(Schema.fromJsonString(ProxiedCall.ProxiedCallRequest))

export const make = Effect.fnUntraced(function* (
  services: ApiReference.Services & { readonly contents: Contents["Service"] }
) {
  const { contents } = services
  const threads = yield* Threads
  const caller = yield* ApiCaller
  const limiter = new RateLimiter({ perAddress, perSite })
  let runningCount = 0

  const findOperation = Effect.fnUntraced(function* ({ space }: PublishedContent, params: OperationParams) {
    const location = yield* contents.locate({ space })
    const page = yield* contents.page(location, params.page, PageDocument.options)
    const { document } = yield* PageDocument.read(threads, page)
    const { loaded } = yield* ApiReference.load(services, location, document)
    const operation = ApiReference.operationIn(loaded, document, params)
    if (operation === undefined) return undefined
    const { spec, source } = operation.loaded
    const callOptions = TryIt.callOptionsOf(spec, operation.specOperation, { source, hasProxy: caller !== undefined })
    return callOptions && { spec, specOperation: operation.specOperation, callOptions }
  })

  return {
    /** Returns the form of an operation. Undefined if the reader can see no such operation. */
    form: Effect.fnUntraced(function* (
      published: PublishedContent,
      { searchParams }: URL,
      {
        messages,
        assets
      }: { readonly messages: LocalizedMessages; readonly assets: TryItForm.TryItFormInput["assets"] }
    ) {
      const value = (name: string) => searchParams.get(name) ?? ""
      const params = { page: value("page"), spec: value("spec"), method: value("method"), path: value("path") }
      const operation = yield* findOperation(published, params)
      if (operation === undefined) return undefined
      const { api, close } = messages
      const form = TryItForm.renderForm({
        ...operation,
        messages: api,
        close,
        assets
      })
      return HttpServerResponse.text(form.text, { contentType: "text/html; charset=utf-8", headers: isolatedHeaders })
    }),

    /**
     * Calls an operation. Undefined if the reader can see no such operation, or if the server does not make its calls.
     */
    call: Effect.fnUntraced(function* (published: PublishedContent, request: HttpServerRequest.HttpServerRequest) {
      if (caller === undefined || request.headers[callHeader] !== undefined) return undefined
      // A call needs a JSON body, since a cross-origin page cannot send one without a CORS preflight.
      if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) return undefined
      if (!(Number(request.headers["content-length"] ?? Number.NaN) <= maxRequest)) {
        return problem(413, "The call is too long to be made from here")
      }
      const callRequest = Option.getOrUndefined(decodeCall(yield* Effect.orElseSucceed(request.text, () => "")))
      if (callRequest === undefined) return problem(400, "The call can't be read")
      const operation = yield* findOperation(published, callRequest)
      if (operation === undefined || !operation.callOptions.isProxied) return undefined
      const call = ProxiedCall.validate(operation.spec, operation.specOperation, operation.callOptions, callRequest)
      if (Result.isFailure(call)) return problem(400, call.failure)
      const address = Option.getOrElse(request.remoteAddress, () => "")
      const seconds = limiter.retryAfter([address, published.site], yield* Clock.currentTimeMillis)
      if (seconds > 0) return problem(429, `There were too many calls: try again in ${seconds} seconds`, seconds)
      if (runningCount >= maxConcurrent)
        return problem(429, "Too many calls are being made: try again in a few seconds", 5)
      runningCount++
      const startedAt = yield* Clock.currentTimeMillis
      const outcome = yield* Effect.result(caller.call(call.success)).pipe(
        Effect.ensuring(Effect.sync(() => void runningCount--))
      )
      if (Result.isFailure(outcome)) return problem(502, outcome.failure.message)
      return responseOf(outcome.success, (yield* Clock.currentTimeMillis) - startedAt)
    })
  }
})

/** Headers of a response that only the script may use, even if a browser opens it as a document. */
const isolatedHeaders = {
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
    headers: { ...isolatedHeaders, ...headers }
  })

const problem = (status: number, message: string, seconds?: number) =>
  json({ problem: message }, status, seconds === undefined ? {} : { "retry-after": String(seconds) })

const hiddenHeaders =
  /^(?:set-cookie2?|connection|keep-alive|transfer-encoding|proxy-.*|strict-transport-security|clear-site-data)$/i

const responseOf = ({ status, headers, bytes, isCut }: CallResponse, duration: number) =>
  json(
    {
      status,
      took: duration,
      headers: headers.filter(([name]) => !hiddenHeaders.test(name)),
      ...textOf(bytes, isCut),
      size: bytes.length,
      isCut
    },
    200
  )

/**
 * Returns the text of UTF-8 bytes; no text if the bytes are not UTF-8. With `isCut`, an incomplete character at the end
 * is omitted.
 */
const textOf = (bytes: Uint8Array, isCut: boolean): { readonly text?: string } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut }) }
  } catch {
    return {}
  }
}
