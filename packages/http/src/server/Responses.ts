/**
 * Maps results of the core to HTTP responses. Resources are plain JSON and are serialized without change, with the
 * status that the endpoint declares. Failures become the common error body, with the status of their class.
 */
import * as JsonText from "@lectern/core/schema/JsonText"
import { Schema, SchemaAST } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { Failure } from "./Group.ts"

interface Issue {
  readonly path: string
  readonly message: string
}

const statusOf = (schema: unknown): number | undefined => {
  if (!Schema.isSchema(schema)) return undefined
  const status = SchemaAST.resolve(schema.ast)?.["httpApiStatus"] ?? schema.ast.context?.annotations?.["httpApiStatus"]
  return typeof status === "number" ? status : undefined
}

const successStatuses = new WeakMap<object, number>()

const successStatus = (endpoint: HttpApiEndpoint.Top): number => {
  let status = successStatuses.get(endpoint)
  if (status === undefined) {
    const [schema] = endpoint.success
    successStatuses.set(endpoint, (status = statusOf(schema) ?? (schema === undefined ? 204 : 200)))
  }
  return status
}

/** Returns the response for the result of a handler: a resource, a complete response, or nothing. */
export const successResponse = (
  endpoint: HttpApiEndpoint.Top,
  value: unknown
): HttpServerResponse.HttpServerResponse => {
  if (HttpServerResponse.isHttpServerResponse(value)) return value
  const status = successStatus(endpoint)
  return value === undefined ? HttpServerResponse.empty({ status }) : jsonResponse(value as object, { status })
}

/**
 * Adds headers to a response that already has its body. Passing both at creation changes the prototype of an object,
 * which takes V8 longer than the rest.
 */
export const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headers: Record<string, string> | undefined
): HttpServerResponse.HttpServerResponse =>
  headers === undefined ? response : HttpServerResponse.setHeaders(response, headers)

export const jsonResponse = (
  value: object,
  { headers, ...options }: { readonly status?: number; readonly headers?: Record<string, string> } = {}
): HttpServerResponse.HttpServerResponse =>
  withHeaders(
    HttpServerResponse.text(JsonText.stringify(value), { contentType: "application/json", ...options }),
    headers
  )

/** Header that makes clients retry in five seconds. Used if no better time is known. */
export const retryLater = { "retry-after": "5" }

/** Returns an error response. Status 429 gets `Retry-After` by default. */
export const errorResponse = (
  code: number,
  message: string,
  extra?: {
    readonly issues?: ReadonlyArray<Issue>
    readonly requestId?: string
    readonly headers?: Record<string, string>
  }
): HttpServerResponse.HttpServerResponse => {
  const { headers = code === 429 ? retryLater : undefined, ...rest } = extra ?? {}
  return jsonResponse({ error: { code, message, ...rest } }, { status: code, ...(headers && { headers }) })
}

/** Prefixes the path of an issue with `body`, unless it already names a part of the request, or a rule for merges. */
const inBody = ({ path, message }: Issue): Issue => ({
  path: path === "" ? "body" : /^(body|path|query|headers|mergeRules)\b/.test(path) ? path : `body.${path}`,
  message
})

/** Returns the issues of a failure: its list of issues, or one issue for its path. */
const issuesOf = (failure: Failure & { readonly issues?: unknown; readonly path?: unknown }) =>
  failure.issues !== undefined
    ? (failure.issues as ReadonlyArray<Issue>).map(inBody)
    : typeof failure.path === "string"
      ? [{ path: failure.path, message: failure.message }]
      : undefined

export const failureResponse = (failure: Failure): HttpServerResponse.HttpServerResponse => {
  const issues = issuesOf(failure)
  return errorResponse(statusOf(failure.constructor) ?? 500, failure.message, issues && { issues })
}
