import { Grants, type GrantTarget } from "@lectern/core/grant/Grants"
import type { CollectionId } from "@lectern/core/collection/Collection"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import type { SiteId } from "@lectern/core/site/Site"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import type { GrantTo } from "@lectern/core/grant/Grant"
import type { Role } from "@lectern/core/access/Role"
import type { PageParams } from "@lectern/core/storage/PageParams"
import { group } from "./Group.ts"

/** Handlers for all kinds of resources with grants. `target` maps the path parameters to the resource. */
const answersFor = <Params>(target: (params: Params) => GrantTarget) =>
  Effect.map(Grants, (grants) => {
    type At<P = unknown> = { readonly params: Params & P }
    type User = { readonly userId: string }
    type Team = { readonly teamId: string }
    type Change = { readonly payload: { readonly role: Role | null } }
    type Page = { readonly query: PageParams }
    return {
      give: ({ params, payload }: At & { readonly payload: GrantTo }) => grants.grant(target(params), payload),
      listUsers: ({ params, query }: At & Page) => grants.listUsers(target(params), query),
      listTeams: ({ params, query }: At & Page) => grants.listTeams(target(params), query),
      aggregate: ({ params, query }: At & { readonly query: PageParams & { readonly role?: Role } }) =>
        grants.aggregate(target(params), query),
      changeUser: ({ params, payload }: At<User> & Change) =>
        grants.change(target(params), "user", params.userId, payload.role),
      removeUser: ({ params }: At<User>) => grants.remove(target(params), "user", params.userId),
      changeTeam: ({ params, payload }: At<Team> & Change) =>
        grants.change(target(params), "team", params.teamId, payload.role),
      removeTeam: ({ params }: At<Team>) => grants.remove(target(params), "team", params.teamId)
    }
  })

export const SpaceGrantsHttp = group(
  "spaceGrants",
  Effect.fnUntraced(function* (handlers) {
    const target = ({ spaceId }: { readonly spaceId: SpaceId }) => ({ kind: "space", id: spaceId }) as const
    return handlers(yield* answersFor(target))
  })
)

export const CollectionGrantsHttp = group(
  "collectionGrants",
  Effect.fnUntraced(function* (handlers) {
    const target = ({ collectionId }: { readonly collectionId: CollectionId }) =>
      ({ kind: "collection", id: collectionId }) as const
    return handlers(yield* answersFor(target))
  })
)

export const SiteGrantsHttp = group(
  "siteGrants",
  Effect.fnUntraced(function* (handlers) {
    const target = ({ organizationId, siteId }: { readonly organizationId: OrganizationId; readonly siteId: SiteId }) =>
      ({ kind: "site", id: siteId, organization: organizationId }) as const
    return handlers(yield* answersFor(target))
  })
)
