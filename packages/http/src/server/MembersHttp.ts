import { Members } from "@lectern/core/organization/Members"
import { Spaces } from "@lectern/core/space/Spaces"
import { Teams } from "@lectern/core/team/Teams"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const MembersHttp = group(
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const spaces = yield* Spaces
    const teams = yield* Teams
    return handlers({
      list: ({ params, query }) => members.list(params.organizationId, query),
      get: ({ params }) => members.get(params.organizationId, params.userId),
      update: ({ params, payload }) => members.changeRole(params.organizationId, params.userId, payload.role),
      remove: ({ params }) => members.remove(params.organizationId, params.userId),
      listSpaces: ({ params, query }) => spaces.listOfMember(params.organizationId, params.userId, query),
      listTeams: ({ params, query }) => teams.listOfMember(params.organizationId, params.userId, query),
      ping: ({ params }) => members.ping(params.organizationId)
    })
  })
)
