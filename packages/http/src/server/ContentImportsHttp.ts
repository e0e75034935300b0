import { ContentImports } from "@lectern/core/content/import/ContentImports"
import { Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { answering } from "./Answers.ts"
import { matching } from "./Conditional.ts"
import { group } from "./Group.ts"

export const ContentImportsHttp = group(
  LecternApi,
  "contentImports",
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* ContentImports
    return answering(handlers, {
      space: ({ params, payload }) => imports.importIntoSpace(params.spaceId, payload),
      changeRequest: ({ params, payload }) =>
        Effect.flatMap(matching, (seen) =>
          imports.importIntoChangeRequest(params.spaceId, params.changeRequestId, payload, seen)
        )
    })
  })
)
