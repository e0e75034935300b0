/**
 * Bytes that never change as an answer: whole, or the part that the caller asks for (`Range`, RFC
 * 9110 §14), or nothing where it has them already. Players seek with parts, and what broke off goes
 * on.
 *
 * Limits: one range. A request for several gets the whole, as does one that can't be read.
 */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import parseRange from "range-parser"
import { errorResponse } from "./Answers.ts"
import { names } from "./Conditional.ts"

/** The part that is asked for; "none" where there is no such part, undefined where all is to be answered. */
const partOf = (size: number, etag: string, headers: Readonly<Record<string, string | undefined>>) => {
  const { range, "if-range": condition } = headers
  // A date says nothing here: what is tagged never changes.
  if (range === undefined || (condition !== undefined && condition.trim() !== etag)) return undefined
  const parts = parseRange(size, range)
  if (parts === -1) return "none"
  return typeof parts === "number" || parts.type !== "bytes" || parts.length !== 1 ? undefined : parts[0]
}

/** `hash` is of the bytes; they are read only where they are sent. */
export const ranged = Effect.fnUntraced(function* <E, R>(hash: string, read: Effect.Effect<Uint8Array, E, R>) {
  const { headers: request } = yield* HttpServerRequest.HttpServerRequest
  const etag = `"${hash}"`
  const headers = { etag, "accept-ranges": "bytes" }
  const known = request["if-none-match"]
  if (known?.trim() === "*" || names(known, etag)) return HttpServerResponse.empty({ status: 304, headers })
  const bytes = yield* read
  const part = partOf(bytes.length, etag, request)
  if (part === undefined) return HttpServerResponse.uint8Array(bytes, { headers })
  if (part === "none") {
    return errorResponse(416, `There are ${bytes.length} bytes, and none of them is in that range`, {
      headers: { ...headers, "content-range": `bytes */${bytes.length}` }
    })
  }
  return HttpServerResponse.uint8Array(bytes.subarray(part.start, part.end + 1), {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${part.start}-${part.end}/${bytes.length}` }
  })
})
