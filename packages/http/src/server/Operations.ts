/**
 * Runs operations: authenticates the sender, decodes path, query and body, calls the handler (see `Group`), and turns
 * its result or failure into a response (see `Responses`).
 *
 * `HttpApiBuilder` and `HttpRouter` serve any API, with more headers, encodings and kinds of responses. Here a body is
 * JSON or the bytes of a file and is already read, and there is one way to authenticate. This takes a third of the
 * time, which saves a sixth of a small write.
 */
import { InvalidInput } from "@lectern/core/schema/Input"
import * as JsonBody from "@lectern/core/schema/JsonBody"
import { Context, Effect, Fiber, Result, Schema, type Scope, Tracer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"
import { Authentication, OptionalAuthentication } from "../api/Middleware.ts"
import { hasLowLatency } from "../api/Operation.ts"
import { asCachedSender, asOptionalSender, asSender } from "./AuthenticationHttp.ts"
import type { Failure, Handler } from "./Group.ts"
import { groups } from "./Handlers.ts"
import { invalidInput } from "./InvalidInput.ts"
import type { Body } from "./RequestBody.ts"
import { failureResponse, successResponse } from "./Responses.ts"
import type { RouteMatch } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

type Decode = (input: unknown) => Result.Result<unknown, Schema.SchemaError>

interface Decoders {
  readonly path: Decode
  readonly query: Decode
  readonly body: Decode
}

type Authenticate = <E, R>(
  request: Request,
  operation: { readonly endpoint: HttpApiEndpoint.Top },
  handler: Effect.Effect<Response, E, R>
) => Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>

interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly handler: Handler
  readonly authenticate: Authenticate
  /** True if only input that the service rejects is decoded. */
  readonly decodesLate: boolean
  /** Created at the first request, since most operations are not used in a short run. */
  decoders: Decoders | undefined
}

const decodeNothing: Decode = () => Result.succeed(undefined)

const decoding = (schema: Schema.Top | undefined): Decode =>
  schema === undefined ? decodeNothing : Schema.decodeUnknownResult<Schema.ConstraintDecoder<unknown>>(schema as never)

const decodersOf = ({ params, query, payload }: HttpApiEndpoint.Top): Decoders => {
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

/** Returns the response of an operation; undefined if the route is not an operation. */
export type Operations = (
  match: RouteMatch,
  request: Request,
  body: Body
) => Effect.Effect<Response, never, HttpServerRequest.HttpServerRequest | Scope.Scope> | undefined

const withoutAuthentication: Authenticate = (_request, _operation, handler) => handler

export const make = Effect.gen(function* () {
  const requireSender: Authenticate = yield* asSender
  const optionalSender: Authenticate = yield* asOptionalSender
  const cachedSender: Authenticate = yield* asCachedSender
  const authenticationOf = (endpoint: HttpApiEndpoint.Top): Authenticate => {
    if (endpoint.middlewares.has(OptionalAuthentication as never)) return optionalSender
    if (!endpoint.middlewares.has(Authentication as never)) return withoutAuthentication
    return hasLowLatency(endpoint) ? cachedSender : requireSender
  }

  const operations = new Map<HttpApiEndpoint.Top, Operation>()
  const handlers = yield* Effect.all(groups.map(({ make }) => make))
  for (const [i, { name }] of groups.entries()) {
    const endpoints = LecternApi.groups[name].endpoints as Readonly<Record<string, HttpApiEndpoint.Top>>
    for (const endpoint of Object.values(endpoints)) {
      operations.set(endpoint, {
        endpoint,
        handler: handlers[i]!.get(endpoint.identifier)!,
        authenticate: authenticationOf(endpoint),
        decodesLate: hasLowLatency(endpoint),
        decoders: undefined
      })
    }
  }

  const run = (operation: Operation, { params, searchParams }: RouteMatch, url: string, { value, parts }: Body) => {
    const { endpoint, handler, decodesLate } = operation
    const decode = (operation.decoders ??= decodersOf(endpoint))
    const path = decode.path(params)
    if (Result.isFailure(path)) return Effect.succeed(invalidInput(url, "path", path.failure))
    const query = decode.query(searchParams)
    if (Result.isFailure(query)) return Effect.succeed(invalidInput(url, "query", query.failure))
    const body = decodesLate ? Result.succeed(value) : decode.body(value)
    if (Result.isFailure(body)) return Effect.succeed(invalidInput(url, "body", body.failure))
    const payload = parts === undefined || parts.length === 0 ? body.success : JsonBody.withParts(body.success, parts)
    const onFailure = (failure: Failure) => {
      if (failure._tag === "StorageError") return Effect.die(failure)
      const lateBody = decodesLate && failure instanceof InvalidInput ? decode.body(value) : undefined
      return Effect.succeed(
        lateBody !== undefined && Result.isFailure(lateBody)
          ? invalidInput(url, "body", lateBody.failure)
          : failureResponse(failure)
      )
    }
    return Effect.matchEffect(handler({ params: path.success, query: query.success, payload }), {
      onSuccess: (result) => Effect.succeed(successResponse(endpoint, result)),
      onFailure
    })
  }

  const respond: Operations = (match, request, body) => {
    const operation = match.route.endpoint && operations.get(match.route.endpoint)
    if (operation === undefined) return undefined
    const handler = Effect.suspend(() => {
      traceRoute(operation.endpoint.path)
      return run(operation, match, request.url, body)
    })
    return operation.authenticate(request, operation, handler)
  }
  return respond
})
