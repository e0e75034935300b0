/**
 * Registers the handlers of a group of operations for `Operations`. The types are those of `HttpApiBuilder.group`,
 * which report operations without a handler.
 */
import { Context, Effect, Layer } from "effect"
import type { HttpApi, HttpApiBuilder, HttpApiEndpoint } from "effect/http-api"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

/** Decoded request of an operation. */
export interface DecodedRequest {
  readonly endpoint: HttpApiEndpoint.Top
  readonly params: unknown
  readonly query: unknown
  readonly payload: unknown
}

export type Handler = (
  given: DecodedRequest
) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>

/** Handlers of a group, by the names of their operations. */
export type GroupHandlers = ReadonlyMap<string, Handler>

type Build = (handlers: {
  readonly handleAll: (groupHandlers: Readonly<Record<string, Handler>>) => GroupHandlers
}) => Effect.Effect<GroupHandlers, never, never>

const registerGroup = (api: HttpApi.Top, name: string, build: Build) =>
  Layer.effectContext(
    Effect.map(build({ handleAll: (groupHandlers) => new Map(Object.entries(groupHandlers)) }), (groupHandlers) =>
      Context.makeUnsafe(new Map([[api.groups[name]!.key, groupHandlers]]))
    )
  )

export const group = registerGroup as unknown as typeof HttpApiBuilder.group
