/** Invitations into an organization: sent, accepted, declined; and links that take in whoever has them. */
import { Invitation, Invite, InviteResult } from "@lectern/core/organization/Invitation"
import { InviteLink, InviteLinkCreate, InviteLinkPatch } from "@lectern/core/organization/InviteLink"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const ofOrganization = { organizationId: OrganizationId }
const params = { ...ofOrganization, inviteId: Schema.String }
const all = "/orgs/:organizationId/invites"
const one = `${all}/:inviteId` as const
const allLinks = "/orgs/:organizationId/link-invites"
const oneLink = `${allLinks}/:inviteId` as const

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

export const InviteLinksApi = HttpApiGroup.make("inviteLinks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Invite links",
      description: "Links that take whoever has them into an organization, until they expire or are taken back."
    })
  )
  .add(
    HttpApiEndpoint.get("list", allLinks, { params: ofOrganization, query: PageQuery, success: listOf(InviteLink) }),
    HttpApiEndpoint.post("create", allLinks, {
      params: ofOrganization,
      payload: InviteLinkCreate,
      success: InviteLink.pipe(HttpApiSchema.status(201))
    }),
    HttpApiEndpoint.get("get", oneLink, { params, success: InviteLink }),
    HttpApiEndpoint.patch("update", oneLink, { params, payload: InviteLinkPatch, success: InviteLink }),
    HttpApiEndpoint.delete("remove", oneLink, { params, success: HttpApiSchema.NoContent })
  )
  .middleware(Authentication)
  .middleware(Failures)
