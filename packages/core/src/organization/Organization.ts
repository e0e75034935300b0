/**
 * An organization owns spaces, members, sites and all other content.
 *
 * Limits: title 2 to 255 characters without white space at its ends; hostname 3 to 32 characters of `[a-z0-9-]`, unique
 * on the instance. 100 email domains. URL of the logo 2,048 characters, http or https.
 */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { OrganizationMergeRules } from "../merge-rules/MergeRules.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { UserId } from "../user/User.ts"

/** Id of an organization. */
export const OrganizationId = Schema.String.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

export const OrganizationTitle = Text.line(2, 255)

export const Hostname = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/, {
    message: "Expected 3 to 32 of a-z, 0-9 and hyphens, without a hyphen at either end"
  })
)

const EmailDomains = Schema.Array(Text.between(1, 253)).check(Schema.isMaxLength(100))
const DefaultContent = Schema.Struct({ type: Schema.Literal("site"), site: Text.between(1, 256) })

export const OrganizationRow = Schema.Struct({
  id: OrganizationId,
  title: OrganizationTitle,
  hostname: Hostname,
  emailDomains: EmailDomains,
  /**
   * Verified domains among `emailDomains`, or domains that the operator or the host application vouches for. People
   * with an address at such a domain belong to the organization.
   */
  ownDomains: Schema.optionalKey(EmailDomains),
  /** User who created the organization. Absent if the operator or the host application created it. */
  maker: Schema.optionalKey(UserId),
  /** Role of new members. Null for guests. */
  defaultRole: Schema.NullOr(Role),
  defaultContent: Schema.optionalKey(DefaultContent),
  logo: Schema.optionalKey(Schema.String),
  sso: Schema.Boolean,
  ai: Schema.Boolean,
  inviteLinks: Schema.Boolean,
  /** True if members must sign in with a second factor. Default: false. */
  requireSecondFactor: Schema.optionalKey(Schema.Boolean),
  /** Rules for merges in its spaces. Default: none. */
  mergeRules: Schema.optionalKey(OrganizationMergeRules),
  createdAt: Timestamp
})
export type OrganizationRow = typeof OrganizationRow.Type

export const OrganizationTable = Table.make("organization", OrganizationRow, {
  key: ["id"],
  lists: { domains: (row: OrganizationRow) => row.ownDomains?.map((domain) => domain.toLowerCase()) ?? [] },
  indexes: [["createdAt"], ["maker"]],
  unique: [["hostname"]]
})

export const OrganizationCreate = Schema.Struct({
  /** Title in one line. */
  title: OrganizationTitle,
  /** Domains of e-mail addresses of the organization. Default: none. */
  emailDomains: Schema.optionalKey(EmailDomains)
})
export type OrganizationCreate = typeof OrganizationCreate.Type

/** `null` removes an optional value. Omitted fields stay. */
export const OrganizationPatch = Schema.Struct({
  /** Title in one line. */
  title: Schema.optionalKey(OrganizationTitle),
  /** Subdomain, unique on the instance: 3 to 32 of `a-z`, `0-9` and hyphens. */
  hostname: Schema.optionalKey(Hostname),
  /** Domains of e-mail addresses of the organization. A new domain needs a proof. */
  emailDomains: Schema.optionalKey(EmailDomains),
  /** Role of new members if an invitation has no role. `null` for guests. */
  defaultRole: Schema.optionalKey(Schema.NullOr(Role)),
  /** Site that the organization shows first. `null` removes it. */
  defaultContent: Schema.optionalKey(Schema.NullOr(DefaultContent)),
  /** URL of the logo. `null` removes it. */
  logo: Schema.optionalKey(Schema.NullOr(Text.HttpUrl)),
  /** Stored for clients that require single sign-on of members. */
  sso: Schema.optionalKey(Schema.Boolean),
  /** Stored for clients with AI features. */
  ai: Schema.optionalKey(Schema.Boolean),
  /** False to disable all invite links. */
  inviteLinks: Schema.optionalKey(Schema.Boolean),
  /**
   * True if members must sign in with a second factor: an authenticator app or a passkey. It ends the sessions of
   * members that were started without one. Sign-in with an identity provider of the organization is not affected.
   */
  requireSecondFactor: Schema.optionalKey(Schema.Boolean),
  /** Rules that change requests in its spaces must meet before they are merged. */
  mergeRules: Schema.optionalKey(OrganizationMergeRules)
})
export type OrganizationPatch = typeof OrganizationPatch.Type

