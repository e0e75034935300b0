/**
 * An application that answers at the same listener as the interface, such as published sites. Its requests have
 * what those of the interface have: an id, limits, whoever watches, compression, and answers that are kept.
 */
import type { StorageError } from "@lectern/core/storage/Storage"
import { Context, type Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Asked } from "./Asked.ts"

export interface Beside {
  /** Name of its requests to whoever watches, in place of a path of the interface. */
  readonly route: string
  /**
   * Answers a request of its own; undefined, at once or in the end, for one of the interface. The effect goes by a clock
   * that tells how long an answer holds (see `Moment`).
   */
  readonly of: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse | undefined, StorageError> | undefined
  /** An answer in place of one that says in the interface's words that something went wrong, or is too much. */
  readonly failed: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
  /**
   * Everything of a request that its answer depends on, beside what is stored and the encodings that its client takes.
   * Undefined where nothing is to be kept. `source`: what the platform calls the request.
   */
  readonly questionOf: (asked: Asked, source: object) => string | undefined
  /**
   * Notes that an answer which `of` gave, and which was kept, goes out again: to this request, from this address.
   * Undefined where nobody has to know.
   */
  readonly again: (response: HttpServerResponse.HttpServerResponse) => Again | undefined
}

export type Again = (asked: Asked, address: string | undefined) => void

export const Beside = Context.Reference<Beside | undefined>("@lectern/http/server/Beside", {
  defaultValue: () => undefined
})
