/**
 * Handles requests for operations: finds the operation, authenticates the sender, decodes path, query and body, and
 * calls the handler (see `Group`).
 *
 * `HttpApiBuilder` and `HttpRouter` serve any API, with more headers, encodings and kinds of responses. Here
 * a body is JSON or the bytes of a file and is already read, a handler returns a response (see `Responses`), and there
 * is one way to authenticate. This takes a third of the time, which saves a sixth of a small write. Both use the router
 * `FindMyWay` and equal schemas, so either can serve the API.
 *
 * Limit: 512 characters per path parameter; the longest are hostnames.
 */
import * as JsonBody from "@lectern/core/schema/JsonBody"
import { Context, Effect, Fiber, Result, Schema, Tracer } from "effect"
import { FindMyWay, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"
import { Authentication, OptionalAuthentication } from "../api/Middleware.ts"
import { asOptionalSender, asSender } from "./AuthenticationHttp.ts"
import type { Handler, DecodedRequest, GroupHandlers } from "./Group.ts"
import { invalidInput } from "./InvalidInput.ts"
import type { Body } from "./RequestBody.ts"

/** Paths match exactly, so that `Routes` and `RequestBody` treat all spellings like the router. */
export const exactPaths = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 512
}

type Decode = (input: unknown) => Result.Result<unknown, Schema.SchemaError>

interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly handler: Handler
  /** Created at the first request, since most operations are not used in a short run. */
  decoders: { readonly path: Decode; readonly query: Decode; readonly body: Decode } | undefined
}

const decodeNothing: Decode = () => Result.succeed(undefined)

const decoding = (schema: Schema.Top | undefined): Decode =>
  schema === undefined ? decodeNothing : Schema.decodeUnknownResult<Schema.ConstraintDecoder<unknown>>(schema as never)

const decodersOf = ({ params, query, payload }: HttpApiEndpoint.Top) => {
  const [body] = payload.values()
  return {
    path: decoding(params),
    query: decoding(query && Schema.toCodecArrayFromSingle(query)),
    body: decoding(body?.schemas[0])
  }
}

/** Sets the route of the current trace span. */
const traceRoute = (path: string): void => {
  const { context } = Fiber.getCurrent()!
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span?._tag === "Span" && span.sampled) span.attribute("http.route", path)
}

/** Returns a handler for a request, which takes the body; `undefined` if the request is not for an operation. */
export type Operations = (
  request: HttpServerRequest.HttpServerRequest
) =>
  | ((body: Body) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>)
  | undefined

type Groups = (typeof LecternApi.groups)[keyof typeof LecternApi.groups]

export const make = Effect.gen(function* () {
  const services = yield* Effect.context<HttpApiGroup.ToService<"lectern", Groups>>()
  const requireSender = yield* asSender
  const optionalSender = yield* asOptionalSender
  const router = FindMyWay.make<Operation>(exactPaths)
  for (const { key, endpoints } of Object.values(LecternApi.groups)) {
    const groupHandlers = services.mapUnsafe.get(key) as GroupHandlers
    for (const endpoint of Object.values(endpoints) as ReadonlyArray<HttpApiEndpoint.Top>) {
      const handler = groupHandlers.get(endpoint.identifier)!
      router.on(endpoint.method, endpoint.path as FindMyWay.PathInput, { endpoint, handler, decoders: undefined })
    }
  }

  const find = (method: string, url: string) =>
    router.find(method, url) ?? (method === "HEAD" ? router.find("GET", url) : undefined)

  const respond = (
    operation: Operation,
    { params, searchParams }: Pick<FindMyWay.FindResult<Operation>, "params" | "searchParams">,
    url: string,
    { value, parts }: Body
  ) => {
    const { endpoint, handler } = operation
    const decode = (operation.decoders ??= decodersOf(endpoint))
    const path = decode.path(params)
    if (Result.isFailure(path)) return Effect.succeed(invalidInput(url, "path", path.failure))
    const query = decode.query(searchParams)
    if (Result.isFailure(query)) return Effect.succeed(invalidInput(url, "query", query.failure))
    const body = decode.body(value)
    if (Result.isFailure(body)) return Effect.succeed(invalidInput(url, "body", body.failure))
    const payload = parts === undefined || parts.length === 0 ? body.success : JsonBody.withParts(body.success, parts)
    const decoded: DecodedRequest = { endpoint, params: path.success, query: query.success, payload }
    return handler(decoded)
  }

  const operations: Operations = (request) => {
    const { method, url } = request
    const match = find(method, url)
    if (match === undefined) return undefined
    const { endpoint } = match.handler
    return (body) => {
      const handler = Effect.suspend(() => {
        traceRoute(endpoint.path)
        return respond(match.handler, match, url, body)
      })
      const authenticated = endpoint.middlewares.has(Authentication as never)
        ? requireSender(request, { endpoint }, handler)
        : endpoint.middlewares.has(OptionalAuthentication as never)
          ? optionalSender(request, { endpoint }, handler)
          : handler
      return Effect.interruptible(authenticated)
    }
  }
  return operations
})
