/** A space as callers see it. */
import { accessKind, effectiveLevel } from "../access/Access.ts"
import type { Role } from "../access/Role.ts"
import type { Space } from "./Space.ts"
import { permissions, type SeenSpace } from "./SpacePolicy.ts"

/** `level` is undefined for who may no longer see what it has just written; `published`: where it is published. */
export const presentSpace = (
  { space, level, member }: Omit<SeenSpace, "level"> & { readonly level: Role | undefined },
  publicUrl: string,
  published?: string
): Space => {
  const location = `${publicUrl}/v1/spaces/${space.id}`
  return {
    object: "space",
    id: space.id,
    title: space.title,
    emoji: space.emoji,
    visibility: space.visibility,
    createdAt: space.createdAt,
    updatedAt: space.updatedAt,
    ...(space.deletedAt !== undefined && { deletedAt: space.deletedAt }),
    editMode: space.editMode,
    urls: { location, app: location, ...(published !== undefined && { published }) },
    organization: space.organization,
    ...(space.parent !== undefined && { parent: space.parent }),
    ...(space.language !== undefined && { language: space.language }),
    revision: space.revision,
    ...(space.gitSync !== undefined && { gitSync: space.gitSync }),
    defaultLevel: effectiveLevel(member.facts, space),
    access: accessKind(space),
    mergeRules: { type: "inherit" },
    comments: space.comments,
    changeRequests: space.changeRequests,
    changeRequestsOpen: space.changeRequestsOpen,
    changeRequestsDraft: space.changeRequestsDraft,
    permissions: permissions(level, space)
  }
}
