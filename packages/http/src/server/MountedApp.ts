/**
 * An application on the same listener as the API, such as published sites. Its requests have the same request ids, rate
 * limits, observers, compression and response cache as the API.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"

export interface MountedApp {
  /** Route that observers see for all requests of the application. */
  readonly route: string
  /** Returns the code of the reason for which the reader did not get the page of a request, after its response. */
  readonly reasonOf?: (request: HttpServerRequest.HttpServerRequest) => string | undefined
  /** Returns how the application handles a request; undefined for a request to the API. */
  readonly select: (request: HttpServerRequest.HttpServerRequest) => SelectedRequest | undefined
  /** Replaces an error response of the API by one of the application, such as an HTML page. */
  readonly renderError: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  /**
   * Returns a function to call at each cache hit of a response, with the request and its address. `undefined` if hits
   * need no action.
   */
  readonly cacheHitListener: (response: HttpServerResponse.HttpServerResponse) => CacheHitListener | undefined
}

/** A request that is, or may be, for the application. */
export interface SelectedRequest {
  /** Returns false if the request is for the API after all. Undefined if the request is for the application. */
  readonly isClaimed?: Effect.Effect<boolean, StorageError>
  /**
   * The parts of the request that its response depends on, except stored data and accepted encodings. Undefined if the
   * response must not be cached.
   */
  readonly cacheKey: string | undefined
  /** Runs after `isClaimed`. Responds with a clock that records time dependencies (see `TimeDependency`). */
  readonly respond: Effect.Effect<HttpServerResponse.HttpServerResponse, StorageError>
}

export type CacheHitListener = (
  request: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  address: string | undefined
) => void

export const MountedApp = Context.Reference<MountedApp | undefined>("@lectern/http/server/MountedApp", {
  defaultValue: () => undefined
})
