import { Teams } from "@lectern/core/team/Teams"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const TeamsHttp = group(
  "teams",
  Effect.fnUntraced(function* (handlers) {
    const teams = yield* Teams
    return handlers({
      list: ({ params, query }) => teams.list(params.organizationId, query),
      create: ({ params, payload }) => teams.create(params.organizationId, payload),
      get: ({ params }) => teams.get(params.organizationId, params.teamId),
      update: ({ params, payload }) => teams.update(params.organizationId, params.teamId, payload),
      remove: ({ params }) => teams.remove(params.organizationId, params.teamId),
      listMembers: ({ params, query }) => teams.listMembers(params.organizationId, params.teamId, query),
      updateMembers: ({ params, payload }) => teams.updateMembers(params.organizationId, params.teamId, payload),
      putMember: ({ params, payload }) => teams.putMember(params.organizationId, params.teamId, params.userId, payload),
      removeMember: ({ params }) => teams.removeMember(params.organizationId, params.teamId, params.userId)
    })
  })
)
