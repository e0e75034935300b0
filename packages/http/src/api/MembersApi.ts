/** The members of an organization. */
import { GrantRole } from "@lectern/core/grant/Grant"
import { Member, MemberFilter } from "@lectern/core/organization/Member"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const params = { organizationId: OrganizationId, userId: Schema.String }
const one = "/orgs/:organizationId/members/:userId"

export const MembersApi = HttpApiGroup.make("members")
  .annotateMerge(
    OpenApi.annotations({ title: "Members", description: "Who belongs to an organization, and with which role." })
  )
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/members", {
      params: { organizationId: OrganizationId },
      query: { ...PageQuery, ...MemberFilter.fields },
      success: listOf(Member)
    }),
    HttpApiEndpoint.get("get", one, { params, success: Member }),
    HttpApiEndpoint.patch("update", one, { params, payload: GrantRole, success: Member }),
    HttpApiEndpoint.delete("remove", one, { params, success: HttpApiSchema.NoContent })
  )
  .middleware(Authentication)
  .middleware(Failures)
