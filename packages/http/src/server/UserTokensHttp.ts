import { UserTokens } from "@lectern/core/token/UserTokens"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const UserTokensHttp = group(
  "userTokens",
  Effect.fnUntraced(function* (handlers) {
    const tokens = yield* UserTokens
    return handlers({
      list: ({ query }) => tokens.list(query),
      create: ({ payload }) => tokens.create(payload),
      get: ({ params }) => tokens.get(params.tokenId),
      revoke: ({ params }) => tokens.revoke(params.tokenId)
    })
  })
)
