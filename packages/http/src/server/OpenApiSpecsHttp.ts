import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { group } from "./Group.ts"
import { matchesTag } from "./Conditional.ts"

export const OpenApiSpecsHttp = group(
  "openApiSpecs",
  Effect.fnUntraced(function* (handlers) {
    const specs = yield* OpenApiSpecs
    return handlers({
      list: ({ params, query }) => specs.list(params.organizationId, query),
      create: ({ params, payload }) => specs.create(params.organizationId, payload),
      get: ({ params }) => specs.get(params.organizationId, params.specSlug),
      put: ({ params, payload }) => specs.put(params.organizationId, params.specSlug, payload),
      update: ({ params, payload }) => specs.update(params.organizationId, params.specSlug, payload),
      remove: ({ params }) => specs.remove(params.organizationId, params.specSlug),
      versions: ({ params, query }) => specs.versions(params.organizationId, params.specSlug, query),
      version: ({ params }) => specs.version(params.organizationId, params.specSlug, params.versionId),
      // The body is read as bytes, since specs may be large.
      content: ({ params }) =>
        Effect.map(specs.contentJson(params.organizationId, params.specSlug, params.versionId), json),
      rawContent: ({ params }) =>
        Effect.map(specs.rawJson(params.organizationId, params.specSlug, params.versionId), json)
    })
  })
)

const json = (bytes: Uint8Array) => HttpServerResponse.uint8Array(bytes, { contentType: "application/json" })

/** Headers of a public spec. Any origin may read it, and no data of the reader is involved. */
const headers = {
  "access-control-allow-origin": "*",
  "cache-control": "public, no-cache",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff"
}

export const PublishedSpecsHttp = group(
  "publishedSpecs",
  Effect.fnUntraced(function* (handlers) {
    const specs = yield* OpenApiSpecs
    return handlers({
      get: Effect.fnUntraced(function* ({ params }) {
        const { version, document } = yield* specs.published(params.organizationId, params.specSlug)
        const etag = `"${version}"`
        const request = yield* HttpServerRequest.HttpServerRequest
        const ifNoneMatch = request.headers["if-none-match"]
        if (ifNoneMatch?.trim() === "*" || matchesTag(ifNoneMatch, etag)) {
          return HttpServerResponse.empty({ status: 304, headers: { ...headers, etag } })
        }
        return HttpServerResponse.uint8Array(yield* document, {
          contentType: "application/json",
          headers: { ...headers, etag }
        })
      })
    })
  })
)
