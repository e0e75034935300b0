/** Operations on the members of an organization. */
import { GrantRole } from "@lectern/core/grant/Grant"
import { Member, MemberFilter, Pong } from "@lectern/core/organization/Member"
import { MemberSpace } from "@lectern/core/space/Space"
import { MembershipOfTeam } from "@lectern/core/team/Team"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, userId } from "./Parameters.ts"

const params = { organizationId, userId }
const itemPath = "/orgs/:organizationId/members/:userId"

export const MembersApi = HttpApiGroup.make("members")
  .annotateMerge(
    OpenApi.annotations({ title: "Members", description: "Members of an organization, with their roles." })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/members", {
      description: "Lists the members of an organization.",
      scopes: ["organization:read"],
      params: { organizationId },
      query: { ...PageQuery, ...MemberFilter.fields },
      success: listOf(Member)
    }),
    Operation.get("get", itemPath, {
      description: "Returns one member of an organization.",
      scopes: ["organization:read"],
      params,
      success: Member
    }),
    Operation.patch("update", itemPath, {
      description: "Changes the role of a member.",
      scopes: ["organization:write"],
      params,
      payload: GrantRole,
      success: Member
    }),
    Operation.delete("remove", itemPath, {
      description: "Removes a member from an organization: yourself, or anybody as an administrator.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("listSpaces", `${itemPath}/spaces`, {
      description: "Lists the spaces that a member may view, with roles. For the member or an administrator.",
      scopes: ["organization:read"],
      params,
      query: PageQuery,
      success: listOf(MemberSpace)
    }),
    Operation.get("listTeams", `${itemPath}/teams`, {
      description: "Lists the teams of a member, with roles.",
      scopes: ["organization:read"],
      params,
      query: {
        ...PageQuery,
        title: Schema.optionalKey(Schema.String).annotateKey({
          description: "Only teams whose titles contain these words."
        })
      },
      success: listOf(MembershipOfTeam)
    }),
    Operation.post("ping", "/orgs/:organizationId/ping", {
      description: "Records that you are active. Any other request does this too.",
      scopes: ["organization:read"],
      params: { organizationId },
      success: Pong
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
