/** Invitations to an organization, and invite links. */
import { Invitation, Invite, InviteResult } from "@lectern/core/organization/Invitation"
import { InviteLink, InviteLinkCreate, InviteLinkPatch } from "@lectern/core/organization/InviteLink"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const ofOrganization = { organizationId }
const params = { ...ofOrganization, inviteId: Schema.String.annotateKey({ description: "The id of the invitation." }) }
const listPath = "/orgs/:organizationId/invites"
const itemPath = `${listPath}/:inviteId` as const
const allLinks = "/orgs/:organizationId/link-invites"
const oneLink = `${allLinks}/:inviteId` as const

export const InvitationsApi = HttpApiGroup.make("invitations")
  .annotateMerge(OpenApi.annotations({ title: "Invitations", description: "Open invitations to an organization." }))
  .add(
    Operation.get("mine", "/user/invites", {
      description: "Lists the open invitations of the user.",
      scopes: ["user:read"],
      query: PageQuery,
      success: listOf(Invitation)
    }),
    Operation.get("list", listPath, {
      description: "Lists the open invitations of an organization.",
      scopes: ["organization:read"],
      params: ofOrganization,
      query: PageQuery,
      success: listOf(Invitation)
    }),
    Operation.post("invite", listPath, {
      description: "Invites people to an organization by their email addresses.",
      scopes: ["organization:write"],
      params: ofOrganization,
      payload: Invite,
      success: InviteResult
    }),
    Operation.get("get", itemPath, {
      description: "Returns one invitation. The invited user may read it too.",
      scopes: ["user:read", "organization:read"],
      params,
      success: Invitation
    }),
    Operation.post("accept", itemPath, {
      description: "Accepts an invitation of the user.",
      scopes: ["user:write"],
      params,
      success: Schema.Struct({})
    }),
    // Declining would need only `user:write`, and revoking `organization:write`, but both are one operation.
    Operation.delete("remove", itemPath, {
      description: "Declines or revokes an invitation.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Reading links requires a write scope, since each holder of a link can join. */
export const InviteLinksApi = HttpApiGroup.make("inviteLinks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Invite links",
      description: "Links for joining an organization, until they expire or are revoked."
    })
  )
  .add(
    Operation.get("list", allLinks, {
      description: "Lists the valid invite links of an organization.",
      scopes: ["organization:write"],
      params: ofOrganization,
      query: PageQuery,
      success: listOf(InviteLink)
    }),
    Operation.post("create", allLinks, {
      description: "Creates an invite link. Anybody with the link can join the organization.",
      scopes: ["organization:write"],
      params: ofOrganization,
      payload: InviteLinkCreate,
      success: InviteLink.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", oneLink, {
      description: "Returns one invite link.",
      scopes: ["organization:write"],
      params,
      success: InviteLink
    }),
    Operation.patch("update", oneLink, {
      description: "Changes an invite link.",
      scopes: ["organization:write"],
      params,
      payload: InviteLinkPatch,
      success: InviteLink
    }),
    Operation.delete("remove", oneLink, {
      description: "Revokes an invite link.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
