import { Members } from "@lectern/core/organization/Members"
import { Effect } from "effect"
import { LecternApi } from "../api/LecternApi.ts"
import { answering } from "./Answers.ts"
import { group } from "./Group.ts"

export const MembersHttp = group(
  LecternApi,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    return answering(handlers, {
      list: ({ params, query }) => members.list(params.organizationId, query),
      get: ({ params }) => members.get(params.organizationId, params.userId),
      update: ({ params, payload }) => members.changeRole(params.organizationId, params.userId, payload.role),
      remove: ({ params }) => members.remove(params.organizationId, params.userId)
    })
  })
)
