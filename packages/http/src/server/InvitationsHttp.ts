import { Invitations } from "@lectern/core/organization/Invitations"
import { InviteLinks } from "@lectern/core/organization/InviteLinks"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const InvitationsHttp = group(
  "invitations",
  Effect.fnUntraced(function* (handlers) {
    const invitations = yield* Invitations
    return handlers({
      mine: ({ query }) => invitations.mine(query),
      list: ({ params, query }) => invitations.list(params.organizationId, query),
      invite: ({ params, payload }) => invitations.invite(params.organizationId, payload),
      get: ({ params }) => invitations.get(params.organizationId, params.inviteId),
      accept: ({ params }) => Effect.as(invitations.accept(params.organizationId, params.inviteId), {}),
      remove: ({ params }) => invitations.remove(params.organizationId, params.inviteId)
    })
  })
)

export const InviteLinksHttp = group(
  "inviteLinks",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* InviteLinks
    return handlers({
      list: ({ params, query }) => links.list(params.organizationId, query),
      create: ({ params, payload }) => links.create(params.organizationId, payload),
      get: ({ params }) => links.get(params.organizationId, params.inviteId),
      update: ({ params, payload }) => links.update(params.organizationId, params.inviteId, payload),
      remove: ({ params }) => links.remove(params.organizationId, params.inviteId)
    })
  })
)
