/** Grants of roles to users and teams on spaces, collections and sites, with equal operations for each. */
import { AggregatePermission, GrantRole, GrantTo, TeamPermission, UserPermission } from "@lectern/core/grant/Grant"
import { Role } from "@lectern/core/access/Role"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { collectionId, spaceId, teamId, userId } from "./Parameters.ts"
import { siteParams, sitePath } from "./SitesApi.ts"

const grants = <const Params extends Record<string, Schema.Codec<string>>, const Path extends `/${string}`>(
  path: Path,
  params: Params,
  subject: string
) => {
  const user = { ...params, userId }
  const team = { ...params, teamId }
  const success = HttpApiSchema.NoContent
  return [
    Operation.post("give", path, {
      description: `Grants users and teams roles on ${subject}.`,
      scopes: ["access:write"],
      params,
      payload: GrantTo,
      success
    }),
    Operation.get("listUsers", `${path}/users`, {
      description: `Lists the users with a direct role on ${subject}.`,
      scopes: ["access:read"],
      params,
      query: PageQuery,
      success: listOf(UserPermission)
    }),
    Operation.get("listTeams", `${path}/teams`, {
      description: `Lists the teams with a direct role on ${subject}.`,
      scopes: ["access:read"],
      params,
      query: PageQuery,
      success: listOf(TeamPermission)
    }),
    Operation.get("aggregate", `${path}/aggregate`, {
      description: `Lists the users with access to ${subject}, with their effective roles.`,
      scopes: ["access:read"],
      params,
      query: {
        ...PageQuery,
        role: Schema.optionalKey(Role).annotateKey({ description: "Only users with this role." })
      },
      success: listOf(AggregatePermission)
    }),
    Operation.patch("changeUser", `${path}/users/:userId`, {
      description: `Changes the role of a user on ${subject}.`,
      scopes: ["access:write"],
      params: user,
      payload: GrantRole,
      success
    }),
    Operation.delete("removeUser", `${path}/users/:userId`, {
      description: `Revokes the role of a user on ${subject}.`,
      scopes: ["access:write"],
      params: user,
      success
    }),
    Operation.patch("changeTeam", `${path}/teams/:teamId`, {
      description: `Changes the role of a team on ${subject}.`,
      scopes: ["access:write"],
      params: team,
      payload: GrantRole,
      success
    }),
    Operation.delete("removeTeam", `${path}/teams/:teamId`, {
      description: `Revokes the role of a team on ${subject}.`,
      scopes: ["access:write"],
      params: team,
      success
    })
  ] as const
}

export const SpaceGrantsApi = HttpApiGroup.make("spaceGrants")
  .annotateMerge(
    OpenApi.annotations({ title: "Grants on spaces", description: "Roles of users and teams on a space." })
  )
  .add(...grants("/spaces/:spaceId/permissions", { spaceId }, "a space"))
  .middleware(Authentication)
  .middleware(Failures)

export const CollectionGrantsApi = HttpApiGroup.make("collectionGrants")
  .annotateMerge(
    OpenApi.annotations({
      title: "Grants on collections",
      description: "Roles of users and teams on a collection."
    })
  )
  .add(...grants("/collections/:collectionId/permissions", { collectionId }, "a collection"))
  .middleware(Authentication)
  .middleware(Failures)

export const SiteGrantsApi = HttpApiGroup.make("siteGrants")
  .annotateMerge(OpenApi.annotations({ title: "Grants on sites", description: "Roles of users and teams on a site." }))
  .add(...grants(`${sitePath}/permissions`, siteParams, "a site"))
  .middleware(Authentication)
  .middleware(Failures)
