/**
 * An application on the same listener as the API, such as published sites. Its requests have the same request ids, rate
 * limits, observers, compression and response cache as the API.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { RequestHead } from "./RequestHead.ts"

export interface MountedApp {
  /** Route that observers see for all requests of the application. */
  readonly route: string
  /**
   * Handles a request. `undefined`, immediately or as the result, passes the request on to the API. The effect runs
   * with a clock that records time dependencies (see `TimeDependency`).
   */
  readonly handle: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse | undefined, StorageError> | undefined
  /** Replaces an error response of the API by one of the application, such as an HTML page. */
  readonly renderError: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  /**
   * Returns the parts of a request that its response depends on, except stored data and accepted encodings. `undefined`
   * if the response must not be cached. `source`: request object of the platform.
   */
  readonly cacheKeyOf: (head: RequestHead, source: object) => string | undefined
  /**
   * Returns a function to call at each cache hit of a response, with the request and its address. `undefined` if hits
   * need no action.
   */
  readonly cacheHitListener: (response: HttpServerResponse.HttpServerResponse) => CacheHitListener | undefined
}

export type CacheHitListener = (head: RequestHead, address: string | undefined) => void

export const MountedApp = Context.Reference<MountedApp | undefined>("@lectern/http/server/MountedApp", {
  defaultValue: () => undefined
})
