/**
 * Body of every error response: `{ "error": { "code": <status>, "message": "<one sentence>" } }`. Invalid input adds
 * `issues`, an internal error adds the id of the request.
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

/** Events after the position of the request were removed. */
export const PositionExpired = body(410, "Gone")

/** The requested range is outside of the file. */
export const RangeNotSatisfiable = body(416, "RangeNotSatisfiable")

/** The content can't be processed. */
export const UnprocessableContent = body(422, "UnprocessableContent")

/** Another server failed or returned an invalid response. */
export const BadGateway = body(502, "BadGateway")

/** Bodies that any operation can return. */
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
