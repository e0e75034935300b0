/**
 * Input that a schema refuses is a 400 that says where and why. Whatever else goes wrong in a
 * handler is left to `HttpApp`, which logs it and tells the caller nothing of it.
 */
import { issuesOf } from "@lectern/core/schema/Input"
import { Effect, type Schema } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { Failures } from "../api/Middleware.ts"
import { errorResponse } from "./Answers.ts"

const places = { Params: "path", Query: "query", Headers: "headers", Payload: "body", Body: "body" } as const

export const FailuresHttp = HttpApiMiddleware.layerSchemaErrorTransform(Failures, (error) =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.succeed(invalidInput(places[error.kind], error.cause))
)

const invalidInput = (place: string, { issue }: Schema.SchemaError) =>
  errorResponse(400, `The ${place === "body" ? "body" : `${place} parameters`} of the request can't be accepted`, {
    issues: issuesOf(issue, place)
  })
