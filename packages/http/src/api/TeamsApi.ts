/** Teams and their members. */
import { Team, TeamCreate, TeamMembersPut, TeamPatch } from "@lectern/core/team/Team"
import { TeamMember, TeamMemberPut } from "@lectern/core/team/TeamMember"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, teamId, userId } from "./Parameters.ts"

const listPath = "/orgs/:organizationId/teams"
const params = { organizationId, teamId }
const itemPath = `${listPath}/:teamId` as const
const member = { ...params, userId }
const success = HttpApiSchema.NoContent

export const TeamsApi = HttpApiGroup.make("teams")
  .annotateMerge(OpenApi.annotations({ title: "Teams", description: "Groups of members that share grants." }))
  .add(
    Operation.get("list", listPath, {
      description: "Lists the teams of an organization.",
      scopes: ["organization:read"],
      params: { organizationId },
      query: {
        ...PageQuery,
        owner: Schema.optionalKey(Schema.String).annotateKey({ description: "Only teams of this owner." }),
        title: Schema.optionalKey(Schema.String).annotateKey({
          description: "Only teams whose titles contain these words."
        })
      },
      success: listOf(Team)
    }),
    Operation.put("create", listPath, {
      description: "Creates a team.",
      scopes: ["organization:write"],
      params: { organizationId },
      payload: TeamCreate,
      success: Team.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", itemPath, {
      description: "Returns one team.",
      scopes: ["organization:read"],
      params,
      success: Team
    }),
    Operation.patch("update", itemPath, {
      description: "Changes the title of a team.",
      scopes: ["organization:write"],
      params,
      payload: TeamPatch,
      success: Team
    }),
    Operation.delete("remove", itemPath, {
      description: "Deletes a team and its grants.",
      scopes: ["organization:write"],
      params,
      success
    }),
    Operation.get("listMembers", `${itemPath}/members`, {
      description: "Lists the members of a team.",
      scopes: ["organization:read"],
      params,
      query: PageQuery,
      success: listOf(TeamMember)
    }),
    Operation.put("updateMembers", `${itemPath}/members`, {
      description: "Adds and removes several members of a team.",
      scopes: ["organization:write"],
      params,
      payload: TeamMembersPut,
      success
    }),
    Operation.put("putMember", `${itemPath}/members/:userId`, {
      description: "Adds a user to a team, or changes the user's role.",
      scopes: ["organization:write"],
      params: member,
      payload: TeamMemberPut,
      success
    }),
    Operation.delete("removeMember", `${itemPath}/members/:userId`, {
      description: "Removes a user from a team.",
      scopes: ["organization:write"],
      params: member,
      success
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
