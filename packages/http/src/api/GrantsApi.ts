/** Operations on the grants of users and teams, on spaces, collections and sites: the same at each address. */
import { AggregatePermission, GrantRole, GrantTo, TeamPermission, UserPermission } from "@lectern/core/grant/Grant"
import { Role } from "@lectern/core/access/Role"
import { CollectionId } from "@lectern/core/collection/Collection"
import { SpaceId } from "@lectern/core/space/Space"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import { siteParams, sitePath } from "./SitesApi.ts"

const grants = <const Params extends Record<string, Schema.Codec<string>>, const Path extends `/${string}`>(
  path: Path,
  params: Params
) => {
  const user = { ...params, userId: Schema.String }
  const team = { ...params, teamId: Schema.String }
  const success = HttpApiSchema.NoContent
  return [
    HttpApiEndpoint.post("give", path, { params, payload: GrantTo, success }),
    HttpApiEndpoint.get("listUsers", `${path}/users`, { params, query: PageQuery, success: listOf(UserPermission) }),
    HttpApiEndpoint.get("listTeams", `${path}/teams`, { params, query: PageQuery, success: listOf(TeamPermission) }),
    HttpApiEndpoint.get("aggregate", `${path}/aggregate`, {
      params,
      query: { ...PageQuery, role: Schema.optionalKey(Role) },
      success: listOf(AggregatePermission)
    }),
    HttpApiEndpoint.patch("changeUser", `${path}/users/:userId`, { params: user, payload: GrantRole, success }),
    HttpApiEndpoint.delete("removeUser", `${path}/users/:userId`, { params: user, success }),
    HttpApiEndpoint.patch("changeTeam", `${path}/teams/:teamId`, { params: team, payload: GrantRole, success }),
    HttpApiEndpoint.delete("removeTeam", `${path}/teams/:teamId`, { params: team, success })
  ] as const
}

export const SpaceGrantsApi = HttpApiGroup.make("spaceGrants")
  .annotateMerge(
    OpenApi.annotations({ title: "Grants on spaces", description: "What users and teams were given on a space." })
  )
  .add(...grants("/spaces/:spaceId/permissions", { spaceId: SpaceId }))
  .middleware(Authentication)
  .middleware(Failures)

export const CollectionGrantsApi = HttpApiGroup.make("collectionGrants")
  .annotateMerge(
    OpenApi.annotations({
      title: "Grants on collections",
      description: "What users and teams were given on a collection."
    })
  )
  .add(...grants("/collections/:collectionId/permissions", { collectionId: CollectionId }))
  .middleware(Authentication)
  .middleware(Failures)

export const SiteGrantsApi = HttpApiGroup.make("siteGrants")
  .annotateMerge(
    OpenApi.annotations({ title: "Grants on sites", description: "What users and teams were given on a site." })
  )
  .add(...grants(`${sitePath}/permissions`, siteParams))
  .middleware(Authentication)
  .middleware(Failures)