const booleans = <const Names extends ReadonlyArray<string>>(names: Names) =>
  Schema.Struct(
    Object.fromEntries(names.map((name) => [name, Schema.Boolean])) as { [K in Names[number]]: typeof Schema.Boolean }
  )

/** An organization as an API resource. Billing is omitted, since nothing is for sale. */
export const Organization = Schema.Struct({
  object: Schema.Literal("organization"),
  id: OrganizationId,
  /** Title. */
  title: Schema.String,
  createdAt: Timestamp,
  /** Domains of e-mail addresses of the organization. */
  emailDomains: Schema.Array(Schema.String),
  /** Subdomain, unique on the instance. */
  hostname: Schema.String,
  /** Always `business`. */
  type: Schema.Literal("business"),
  /** Always `docsSite`. */
  useCase: Schema.Literal("docsSite"),
  /** Role of new members if an invitation has no role. `null` for guests. */
  defaultRole: Schema.NullOr(Role),
  /** Site that the organization shows first. */
  defaultContent: Schema.optionalKey(DefaultContent),
  /** Stored for clients that require single sign-on of members. */
  sso: Schema.Boolean,
  /** Stored for clients with AI features. */
  ai: Schema.Boolean,
  /** False if all invite links are disabled. */
  inviteLinks: Schema.Boolean,
  /** True if members must sign in with a second factor. */
  requireSecondFactor: Schema.Boolean,
  /** Always `enterprise_2024`, since all features are included. */
  plan: Schema.Literal("enterprise_2024"),
  /** Rules for merges in its spaces. `none` for actors that are not members. */
  mergeRules: OrganizationMergeRules,
  /** Always without a trial. */
  trial: Schema.Struct({ status: Schema.Literal("notapplicable"), count: Schema.Literal(0) }),
  urls: Schema.Struct({ location: Schema.String, app: Schema.String, logo: Schema.optionalKey(Schema.String) }),
  permissions: booleans([
    "view",
    "access",
    "admin",
    "ownTeam",
    "createContent",
    "createOpenAPISpec",
    "ingestConversations",
    "viewBilling",
    "listMembers",
    "listTeams",
    "listIntegrations",
    "listInstallations",
    "installIntegration"
  ])
})
export interface Organization extends Schema.Schema.Type<typeof Organization> {}

/** Raised if the organization does not exist or the actor is not a member. */
export class OrganizationNotFound extends Schema.TaggedError<OrganizationNotFound>()(
  "OrganizationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Returns true if a domain belongs to the organization. Ignores case. */
export const ownsDomain = ({ ownDomains = [] }: OrganizationRow, domain: string): boolean =>
  ownDomains.some((own) => own.toLowerCase() === domain.toLowerCase())

/** Returns true if an email address is at a domain of the organization. Ignores case. */
export const ownsDomainOf = ({ ownDomains = [] }: OrganizationRow, email: string): boolean =>
  ownDomains.some((domain) => email.toLowerCase().endsWith(`@${domain.toLowerCase()}`))

/** Raised if the actor has created the maximum number of organizations. */
export class TooManyOrganizations extends Schema.TaggedError<TooManyOrganizations>()(
  "TooManyOrganizations",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

export class HostnameInUse extends Schema.TaggedError<HostnameInUse>()(
  "HostnameInUse",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
