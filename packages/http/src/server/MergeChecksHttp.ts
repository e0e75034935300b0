import { MergeChecks } from "@lectern/core/merge-check/MergeChecks"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const MergeChecksHttp = group(
  "mergeChecks",
  Effect.fnUntraced(function* (handlers) {
    const checks = yield* MergeChecks
    return handlers({
      list: ({ params, query }) => checks.list(params.spaceId, params.changeRequestId, query),
      set: ({ params, payload }) => checks.set(params.spaceId, params.changeRequestId, params.checkName, payload),
      remove: ({ params }) => checks.remove(params.spaceId, params.changeRequestId, params.checkName)
    })
  })
)
