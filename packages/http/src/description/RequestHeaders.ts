/**
 * Conditional and range headers of operations (see `Operation`): request parameters, additional responses and their
 * headers.
 */
import type { HttpApiEndpoint } from "effect/http-api"
import * as Operation from "../api/Operation.ts"

const requestHeader = (name: string, description: string) =>
  ({ name, in: "header", required: false, description, schema: { type: "string" } }) as const

const ifNoneMatch = requestHeader(
  "If-None-Match",
  "One or several entity tags. The response is 304 if the current representation matches one."
)

const ranges = [
  ifNoneMatch,
  requestHeader("Range", "The range of bytes to return, such as `bytes=0-99`. The response is 206."),
  requestHeader("If-Range", "An entity tag. `Range` is ignored if the file does not match it.")
]

const parameters = {
  held: [ifNoneMatch],
  ranges,
  replaced: ranges,
  seen: [
    requestHeader(
      "If-Match",
      "One or several entity tags of content. The response is 412 if the current revision matches none."
    )
  ]
} as const

const notModified = { 304: "The client's representation is current." }
const partialResponses = { 206: "The requested range.", ...notModified }

/** Additional responses of conditional and range requests, with descriptions by status. */
const conditionalResponses: Readonly<Record<Operation.Conditions, Readonly<Record<string, string>>>> = {
  held: notModified,
  ranges: partialResponses,
  replaced: { ...partialResponses, 307: "The file was replaced: `Location` is the URL of the new one." },
  seen: {}
}

const responseHeader = (description: string, type = "string") => ({ description, schema: { type } })

const etag = { ETag: responseHeader("The entity tag of the representation, for `If-None-Match`.") }

const validatorHeaders: Readonly<Record<string, Headers>> = {
  200: etag,
  206: {
    ...etag,
    "Content-Range": responseHeader("The returned range and the total size: `bytes 0-99/1000`.")
  },
  304: etag,
  307: { Location: responseHeader("The URL of the file.") }
}

const retryAfter = (condition = "") => ({
  "Retry-After": responseHeader(`Seconds to wait before the next request${condition}.`, "integer")
})

/** Headers of responses of any operation. */
const retryHeaders: Readonly<Record<string, Headers>> = {
  202: retryAfter(),
  429: retryAfter(),
  503: retryAfter(", if known")
}

export type Headers = Readonly<Record<string, { readonly description: string; readonly schema: object }>>

/** Returns the headers of a response with a status. */
export const headersOf = (endpoint: HttpApiEndpoint.Top, status: string): { readonly headers?: Headers } => {
  const conditions = Operation.conditionsOf(endpoint)
  const isTagged = conditions !== undefined && conditions !== "seen"
  const headers = retryHeaders[status] ?? (isTagged ? validatorHeaders[status] : undefined)
  return headers === undefined ? {} : { headers }
}

export const parametersOf = (endpoint: HttpApiEndpoint.Top) => {
  const conditions = Operation.conditionsOf(endpoint)
  return conditions === undefined ? [] : parameters[conditions]
}

export const responsesOf = (endpoint: HttpApiEndpoint.Top): Readonly<Record<string, string>> => {
  const conditions = Operation.conditionsOf(endpoint)
  return conditions === undefined ? {} : conditionalResponses[conditions]
}
