/**
 * Maps results of the core to HTTP responses. Resources are plain JSON and are serialized without change, with the
 * status that the endpoint declares. Failures become the common error body, with the status of their class.
 */
import * as JsonText from "@lectern/core/schema/JsonText"
import { Effect, Schema, SchemaAST } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiBuilder, HttpApiEndpoint } from "effect/http-api"
import type { DecodedRequest } from "./Group.ts"

/** Failure of the core: a typed error with a message for the caller. */
interface Failure {
  readonly _tag: string
  readonly message: string
}

interface Issue {
  readonly path: string
  readonly message: string
}

type Endpoints<H> = H extends HttpApiBuilder.Handlers<any, infer E, any> ? E : never

type Success<E extends HttpApiEndpoint.Constraint> = E["~Success"]["Type"]

/** Handler for each endpoint of a group: returns the resource for a decoded request. */
type EndpointHandlers<Endpoints extends Record<string, HttpApiEndpoint.Constraint>> = {
  readonly [Id in keyof Endpoints]: (
    request: Endpoints[Id]["~Request"]
  ) => Effect.Effect<
    Success<Endpoints[Id]> | HttpServerResponse.HttpServerResponse,
    Failure,
    HttpApiEndpoint.MiddlewareProvides<Endpoints[Id]> | HttpServerRequest.HttpServerRequest
  >
}

/** Registers the handlers of a group. */
export const registerHandlers = <H extends HttpApiBuilder.Handlers<any, any, never>>(
  handlers: H,
  endpointHandlers: EndpointHandlers<Endpoints<H>>
) => {
  const wrapped = Object.fromEntries(
    Object.entries<(request: any) => Effect.Effect<unknown, Failure, any>>(endpointHandlers).map(([id, handler]) => [
      id,
      (request: DecodedRequest) =>
        Effect.matchEffect(handler(request), {
          onSuccess: (value) => Effect.succeed(successResponse(request.endpoint, value)),
          onFailure: (failure) =>
            failure._tag === "StorageError" ? Effect.die(failure) : Effect.succeed(failureResponse(failure))
        })
    ])
  )
  return handlers.handleAll(wrapped as never) as unknown as HttpApiBuilder.Handlers<
    never,
    Endpoints<H>,
    keyof Endpoints<H>
  >
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

const successResponse = (endpoint: HttpApiEndpoint.Top, value: unknown): HttpServerResponse.HttpServerResponse => {
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

/** Prefixes the path of an issue with `body`, unless the path already names a part of the request. */
const inBody = ({ path, message }: Issue): Issue => ({
  path: path === "" ? "body" : /^(body|path|query|headers)\b/.test(path) ? path : `body.${path}`,
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
