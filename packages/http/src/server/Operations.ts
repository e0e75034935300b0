/**
 * Answers the operations of the interface: finds the one that a request asks for, finds out who sends it, decodes what
 * it brings, and asks for the answer (see `Group`).
 *
 * `HttpApiBuilder` and `HttpRouter` do the same for any API, with headers, encodings and answers of many kinds. An
 * operation here takes JSON (or the bytes of a file, as they are), its body was read before, its answer is made already
 * (see `Answers`), and there is one way to say who asks. So it takes a third of the time, which is a sixth of a small
 * write. Both use one router (`FindMyWay`) and the same schemas, and the interface can be served by either.
 *
 * Limit: parameters in a path of 512 characters: the longest names that stand in one are hostnames.
 */
import * as JsonBody from "@lectern/core/schema/JsonBody"
import { Context, Effect, Fiber, Result, Schema, Tracer } from "effect"
import { FindMyWay, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"
import { Authentication, OptionalAuthentication } from "../api/Middleware.ts"
import { asMaybeSender, asSender } from "./AuthenticationHttp.ts"
import type { Answer, Given, GroupAnswers } from "./Group.ts"
import { invalidInput } from "./InvalidInput.ts"
import type { Body } from "./RequestBody.ts"

/**
 * A path is what it says, so that what is told of it (`Routes`, `RequestBody`) holds for all of its spellings.
 */
export const exactPaths = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 512
}

type Decode = (input: unknown) => Result.Result<unknown, Schema.SchemaError>

interface Operation {
  readonly endpoint: HttpApiEndpoint.Top
  readonly answer: Answer
  /** Made when it is first asked for: most are not, in a short life. */
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

/** Tells whoever traces a request which operation that is. */
const traced = (path: string): void => {
  const { context } = Fiber.getCurrent()!
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span?._tag === "Span" && span.sampled) span.attribute("http.route", path)
}

/** The answer to a request whose body is there; undefined for a request that asks for no operation. */
export type Operations = (
  request: HttpServerRequest.HttpServerRequest
) =>
  | ((body: Body) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>)
  | undefined

type Groups = (typeof LecternApi.groups)[keyof typeof LecternApi.groups]

export const make = Effect.gen(function* () {
  const services = yield* Effect.context<HttpApiGroup.ToService<"lectern", Groups>>()
  const requireSender = yield* asSender
  const askSender = yield* asMaybeSender
  const router = FindMyWay.make<Operation>(exactPaths)
  for (const { key, endpoints } of Object.values(LecternApi.groups)) {
    const answers = services.mapUnsafe.get(key) as GroupAnswers
    for (const endpoint of Object.values(endpoints) as ReadonlyArray<HttpApiEndpoint.Top>) {
      const answer = answers.get(endpoint.identifier)!
      router.on(endpoint.method, endpoint.path as FindMyWay.PathInput, { endpoint, answer, decoders: undefined })
    }
  }

  const find = (method: string, url: string) =>
    router.find(method, url) ?? (method === "HEAD" ? router.find("GET", url) : undefined)

  const answered = (
    operation: Operation,
    { params, searchParams }: Pick<FindMyWay.FindResult<Operation>, "params" | "searchParams">,
    url: string,
    { value, parts }: Body
  ) => {
    const { endpoint, answer } = operation
    const decode = (operation.decoders ??= decodersOf(endpoint))
    const path = decode.path(params)
    if (Result.isFailure(path)) return Effect.succeed(invalidInput(url, "path", path.failure))
    const query = decode.query(searchParams)
    if (Result.isFailure(query)) return Effect.succeed(invalidInput(url, "query", query.failure))
    const body = decode.body(value)
    if (Result.isFailure(body)) return Effect.succeed(invalidInput(url, "body", body.failure))
    const payload = parts === undefined || parts.length === 0 ? body.success : JsonBody.filled(body.success, parts)
    const given: Given = { endpoint, params: path.success, query: query.success, payload }
    return answer(given)
  }

  const operations: Operations = (request) => {
    const { method, url } = request
    const found = find(method, url)
    if (found === undefined) return undefined
    const { endpoint } = found.handler
    return (body) => {
      const answer = Effect.suspend(() => {
        traced(endpoint.path)
        return answered(found.handler, found, url, body)
      })
      const asked = endpoint.middlewares.has(Authentication as never)
        ? requireSender(request, { endpoint }, answer)
        : endpoint.middlewares.has(OptionalAuthentication as never)
          ? askSender(request, { endpoint }, answer)
          : answer
      return Effect.interruptible(asked)
    }
  }
  return operations
})
