import { Sessions } from "@lectern/core/token/Sessions"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const UserSessionsHttp = group(
  "userSessions",
  Effect.fnUntraced(function* (handlers) {
    const sessions = yield* Sessions
    return handlers({
      list: ({ query }) => sessions.list(query),
      revokeOthers: () => sessions.revokeOthers,
      revoke: ({ params }) => sessions.revoke(params.sessionId)
    })
  })
)
