/**
 * Setting of the instance: who may create organizations, and how many. It does not limit the operator and the host
 * application.
 *
 * - `anyone`: every user
 * - `admins`: administrators of an existing organization (default)
 * - `operator`: only the operator and the host application
 */
import { Context, Schema } from "effect"

export const OrganizationMakers = Schema.Literals(["anyone", "admins", "operator"])
export type OrganizationMakers = typeof OrganizationMakers.Type

export interface OrganizationMakingOptions {
  readonly by: OrganizationMakers
  /** Maximum number of organizations that a user may create. Default: 100. */
  readonly perUser: number
}

export const OrganizationMaking = Context.Reference<OrganizationMakingOptions>(
  "@lectern/core/organization/OrganizationMaking",
  { defaultValue: () => ({ by: "admins", perUser: 100 }) }
)
