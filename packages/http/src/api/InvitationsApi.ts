/** Invitations into an organization: sent, accepted, declined. */
import { Invitation, Invite, InviteResult } from "@lectern/core/organization/Invitation"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const ofOrganization = { organizationId: OrganizationId }
const params = { ...ofOrganization, inviteId: Schema.String }
const all = "/orgs/:organizationId/invites"
const one = `${all}/:inviteId` as const

export const InvitationsApi = HttpApiGroup.make("invitations")
  .annotateMerge(
    OpenApi.annotations({ title: "Invitations", description: "Who is asked into an organization, until it accepts." })
  )
  .add(
    HttpApiEndpoint.get("mine", "/user/invites", { query: PageQuery, success: listOf(Invitation) }),
    HttpApiEndpoint.get("list", all, { params: ofOrganization, query: PageQuery, success: listOf(Invitation) }),
    HttpApiEndpoint.post("invite", all, { params: ofOrganization, payload: Invite, success: InviteResult }),
    HttpApiEndpoint.get("get", one, { params, success: Invitation }),
    HttpApiEndpoint.post("accept", one, { params, success: Schema.Struct({}) }),
    HttpApiEndpoint.delete("remove", one, { params, success: HttpApiSchema.NoContent })
  )
  .middleware(Authentication)
  .middleware(Failures)
