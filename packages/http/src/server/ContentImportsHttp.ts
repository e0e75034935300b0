import { ContentImports } from "@lectern/exchange/import/ContentImports"
import { Effect } from "effect"
import { ifMatch } from "./Conditional.ts"
import { group } from "./Group.ts"

export const ContentImportsHttp = group(
  "contentImports",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* ContentImports
    return handlers({
      space: ({ params, payload }) => imports.importIntoSpace(params.spaceId, payload),
      changeRequest: ({ params, payload }) =>
        Effect.flatMap(ifMatch, (expectedRevision) =>
          imports.importIntoChangeRequest(params.spaceId, params.changeRequestId, payload, expectedRevision)
        )
    })
  })
)
