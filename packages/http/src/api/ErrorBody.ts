/**
 * The body of every failure: `{ "error": { "code": <status>, "message": "<one sentence>" } }`. Invalid input
 * adds `issues`, an internal error the id of the request.
 */
import { Issues } from "@lectern/core/schema/Input"
import { Schema } from "effect"

const body = <const Code extends number>(code: Code, identifier: string) =>
  Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String,
      issues: Schema.optionalKey(Issues),
      requestId: Schema.optionalKey(Schema.String)
    })
  }).annotate({ httpApiStatus: code, identifier })

/** Answered where none of the bytes that are there was asked for. */
export const RangeNotSatisfiable = body(416, "RangeNotSatisfiable")

/** Answered where something can't be made of what is there. */
export const UnprocessableContent = body(422, "UnprocessableContent")

/** Answered where another server had to answer first, and didn't as it should. */
export const BadGateway = body(502, "BadGateway")

/** The bodies that any operation may answer with. */
export const ErrorBodies = [
  body(400, "BadRequest"),
  body(401, "Unauthorized"),
  body(403, "Forbidden"),
  body(404, "NotFound"),
  body(409, "Conflict"),
  body(412, "PreconditionFailed"),
  body(413, "PayloadTooLarge"),
  body(415, "UnsupportedMediaType"),
  body(429, "TooManyRequests"),
  body(500, "InternalServerError"),
  body(503, "ServiceUnavailable")
] as const
