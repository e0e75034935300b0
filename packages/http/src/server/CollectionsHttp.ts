import { Collections } from "@lectern/core/collection/Collections"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const CollectionsHttp = group(
  "collections",
  Effect.fnUntraced(function* (handlers) {
    const collections = yield* Collections
    const spaces = yield* Spaces
    return handlers({
      list: ({ params, query }) => collections.list(params.organizationId, query),
      create: ({ params, payload }) => collections.create(params.organizationId, payload),
      get: ({ params }) => collections.get(params.collectionId),
      update: ({ params, payload }) => collections.update(params.collectionId, payload),
      remove: ({ params }) => collections.remove(params.collectionId),
      listSpaces: ({ params, query }) => spaces.listInCollection(params.collectionId, query),
      move: ({ params, payload }) => collections.move(params.collectionId, payload),
      transfer: ({ params, payload: { organization, ...options } }) =>
        collections.transfer(params.collectionId, OrganizationId.make(organization), options)
    })
  })
)
