import { OrganizationId } from "@lectern/core/organization/Organization"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect } from "effect"
import { jsonResponse } from "./Responses.ts"
import * as CacheTags from "./CacheTags.ts"
import { group } from "./Group.ts"

export const SpacesHttp = group(
  "spaces",
  Effect.fnUntraced(function* (handlers) {
    const spaces = yield* Spaces
    return handlers({
      list: ({ params, query }) => spaces.list(params.organizationId, query),
      listDeleted: ({ params, query }) => spaces.listDeleted(params.organizationId, query),
      create: ({ params, payload }) => spaces.create(params.organizationId, payload),
      get: ({ params, query }) =>
        Effect.map(spaces.get(params.spaceId, query), (space) =>
          jsonResponse(space, { headers: CacheTags.ofSpace(params.spaceId) })
        ),
      update: ({ params, payload }) => spaces.update(params.spaceId, payload),
      remove: ({ params }) => spaces.remove(params.spaceId),
      duplicate: ({ params, payload }) => spaces.duplicate(params.spaceId, payload),
      restore: ({ params, payload }) => spaces.restore(params.spaceId, payload),
      move: ({ params, payload }) => spaces.move(params.spaceId, payload),
      transfer: ({ params, payload: { organization, ...options } }) =>
        spaces.transfer(params.spaceId, OrganizationId.make(organization), options)
    })
  })
)
