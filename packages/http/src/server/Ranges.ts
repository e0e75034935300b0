/**
 * Responses for immutable bytes: all bytes, one range (`Range`, RFC 9110 §14), or 304. Players seek with ranges, and
 * interrupted downloads resume.
 *
 * Limit: one range. A request with several ranges, or with an invalid one, gets all bytes.
 */
import { rangeOf } from "@lectern/core/content/files/FileResponse"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorResponse } from "./Responses.ts"
import { matchesTag } from "./Conditional.ts"

/** `hash` is the hash of the bytes. `read` runs only if bytes are sent. */
export const rangeResponse = Effect.fnUntraced(function* <E, R>(hash: string, read: Effect.Effect<Uint8Array, E, R>) {
  const { headers: request } = yield* HttpServerRequest.HttpServerRequest
  const etag = `"${hash}"`
  const headers = { etag, "accept-ranges": "bytes" }
  const ifNoneMatch = request["if-none-match"]
  if (ifNoneMatch?.trim() === "*" || matchesTag(ifNoneMatch, etag))
    return HttpServerResponse.empty({ status: 304, headers })
  const bytes = yield* read
  const range = rangeOf(bytes.length, etag, request)
  if (range === undefined) return HttpServerResponse.uint8Array(bytes, { headers })
  if (range === "none") {
    return errorResponse(416, `The range is not within the ${bytes.length} bytes of the file`, {
      headers: { ...headers, "content-range": `bytes */${bytes.length}` }
    })
  }
  return HttpServerResponse.uint8Array(bytes.subarray(range.start, range.end + 1), {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${range.start}-${range.end}/${bytes.length}` }
  })
})
