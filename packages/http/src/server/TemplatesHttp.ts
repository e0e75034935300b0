import { Templates } from "@lectern/core/template/Templates"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const TemplatesHttp = group(
  "templates",
  Effect.fnUntraced(function* (handlers) {
    const templates = yield* Templates
    return handlers({
      apply: ({ params, payload }) => templates.apply(params.spaceId, payload)
    })
  })
)
