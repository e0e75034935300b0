/** Converts a collection to an API resource. */
import { accessKind, effectiveLevel } from "../access/Access.ts"
import type { Role } from "../access/Role.ts"
import type { Collection } from "./Collection.ts"
import { permissions, type AuthorizedCollection } from "./CollectionPolicy.ts"

/**
 * Returns the collection as an API resource. `level` is undefined if the actor's own change removed the permission to
 * see it.
 */
export const presentCollection = (
  { collection, level, member }: Omit<AuthorizedCollection, "level"> & { readonly level: Role | undefined },
  publicUrl: string
): Collection => {
  const location = `${publicUrl}/v1/collections/${collection.id}`
  return {
    object: "collection",
    id: collection.id,
    title: collection.title,
    ...(collection.description !== undefined && { description: collection.description }),
    organization: collection.organization,
    ...(collection.parent !== undefined && { parent: collection.parent }),
    position: collection.position,
    defaultLevel: effectiveLevel(member.facts, collection),
    access: accessKind(collection),
    urls: { location, app: location },
    permissions: permissions(level)
  }
}
