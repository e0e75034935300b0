/**
 * Client of the HTTP API, derived from the same definition as the server. It has a function for each operation, grouped
 * as in the API.
 *
 * ```ts
 * const lectern = connect({ baseUrl: "https://docs.example.com", token })
 * const space = await lectern.spaces.get({ params: { spaceId } })
 * ```
 *
 * `connect` returns promises, `make` returns effects. An error response becomes a `RequestRefused` with its status and
 * message. Input that the schemas reject becomes the same error without a request. A network failure or an unreadable
 * response becomes a `RequestFailed`. Requests are never retried. The client runs wherever `fetch` exists, including
 * browsers.
 */
import type { Promised, Unbranded } from "@lectern/core/Promised"
import { promised } from "@lectern/core/Promised"
import { Issues } from "@lectern/core/schema/Input"
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { Context, Effect, type Redacted, Schema, SchemaIssue } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient, type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { LecternApi } from "./api/LecternApi.ts"
import { Authentication, OptionalAuthentication } from "./api/Middleware.ts"

/** The server refused the request, or the client refused to send it because its input is invalid (status 400). */
export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  status: Schema.Int,
  message: Schema.String,
  /** Invalid fields of the input. */
  issues: Schema.optionalKey(Issues),
  /** Request id, under which the server's operator finds the failure in the log. */
  requestId: Schema.optionalKey(Schema.String)
}) {}

/** The server can't be reached, or its response can't be read. */
export class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export type ClientFailure = RequestRefused | RequestFailed

type Groups = (typeof LecternApi)["groups"]

/** Part of a request. Optional if all of its fields are optional. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : {} extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }

type Input<E extends HttpApiEndpoint.ConstraintRequest> = Unbranded<
  Part<"params", E["~Params"]["Type"]> & Part<"query", E["~Query"]["Type"]> & Part<"payload", E["~Payload"]["Type"]>
>

type Operation<E> = E extends HttpApiEndpoint.ConstraintRequest
  ? (
      ...request: {} extends Input<E> ? [request?: Input<E>] : [request: Input<E>]
    ) => Effect.Effect<HttpApiClient.SuccessType<E["~Success"]>, ClientFailure>
  : never

/** All operations as functions that return effects. */
export type Client = {
  readonly [Group in keyof Groups]: {
    readonly [Id in keyof Groups[Group]["endpoints"]]: Operation<Groups[Group]["endpoints"][Id]>
  }
}

/** All operations as functions that return promises. */
export type PromiseClient = { readonly [Group in keyof Client]: Promised<Client[Group]> }

export interface ClientOptions {
  /** URL of the server, without `/v1`. */
  readonly baseUrl: string | URL
  /** Bearer token. Without a token only public operations succeed. */
  readonly token?: string | Redacted.Redacted
}

const optionNames: OptionNames<ClientOptions> = { baseUrl: true, token: true }

/** Creates a client that uses the `HttpClient` of the context. Dies with `InvalidInput` for an unknown option. */
export const make = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    checkOptions(optionNames, options)
    const { baseUrl } = options
    const http = yield* HttpClient.HttpClient
    const groups = yield* HttpApiClient.makeWith(LecternApi, {
      httpClient: http,
      baseUrl: baseUrl.toString().replace(/\/+$/, ""),
      transformResponse: Effect.mapError((error) => (Schema.isSchemaError(error) ? unreadableResponse(error) : error))
    })
    return Object.fromEntries(
      Object.entries(groups).map(([group, operations]) => [
        group,
        Object.fromEntries(
          Object.entries(operations as unknown as Record<string, SendRequest>).map(([id, send]) => [
            id,
            (request?: object) => Effect.catch(send({ query: {}, payload: {}, ...request }), toClientFailure)
          ])
        )
      ])
    ) as unknown as Client
  }).pipe(
    Effect.provide([
      HttpApiMiddleware.layerClient(Authentication, withBearerToken(options.token)),
      HttpApiMiddleware.layerClient(OptionalAuthentication, withBearerToken(options.token))
    ])
  )

/** Adds the token to a request if one is configured. */
const withBearerToken =
  (token: ClientOptions["token"]): HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never> =>
  ({ request, next }) =>
    next(token === undefined ? request : HttpClientRequest.bearerToken(request, token))

type SendRequest = (request: object) => Effect.Effect<unknown, unknown>

/** Creates a client that uses `fetch`. Throws `InvalidInput` for an unknown option. */
export const connect = (allOptions: ClientOptions & { readonly fetch?: typeof globalThis.fetch }): PromiseClient => {
  checkOptions({ ...optionNames, fetch: true }, allOptions)
  const { fetch = globalThis.fetch, ...options } = allOptions
  const client = Effect.runSync(make(options).pipe(Effect.provide(FetchHttpClient.layer)))
  // Tracing is off: callers without Effect don't use it, and its headers would have to be allowed by CORS.
  const services = Context.make(FetchHttpClient.Fetch, fetch).pipe(
    Context.add(HttpClient.TracerDisabledWhen, () => true)
  )
  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.provide(effect, services))
  return Object.fromEntries(
    Object.entries(client).map(([group, operations]) => [group, promised(group, operations, run)])
  ) as unknown as PromiseClient
}

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Int,
    message: Schema.String,
    issues: Schema.optionalKey(Issues),
    requestId: Schema.optionalKey(Schema.String)
  })
})

const isErrorBody = Schema.is(ErrorBody)

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const requestRefused = ({ error: { code, ...rest } }: typeof ErrorBody.Type) =>
  new RequestRefused({ status: code, ...rest })

const unreadableResponse = (cause: unknown) =>
  new RequestFailed({ message: "The response of the server can't be read", cause })

const toClientFailure = (error: unknown): Effect.Effect<never, ClientFailure> => {
  if (error instanceof RequestFailed) return Effect.fail(error)
  if (isErrorBody(error)) return Effect.fail(requestRefused(error))
  if (Schema.isSchemaError(error)) return Effect.fail(invalidRequest(error))
  if (!HttpClientError.isHttpClientError(error)) return Effect.fail(unreadableResponse(error))
  const { response } = error
  if (response === undefined) {
    return Effect.fail(new RequestFailed({ message: "The server can't be reached", cause: error }))
  }
  if (response.status < 400) return Effect.fail(unreadableResponse(error))
  // The status is not declared by the operation, for example because a proxy responded.
  return response.json.pipe(
    Effect.catch(() => Effect.succeed(undefined)),
    Effect.flatMap((body) =>
      isErrorBody(body)
        ? requestRefused(body)
        : new RequestRefused({
            status: response.status,
            message: `The server responded with status ${response.status}`
          })
    )
  )
}

const invalidRequest = (error: Schema.SchemaError) =>
  new RequestRefused({
    status: 400,
    message: "The request is invalid and was not sent",
    issues: formatIssues(error.issue).issues.map(({ path = [], message }) => ({
      path: path.map((key) => String(typeof key === "object" ? key.key : key)).join("."),
      message
    }))
  })
