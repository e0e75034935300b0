/**
 * Headers that operations go by (see `Operation`), as their description tells of them: parameters and answers, with
 * the headers of those that clients go on with.
 */
import type { HttpApiEndpoint } from "effect/http-api"
import * as Operation from "../api/Operation.ts"

const requestHeader = (name: string, description: string) =>
  ({ name, in: "header", required: false, description, schema: { type: "string" } }) as const

const ifNoneMatch = requestHeader(
  "If-None-Match",
  "The `ETag` of what you hold, or several: a 304 while nothing else is there."
)

const ranges = [
  ifNoneMatch,
  requestHeader("Range", "The part of the bytes to send, such as `bytes=0-99`: a 206."),
  requestHeader("If-Range", "The `ETag` of the bytes that the part is of: all of them where others are there.")
]

const parameters = {
  held: [ifNoneMatch],
  ranges,
  replaced: ranges,
  seen: [requestHeader("If-Match", "The `ETag` of content as you have seen it, or several: a 412 once it is another.")]
} as const

const notModified = { 304: "You hold what is there." }
const partialResponses = { 206: "The part that was asked for.", ...notModified }

/** The statuses of answers beside the one to a request without these headers, with a sentence for each. */
const conditionalResponses: Readonly<Record<Operation.Conditions, Readonly<Record<string, string>>>> = {
  held: notModified,
  ranges: partialResponses,
  replaced: { ...partialResponses, 307: "The bytes were replaced: `Location` says where the others are." },
  seen: {}
}

const responseHeader = (description: string, type = "string") => ({ description, schema: { type } })

const etag = { ETag: responseHeader("Names what is there, for `If-None-Match`.") }

const validatorHeaders: Readonly<Record<string, Headers>> = {
  200: etag,
  206: {
    ...etag,
    "Content-Range": responseHeader("The part that this is, and how many bytes there are: `bytes 0-99/1000`.")
  },
  304: etag,
  307: { Location: responseHeader("The URL of the bytes.") }
}

const retryAfter = (when = "") => ({
  "Retry-After": responseHeader(`Seconds until it is worth asking again${when}.`, "integer")
})

/** Whatever the operation. */
const retryHeaders: Readonly<Record<string, Headers>> = {
  202: retryAfter(),
  429: retryAfter(),
  503: retryAfter(", where that can be told")
}

export type Headers = Readonly<Record<string, { readonly description: string; readonly schema: object }>>

/** The headers that an answer of this status has. */
export const headersOf = (endpoint: HttpApiEndpoint.Top, status: string): { readonly headers?: Headers } => {
  const conditions = Operation.conditionsOf(endpoint)
  const isTagged = conditions !== undefined && conditions !== "seen"
  const told = retryHeaders[status] ?? (isTagged ? validatorHeaders[status] : undefined)
  return told === undefined ? {} : { headers: told }
}

export const parametersOf = (endpoint: HttpApiEndpoint.Top) => {
  const conditions = Operation.conditionsOf(endpoint)
  return conditions === undefined ? [] : parameters[conditions]
}

export const responsesOf = (endpoint: HttpApiEndpoint.Top): Readonly<Record<string, string>> => {
  const conditions = Operation.conditionsOf(endpoint)
  return conditions === undefined ? {} : conditionalResponses[conditions]
}
