import { Users } from "@lectern/core/user/Users"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { LecternApi } from "../api/LecternApi.ts"
import { answering } from "./Answers.ts"

export const UsersHttp = HttpApiBuilder.group(
  LecternApi,
  "users",
  Effect.fnUntraced(function* (handlers) {
    const users = yield* Users
    return answering(handlers, { me: () => users.me })
  })
)
