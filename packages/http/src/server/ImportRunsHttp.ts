import { ImportRuns } from "@lectern/exchange/import-run/ImportRuns"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const ImportRunsHttp = group(
  "importRuns",
  Effect.fnUntraced(function* (handlers) {
    const runs = yield* ImportRuns
    return handlers({
      list: ({ params, query }) => runs.list(params.organizationId, query),
      start: ({ params, payload }) => runs.start(params.organizationId, payload),
      get: ({ params }) => runs.get(params.organizationId, params.importRunId),
      cancel: ({ params }) => runs.cancel(params.organizationId, params.importRunId)
    })
  })
)
