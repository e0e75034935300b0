/**
 * The client of the interface, derived from the same definition as the server: a function for each
 * operation, under the name of its group.
 *
 * ```ts
 * const lectern = connect({ baseUrl: "https://docs.example.com", token })
 * const space = await lectern.spaces.get({ params: { spaceId } })
 * ```
 *
 * `connect` answers promises, `make` effects. What the server refuses is a `RequestRefused` with the
 * status and the sentence of the server; input that can't be right is refused in the same words
 * before it is sent. What never got an answer that makes sense is a `RequestFailed`. Nothing is tried
 * again. It runs wherever there is `fetch`, browsers included.
 */
import type { Promised, Unbranded } from "@lectern/core/Promised"
import { promised } from "@lectern/core/Promised"
import { Issues } from "@lectern/core/schema/Input"
import { Context, Effect, type Redacted, Schema, SchemaIssue } from "effect"
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientRequest } from "effect/http"
import { HttpApiClient, type HttpApiEndpoint, HttpApiMiddleware } from "effect/http-api"
import { LecternApi } from "./api/LecternApi.ts"
import { Authentication, OptionalAuthentication } from "./api/Middleware.ts"

/** The server said no, or would have. */
export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  status: Schema.Int,
  message: Schema.String,
  /** The parts of the input that are wrong. */
  issues: Schema.optionalKey(Issues),
  /** The id by which the server's operator finds the failure in the log. */
  requestId: Schema.optionalKey(Schema.String)
}) {}

/** There was no answer, or none that this client understands. */
export class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

export type ClientFailure = RequestRefused | RequestFailed

type Groups = (typeof LecternApi)["groups"]

/** A part of a request. One with only optional fields may be left out. */
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

/** Every operation as an effect. */
export type Client = {
  readonly [Group in keyof Groups]: {
    readonly [Id in keyof Groups[Group]["endpoints"]]: Operation<Groups[Group]["endpoints"][Id]>
  }
}

/** Every operation as a promise. */
export type PromiseClient = { readonly [Group in keyof Client]: Promised<Client[Group]> }

export interface ClientOptions {
  /** The URL of the server, without `/v1`. */
  readonly baseUrl: string | URL
  /** Without one, only what needs none can be asked for. */
  readonly token?: string | Redacted.Redacted
}

/** The client over the `HttpClient` around it. */
export const make = ({ baseUrl, token }: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const http = yield* HttpClient.HttpClient
    const groups = yield* HttpApiClient.makeWith(LecternApi, {
      httpClient: http,
      baseUrl: baseUrl.toString().replace(/\/+$/, ""),
      transformResponse: Effect.mapError((error) => (Schema.isSchemaError(error) ? unreadable(error) : error))
    })
    return Object.fromEntries(
      Object.entries(groups).map(([group, operations]) => [
        group,
        Object.fromEntries(
          Object.entries(operations as unknown as Record<string, Sent>).map(([id, send]) => [
            id,
            (request?: object) => Effect.catch(send({ query: {}, payload: {}, ...request }), refine)
          ])
        )
      ])
    ) as unknown as Client
  }).pipe(
    Effect.provide([
      HttpApiMiddleware.layerClient(Authentication, bearing(token)),
      HttpApiMiddleware.layerClient(OptionalAuthentication, bearing(token))
    ])
  )

/** Shows the token, where there is one. */
const bearing =
  (token: ClientOptions["token"]): HttpApiMiddleware.HttpApiMiddlewareClient<never, never, never> =>
  ({ request, next }) =>
    next(token === undefined ? request : HttpClientRequest.bearerToken(request, token))

type Sent = (request: object) => Effect.Effect<unknown, unknown>

/** The client over `fetch`. */
export const connect = ({
  fetch = globalThis.fetch,
  ...options
}: ClientOptions & { readonly fetch?: typeof globalThis.fetch }): PromiseClient => {
  const client = Effect.runSync(make(options).pipe(Effect.provide(FetchHttpClient.layer)))
  // Whoever doesn't use Effect traces nothing by it, and headers of traces are one more thing that CORS has to allow.
  const services = Context.make(FetchHttpClient.Fetch, fetch).pipe(
    Context.add(HttpClient.TracerDisabledWhen, () => true)
  )
  const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.provide(effect, services))
  return Object.fromEntries(
    Object.entries(client).map(([group, operations]) => [group, promised(operations, run)])
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

const refused = ({ error: { code, ...rest } }: typeof ErrorBody.Type) => new RequestRefused({ status: code, ...rest })

const unreadable = (cause: unknown) =>
  new RequestFailed({ message: "The answer of the server is not what this client expects", cause })

const refine = (error: unknown): Effect.Effect<never, ClientFailure> => {
  if (error instanceof RequestFailed) return Effect.fail(error)
  if (isErrorBody(error)) return Effect.fail(refused(error))
  if (Schema.isSchemaError(error)) return Effect.fail(invalid(error))
  if (!HttpClientError.isHttpClientError(error)) return Effect.fail(unreadable(error))
  const { response } = error
  if (response === undefined) {
    return Effect.fail(new RequestFailed({ message: "The server can't be reached", cause: error }))
  }
  if (response.status < 400) return Effect.fail(unreadable(error))
  // Of a status that no operation declares: from a proxy, say.
  return response.json.pipe(
    Effect.catch(() => Effect.succeed(undefined)),
    Effect.flatMap((body) =>
      isErrorBody(body)
        ? refused(body)
        : new RequestRefused({ status: response.status, message: `The server answered ${response.status}` })
    )
  )
}

const invalid = (error: Schema.SchemaError) =>
  new RequestRefused({
    status: 400,
    message: "The request can't be right, so it was not sent",
    issues: formatIssues(error.issue).issues.map(({ path = [], message }) => ({
      path: path.map((key) => String(typeof key === "object" ? key.key : key)).join("."),
      message
    }))
  })
