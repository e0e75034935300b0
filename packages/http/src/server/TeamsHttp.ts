import { TeamMembers } from "@lectern/core/team/TeamMembers"
import { Teams } from "@lectern/core/team/Teams"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const TeamsHttp = group(
  "teams",
  Effect.fnUntraced(function* (handlers) {
    const teams = yield* Teams
    const members = yield* TeamMembers
    return handlers({
      list: ({ params, query }) => teams.list(params.organizationId, query),
      create: ({ params, payload }) => teams.create(params.organizationId, payload),
      get: ({ params }) => teams.get(params.organizationId, params.teamId),
      update: ({ params, payload }) => teams.update(params.organizationId, params.teamId, payload),
      remove: ({ params }) => teams.remove(params.organizationId, params.teamId),
      listMembers: ({ params, query }) => members.list(params.organizationId, params.teamId, query),
      updateMembers: ({ params, payload }) => members.update(params.organizationId, params.teamId, payload),
      putMember: ({ params, payload }) => members.put(params.organizationId, params.teamId, params.userId, payload),
      removeMember: ({ params }) => members.remove(params.organizationId, params.teamId, params.userId)
    })
  })
)
