/**
 * Handlers of the operations of a group. The type of each handler comes from its endpoint, so the compiler reports
 * operations without a handler and results of the wrong type.
 */
import type { Effect, Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { LecternApi } from "../api/LecternApi.ts"

type Groups = (typeof LecternApi.groups)[keyof typeof LecternApi.groups]

export type GroupName = HttpApiGroup.Identifier<Groups>

type Endpoints<Name extends GroupName> = HttpApiGroup.EndpointsWithIdentifier<Groups, Name>

/** Failure of the core: a typed error with a message for the caller. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

/**
 * Handler of each endpoint of a group. Returns the resource, or a complete response, for a decoded request. The scope
 * closes when the response is sent.
 */
export type GroupHandlers<Name extends GroupName> = {
  readonly [E in Endpoints<Name> as E["identifier"]]: (
    request: E["~Request"]
  ) => Effect.Effect<
    E["~Success"]["Type"] | HttpServerResponse.HttpServerResponse,
    Failure,
    HttpApiEndpoint.MiddlewareProvides<E> | HttpServerRequest.HttpServerRequest | Scope.Scope
  >
}

/** Decoded request of an operation. */
export interface DecodedRequest {
  readonly params: unknown
  readonly query: unknown
  readonly payload: unknown
}

/** Handler of any endpoint. Its request was decoded by the schemas of the endpoint. */
export type Handler = (
  request: DecodedRequest
) => Effect.Effect<unknown, Failure, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** Handlers of a group, by the names of their operations. */
export type Handlers = ReadonlyMap<string, Handler>

/** A group of operations, with an effect that creates the handlers. */
export interface Group<Name extends GroupName, R> {
  readonly name: Name
  readonly make: Effect.Effect<Handlers, never, R>
}

/** Declares the handlers of a group. `build` passes them to its parameter, which types them. */
export const group = <const Name extends GroupName, R>(
  name: Name,
  build: (handlers: (groupHandlers: GroupHandlers<Name>) => Handlers) => Effect.Effect<Handlers, never, R>
): Group<Name, R> => ({ name, make: build((groupHandlers) => new Map(Object.entries(groupHandlers))) })
