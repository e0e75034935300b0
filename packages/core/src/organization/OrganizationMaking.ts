/**
 * Permission to make organizations, and their number: a setting of the instance. It does not bind the operator
 * and the host application.
 *
 * - `anyone`: every user
 * - `admins`: who administers an organization already (default)
 * - `operator`: nobody else
 */
import { Context, Schema } from "effect"

export const OrganizationMakers = Schema.Literals(["anyone", "admins", "operator"])
export type OrganizationMakers = typeof OrganizationMakers.Type

export interface OrganizationMakingOptions {
  readonly by: OrganizationMakers
  /** How many a user may make. Default: 100. */
  readonly perUser: number
}

export const OrganizationMaking = Context.Reference<OrganizationMakingOptions>(
  "@lectern/core/organization/OrganizationMaking",
  { defaultValue: () => ({ by: "admins", perUser: 100 }) }
)
