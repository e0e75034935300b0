/** Routes of pages: a path with what it shows, and what its forms do. */
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
