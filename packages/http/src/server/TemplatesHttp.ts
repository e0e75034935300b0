import { Templates } from "@lectern/core/template/Templates"
import { Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { registerHandlers } from "./Responses.ts"
import { group } from "./Group.ts"

export const TemplatesHttp = group(
  LecternApi,
  "templates",
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* Templates
    return registerHandlers(handlers, {
      apply: ({ params, payload }) => templates.apply(params.spaceId, payload)
    })
  })
)
