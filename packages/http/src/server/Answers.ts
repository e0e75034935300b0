/**
 * From what the core answers to what goes over the wire. Resources are plain JSON already, so they
 * are written as they are, with the status that the endpoint declares; failures become the one
 * error body, with the status that their class carries.
 */
import * as JsonText from "@lectern/core/schema/JsonText"
import { Effect, Schema, SchemaAST } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiBuilder, HttpApiEndpoint } from "effect/http-api"
import type { Given } from "./Group.ts"

/** A failure of the core: a named error with a sentence for whoever asked. */
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

/** A function for each endpoint of a group, from the request to the resource. */
type Answers<Endpoints extends Record<string, HttpApiEndpoint.Constraint>> = {
  readonly [Id in keyof Endpoints]: (
    request: Endpoints[Id]["~Request"]
  ) => Effect.Effect<
    Success<Endpoints[Id]> | HttpServerResponse.HttpServerResponse,
    Failure,
    HttpApiEndpoint.MiddlewareProvides<Endpoints[Id]> | HttpServerRequest.HttpServerRequest
  >
}

/** Registers the answers of a whole group. */
export const answering = <H extends HttpApiBuilder.Handlers<any, any, never>>(
  handlers: H,
  answers: Answers<Endpoints<H>>
) => {
  const wrapped = Object.fromEntries(
    Object.entries<(given: any) => Effect.Effect<unknown, Failure, any>>(answers).map(([id, answer]) => [
      id,
      (given: Given) =>
        Effect.matchEffect(answer(given), {
          onSuccess: (value) => Effect.succeed(successResponse(given.endpoint, value)),
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
 * A response with headers of its own, once its body is there. Made with both, it changes the prototype of an object, for
 * which V8 takes longer than for the rest of it.
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

/** Tells a client to ask again in five seconds, where nothing says when it may be otherwise. */
export const later = { "retry-after": "5" }

/** A refusal of what is too much says when to ask again. */
export const errorResponse = (
  code: number,
  message: string,
  extra?: {
    readonly issues?: ReadonlyArray<Issue>
    readonly requestId?: string
    readonly headers?: Record<string, string>
  }
): HttpServerResponse.HttpServerResponse => {
  const { headers = code === 429 ? later : undefined, ...rest } = extra ?? {}
  return jsonResponse({ error: { code, message, ...rest } }, { status: code, ...(headers && { headers }) })
}

/** An issue of a service's input, with its path below `body` unless the path says where it is. */
const inBody = ({ path, message }: Issue): Issue => ({
  path: path === "" ? "body" : /^(body|path|query|headers)\b/.test(path) ? path : `body.${path}`,
  message
})

/** Issues of the input that a failure names: its own list, or the one path that it speaks of. */
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
