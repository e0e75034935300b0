/**
 * A call that the site's server makes for a reader's browser. It is validated against the stored version of the
 * specification. Only the specification determines the host.
 *
 * Limits: bodies of 256 KiB, 100 headers, 200 query parameters, values of 8,000 characters.
 */
import { fieldsOf, isFields, listOf, type Spec, type SpecOperation, textOf } from "@lectern/core/computed/SpecParser"
import { Result, Schema } from "effect"
import { Base64 } from "effect/encoding"
import type { Call } from "./ApiCaller.ts"
import { baseOf, callUrl, type Pairs } from "./CallUrl.ts"
import type { CallOptions } from "./TryIt.ts"

/** Maximum bytes of a body. */
export const maxBody = 256 * 1024

const Value = Schema.String.check(Schema.isMaxLength(8_000))
const Name = Schema.String.check(Schema.isMaxLength(500))
const Values = Schema.Record(Name, Value)
const Pair = Schema.Tuple([Name, Value])

export const ProxiedCallRequest = Schema.Struct({
  page: Name,
  spec: Name,
  method: Name,
  path: Schema.String.check(Schema.isMaxLength(2_000)),
  /** Index of the server among the servers of the operation. */
  server: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
  variables: Values,
  parameters: Values,
  query: Schema.Array(Pair).check(Schema.isMaxLength(200)),
  headers: Schema.Array(Pair).check(Schema.isMaxLength(100)),
  /** Body in Base64. */
  body: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(Math.ceil(maxBody / 3) * 4)))
})
export type ProxiedCallRequest = typeof ProxiedCallRequest.Type

/** Validates a call. Fails with a message if the call is not allowed. */
export const validate = (
  spec: Spec,
  specOperation: SpecOperation,
  { servers }: CallOptions,
  request: ProxiedCallRequest
): Result.Result<Call, string> => {
  const server = servers[request.server]
  const base = server && baseOf(server, request.variables)
  if (base === undefined) return Result.fail("The API has no such server")
  const url = callUrl(base, specOperation.path, request.parameters, request.query)
  if (url === undefined) return Result.fail("The path has a value that is missing, or that would lead elsewhere")
  const headers = validateHeaders(spec, specOperation, request.headers)
  if (Result.isFailure(headers)) return Result.fail(headers.failure)
  const body = request.body === undefined ? undefined : Base64.decode(request.body)
  if (body !== undefined && Result.isFailure(body)) return Result.fail("The body can't be read")
  return Result.succeed({
    method: specOperation.verb.toUpperCase(),
    url,
    headers: headers.success,
    ...(body !== undefined && specOperation.verb !== "get" && specOperation.verb !== "head" && { body: body.success })
  })
}

/** Headers allowed in each call, in addition to the headers that the specification names. */
const standardHeaders = ["accept", "authorization", "content-type"]

/** Headers about the connection, the client or the origin of a request. */
const forbiddenHeaders =
  /^(?:host|cookie2?|set-cookie|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|origin|referer|via|forwarded|date|dnt|user-agent|accept-(?:encoding|charset)|(?:sec|proxy|x-forwarded|x-real|x-lectern|access-control-request)-.*|x-(?:http-)?method(?:-override)?)$/

const validateHeaders = (
  spec: Spec,
  { operation, parameters }: SpecOperation,
  sentHeaders: Pairs
): Result.Result<Pairs, string> => {
  const all = fieldsOf(fieldsOf(spec.document.components).securitySchemes)
  const schemes = listOf(operation.security ?? spec.document.security)
    .filter(isFields)
    .flatMap((set) => Object.keys(set))
    .map((name) => (Object.hasOwn(all, name) ? spec.resolve(all[name]) : undefined))
  const declaredNames = [
    ...parameters.filter((parameter) => parameter.in === "header"),
    ...schemes.filter((scheme) => scheme?.type === "apiKey" && scheme.in === "header")
  ].map((definition) => textOf(definition?.name).toLowerCase())
  const allowedNames = new Set([...standardHeaders, ...declaredNames].filter((name) => !forbiddenHeaders.test(name)))
  for (const [name, value] of sentHeaders) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) || !allowedNames.has(name.toLowerCase())) {
      return Result.fail(`The header ${JSON.stringify(name.slice(0, 100))} is none that can be sent from here`)
    }
    // Header values are limited to one line of allowed characters, since other characters could inject a second header.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      return Result.fail(`The value of the header ${JSON.stringify(name)} has characters that no header holds`)
    }
  }
  const names = new Set(sentHeaders.map(([name]) => name.toLowerCase()))
  return names.size === sentHeaders.length ? Result.succeed(sentHeaders) : Result.fail("A header is given twice")
}
