import { UserTokens } from "@lectern/core/token/UserTokens"
import { Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { registerHandlers } from "./Responses.ts"
import { group } from "./Group.ts"

export const UserTokensHttp = group(
  LecternApi,
  "userTokens",
  Effect.fnUntraced(function* (handlers) {
    const tokens = yield* UserTokens
    return registerHandlers(handlers, {
      list: ({ query }) => tokens.list(query),
      create: ({ payload }) => tokens.create(payload),
      get: ({ params }) => tokens.get(params.tokenId),
      revoke: ({ params }) => tokens.revoke(params.tokenId)
    })
  })
)
