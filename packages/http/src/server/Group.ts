/**
 * Registers the answers to a group of operations, for `Operations` to find. It has the types of
 * `HttpApiBuilder.group`, which tell of each operation without an answer, and handlers are written for it as for that.
 */
import { Context, Effect, Layer } from "effect"
import type { HttpApi, HttpApiBuilder, HttpApiEndpoint } from "effect/http-api"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** A request of an operation, decoded. */
export interface Given {
  readonly endpoint: HttpApiEndpoint.Top
  readonly params: unknown
  readonly query: unknown
  readonly payload: unknown
}

export type Answer = (
  given: Given
) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** Answers to the operations of a group, by their names. */
export type GroupAnswers = ReadonlyMap<string, Answer>

type Build = (handlers: {
  readonly handleAll: (answers: Readonly<Record<string, Answer>>) => GroupAnswers
}) => Effect.Effect<GroupAnswers, never, never>

const registered = (api: HttpApi.Top, name: string, build: Build) =>
  Layer.effectContext(
    Effect.map(build({ handleAll: (answers) => new Map(Object.entries(answers)) }), (answers) =>
      Context.makeUnsafe(new Map([[api.groups[name]!.key, answers]]))
    )
  )

export const group = registered as unknown as typeof HttpApiBuilder.group
