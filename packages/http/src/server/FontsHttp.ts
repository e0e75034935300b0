import { Fonts } from "@lectern/core/font/Fonts"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { group } from "./Group.ts"

export const FontsHttp = group(
  "fonts",
  Effect.fnUntraced(function* (handlers) {
    const fonts = yield* Fonts
    return handlers({
      list: ({ params, query }) => fonts.list(params.organizationId, query),
      create: ({ params, payload }) => fonts.create(params.organizationId, payload),
      get: ({ params }) => fonts.get(params.organizationId, params.fontId),
      update: ({ params, payload }) => fonts.update(params.organizationId, params.fontId, payload),
      remove: ({ params }) =>
        Effect.map(fonts.remove(params.organizationId, params.fontId), (removed) =>
          HttpServerResponse.empty({ status: removed ? 205 : 204 })
        )
    })
  })
)
