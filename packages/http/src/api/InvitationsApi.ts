/** Invitations into an organization: sent, accepted, declined; and links that take in whoever has them. */
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
const all = "/orgs/:organizationId/invites"
const one = `${all}/:inviteId` as const
const allLinks = "/orgs/:organizationId/link-invites"
const oneLink = `${allLinks}/:inviteId` as const

export const InvitationsApi = HttpApiGroup.make("invitations")
  .annotateMerge(
    OpenApi.annotations({ title: "Invitations", description: "Who is asked into an organization, until it accepts." })
  )
  .add(
    Operation.get("mine", "/user/invites", {
      description: "Lists the invitations that wait for the user.",
      scopes: ["user:read"],
      query: PageQuery,
      success: listOf(Invitation)
    }),
    Operation.get("list", all, {
      description: "Lists the invitations of an organization that nobody has answered yet.",
      scopes: ["organization:read"],
      params: ofOrganization,
      query: PageQuery,
      success: listOf(Invitation)
    }),
    Operation.post("invite", all, {
      description: "Invites people to an organization by their email addresses.",
      scopes: ["organization:write"],
      params: ofOrganization,
      payload: Invite,
      success: InviteResult
    }),
    Operation.get("get", one, {
      description: "Shows one invitation, to whom it is for as well.",
      scopes: ["user:read", "organization:read"],
      params,
      success: Invitation
    }),
    Operation.post("accept", one, {
      description: "Accepts an invitation of one's own.",
      scopes: ["user:write"],
      params,
      success: Schema.Struct({})
    }),
    // Declining would need `user:write` alone, and taking back `organization:write`: it is one operation.
    Operation.delete("remove", one, {
      description: "Declines an invitation of one's own, or takes one back.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)

/** Seeing links takes a scope to write: whoever sees one may let in whom it wants. */
export const InviteLinksApi = HttpApiGroup.make("inviteLinks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Invite links",
      description: "Links that take whoever has them into an organization, until they expire or are taken back."
    })
  )
  .add(
    Operation.get("list", allLinks, {
      description: "Lists the invite links of an organization that are still good.",
      scopes: ["organization:write"],
      params: ofOrganization,
      query: PageQuery,
      success: listOf(InviteLink)
    }),
    Operation.post("create", allLinks, {
      description: "Makes a link that takes whoever has it into an organization.",
      scopes: ["organization:write"],
      params: ofOrganization,
      payload: InviteLinkCreate,
      success: InviteLink.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", oneLink, {
      description: "Shows one invite link.",
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
      description: "Takes an invite link back.",
      scopes: ["organization:write"],
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
