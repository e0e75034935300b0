/**
 * Setting of the instance: who may create organizations, and how many. It does not limit the operator and the host
 * application.
 *
 * - `anyone`: every user
 * - `admins`: administrators of an existing organization (default)
 * - `operator`: only the operator and the host application
 */
import { Context, Schema } from "effect"
import type { OptionNames } from "../schema/OptionNames.ts"

export const OrganizationCreators = Schema.Literals(["anyone", "admins", "operator"])
export type OrganizationCreators = typeof OrganizationCreators.Type

export interface OrganizationCreationOptions {
  readonly creators: OrganizationCreators
  /** Maximum number of organizations that a user may create. Default: 100. */
  readonly perUser: number
}

export const organizationCreationNames: OptionNames<OrganizationCreationOptions> = { creators: true, perUser: true }

export const OrganizationCreation = Context.Reference<OrganizationCreationOptions>(
  "@lectern/core/organization/OrganizationCreation",
  { defaultValue: () => ({ creators: "admins", perUser: 100 }) }
)
