import { GitSyncs } from "@lectern/exchange/git/GitSyncs"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const GitHttp = group(
  "git",
  Effect.fnUntraced(function* (handlers) {
    const git = yield* GitSyncs
    return handlers({
      import: ({ params, payload }) => git.import(params.spaceId, payload),
      export: ({ params, payload }) => git.export(params.spaceId, payload),
      info: ({ params }) => git.info(params.spaceId)
    })
  })
)
