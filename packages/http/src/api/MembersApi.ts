/** The members of an organization. */
import { GrantRole } from "@lectern/core/grant/Grant"
import { Member, MemberFilter, Pong } from "@lectern/core/organization/Member"
import { SpaceOfMember } from "@lectern/core/space/Space"
import { MembershipOfTeam } from "@lectern/core/team/Team"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId, userId } from "./Parameters.ts"

const params = { organizationId, userId }
const one = "/orgs/:organizationId/members/:userId"

export const MembersApi = HttpApiGroup.make("members")
  .annotateMerge(
    OpenApi.annotations({ title: "Members", description: "Who belongs to an organization, and with which role." })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/members", {
      description: "Lists the members of an organization.",
      scopes: ["organization:read"],
      params: { organizationId },
      query: { ...PageQuery, ...MemberFilter.fields },
      success: listOf(Member)
    }),
    Operation.get("get", one, {
      description: "Shows one member of an organization.",
      scopes: ["organization:read"],
      params,
      success: Member
    }),
    Operation.patch("update", one, {
      description: "Changes the role of a member.",
      scopes: ["organization:write"],
      params,
      payload: GrantRole,
      success: Member
    }),
    Operation.delete("remove", one, {
      description: "Takes a member out of an organization: yourself, or any as an administrator.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("listSpaces", `${one}/spaces`, {
      description:
        "Lists the spaces that a member may see, with its role on each: your own, or any as an administrator.",
      scopes: ["organization:read"],
      params,
      query: PageQuery,
      success: listOf(SpaceOfMember)
    }),
    Operation.get("listTeams", `${one}/teams`, {
      description: "Lists the teams that a member is in, with its role in each.",
      scopes: ["organization:read"],
      params,
      query: {
        ...PageQuery,
        title: Schema.optionalKey(Schema.String).annotateKey({
          description: "Words: those that have them in their titles."
        })
      },
      success: listOf(MembershipOfTeam)
    }),
    Operation.post("ping", "/orgs/:organizationId/ping", {
      description: "Tells that you are there. Any other request does so as well.",
      scopes: ["organization:read"],
      params: { organizationId },
      success: Pong
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
