/** Minimum role for each action in an organization. */
import type { Membership } from "../access/Access.ts"
import { atLeast, type Role } from "../access/Role.ts"
import type { Organization } from "./Organization.ts"

/** `member`: any member, including guests. */
export const rules = {
  "see this organization": "member",
  "leave this organization": "member",
  "create content at the top of this organization": "create",
  "upload files to this organization": "create",
  "take content over": "admin",
  "manage the members of this organization": "admin",
  "see what other members may do in this organization": "admin",
  "manage the teams of this organization": "admin",
  "manage the fonts of this organization": "admin",
  "manage the sign-on of this organization": "admin",
  "manage the webhooks of this organization": "admin",
  "publish integrations of this organization": "admin",
  "install integrations in this organization": "admin",
  "change this organization": "admin",
  "see the audit log of this organization": "admin",
  "see why visitors don't see a page of this organization": "admin"
} as const satisfies Record<string, Role | "member">

export type OrganizationAction = keyof typeof rules

/** Permissions of an actor who is not a member of the organization. */
export const strangerPermissions: Organization["permissions"] = {
  view: false,
  access: false,
  admin: false,
  ownTeam: false,
  createContent: false,
  createOpenAPISpec: false,
  ingestConversations: false,
  viewBilling: false,
  listMembers: false,
  listTeams: false,
  listIntegrations: false,
  listInstallations: false,
  installIntegration: false
}

/** Returns the permissions of a member. */
export const permissions = (
  { role, admin }: Pick<Membership, "role" | "admin">,
  ownsTeam: boolean
): Organization["permissions"] => {
  const mayCreate = atLeast(role, "create")
  return {
    view: true,
    access: true,
    admin,
    ownTeam: admin || ownsTeam,
    createContent: mayCreate,
    createOpenAPISpec: mayCreate,
    ingestConversations: atLeast(role, "edit"),
    viewBilling: admin,
    listMembers: true,
    listTeams: true,
    listIntegrations: true,
    listInstallations: true,
    installIntegration: admin
  }
}
