/** Routes of pages: the handlers of a path for the page and for its forms. */
import type { StorageError } from "@lectern/core/storage/Storage"
import type { Effect } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { PageRequest } from "./PageRequest.ts"

export type PageHandler = (request: PageRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse, StorageError>

export interface PageRoute {
  readonly get?: PageHandler
  readonly post?: PageHandler
}

export type PageRoutes = Readonly<Record<string, PageRoute>>
