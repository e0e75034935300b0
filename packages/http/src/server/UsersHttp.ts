import { MentionedUsers } from "@lectern/core/publishing/MentionedUsers"
import { Users } from "@lectern/core/user/Users"
import { Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { registerHandlers } from "./Responses.ts"
import { group } from "./Group.ts"

export const UsersHttp = group(
  LecternApi,
  "users",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    const mentioned = yield* MentionedUsers
    return registerHandlers(handlers, {
      me: () => users.me,
      get: ({ params }) => mentioned.get(params.userId),
      updateMe: ({ payload }) => users.updateMe(payload),
      update: ({ params, payload }) => users.update(params.userId, payload)
    })
  })
)
