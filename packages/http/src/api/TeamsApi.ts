/** Teams, and who belongs to them. */
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Team, TeamCreate, TeamMembersPut, TeamPatch } from "@lectern/core/team/Team"
import { TeamMember, TeamMemberPut } from "@lectern/core/team/TeamMember"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const all = "/orgs/:organizationId/teams"
const params = { organizationId: OrganizationId, teamId: Schema.String }
const one = `${all}/:teamId` as const
const member = { ...params, userId: Schema.String }
const success = HttpApiSchema.NoContent

export const TeamsApi = HttpApiGroup.make("teams")
  .annotateMerge(
    OpenApi.annotations({ title: "Teams", description: "Members of an organization that are granted things together." })
  )
  .add(
    HttpApiEndpoint.get("list", all, {
      params: { organizationId: OrganizationId },
      query: { ...PageQuery, owner: Schema.optionalKey(Schema.String), title: Schema.optionalKey(Schema.String) },
      success: listOf(Team)
    }),
    HttpApiEndpoint.put("create", all, {
      params: { organizationId: OrganizationId },
      payload: TeamCreate,
      success: Team.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", one, { params, success: Team }),
    HttpApiEndpoint.patch("update", one, { params, payload: TeamPatch, success: Team }),
    HttpApiEndpoint.delete("remove", one, { params, success }),
    HttpApiEndpoint.get("listMembers", `${one}/members`, { params, query: PageQuery, success: listOf(TeamMember) }),
    HttpApiEndpoint.put("updateMembers", `${one}/members`, { params, payload: TeamMembersPut, success }),
    HttpApiEndpoint.put("putMember", `${one}/members/:userId`, { params: member, payload: TeamMemberPut, success }),
    HttpApiEndpoint.delete("removeMember", `${one}/members/:userId`, { params: member, success })
  )
  .middleware(Authentication)
  .middleware(Failures)
