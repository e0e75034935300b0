/** Converts a space to an API resource. */
import { accessKind, effectiveLevel } from "../access/Access.ts"
import type { AppUrls } from "../identity/AppUrls.ts"
import type { Role } from "../access/Role.ts"
import { settingsOf, type Space } from "./Space.ts"
import { permissions, type AuthorizedSpace, type SiteReader } from "./SpacePolicy.ts"

/**
 * Returns the space as an API resource. `level` is undefined if the actor's own change removed the permission to see
 * the space. `published`: URL at which the space is published. Visitors receive neither data about work on the space
 * nor its position in the organization.
 */
export const presentSpace = (
  {
    space,
    level,
    member,
    visitor
  }: Omit<AuthorizedSpace, "level" | "visitor"> & {
    readonly level: Role | undefined
    readonly visitor?: Pick<SiteReader, "showsGit"> | undefined
  },
  urls: AppUrls,
  published?: string
): Space => {
  const isMember = visitor === undefined
  const location = `${urls.publicUrl}/v1/spaces/${space.id}`
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
    urls: { location, app: urls.space(space.id), ...(published !== undefined && { published }) },
    ...(space.visibility === "visitor-auth" && { visitorAuth: { backend: "custom" } }),
    organization: space.organization,
    ...(space.parent !== undefined && isMember && { parent: space.parent }),
    ...(isMember && { position: space.position }),
    ...settingsOf(space),
    revision: space.revision,
    ...(space.gitSync !== undefined && (visitor?.showsGit ?? true) && { gitSync: space.gitSync }),
    defaultLevel: isMember ? effectiveLevel(member.facts, space) : null,
    ...(isMember && { access: accessKind(space) }),
    mergeRules: (isMember ? space.mergeRules : undefined) ?? { type: "inherit" },
    comments: isMember ? space.comments : 0,
    changeRequests: isMember ? space.changeRequests : 0,
    changeRequestsOpen: isMember ? space.changeRequestsOpen : 0,
    changeRequestsDraft: isMember ? space.changeRequestsDraft : 0,
    permissions: permissions(level, space)
  }
}
