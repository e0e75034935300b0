import { makeMentionedUsers } from "@lectern/core/publishing/MentionedUsers"
import { Users } from "@lectern/core/user/Users"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const UsersHttp = group(
  "users",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    const mentionedUsers = yield* makeMentionedUsers
    return handlers({
      me: () => users.me,
      get: ({ params }) => mentionedUsers.get(params.userId),
      updateMe: ({ payload }) => users.updateMe(payload),
      update: ({ params, payload }) => users.update(params.userId, payload)
    })
  })
)
