/**
 * An installation: an integration in an organization, with its configuration, on all or some of the organization's
 * spaces and sites. A placement stores settings of an installation for one space or site.
 *
 * Limits: 5 external ids of 256 characters; a configuration of 64 KiB as JSON; 1,000 installations of an organization,
 * 10,000 placements of an installation.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { Site } from "../site/Site.ts"
import { Space } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { IntegrationKey } from "./Integration.ts"
import { IntegrationScopes } from "./IntegrationManifest.ts"

export const maxConfigurationBytes = 64 * 1024
export const maxInstallations = 1_000
export const maxPlacements = 10_000

/** Id of an installation. */
export const InstallationId = Schema.String.pipe(Schema.brand("InstallationId"))
export type InstallationId = typeof InstallationId.Type

/** `pending`: a required setting is missing; `paused`: an administrator paused the installation. */
export const InstallationStatus = Schema.Literals(["active", "pending", "paused"])
export type InstallationStatus = typeof InstallationStatus.Type

/** Extent of an installation: all spaces, or sites, of the organization, or the chosen ones. */
export const Selection = Schema.Literals(["all", "selected"])
export type Selection = typeof Selection.Type

export const PlacementKind = Schema.Literals(["space", "site"])
export type PlacementKind = typeof PlacementKind.Type

const ExternalIds = Schema.Array(Text.between(1, 256)).check(Schema.isMaxLength(5))

/** Any JSON object whose declared properties have their declared types (see `InstallationConfiguration`). */
export const Configuration = Schema.Record(Schema.String, Schema.Json).check(
  Schema.makeFilter((configuration) =>
    JSON.stringify(configuration).length > maxConfigurationBytes ? "Expected at most 64 KiB of JSON" : undefined
  )
)
export type Configuration = typeof Configuration.Type

const configurationFields = {
  /** Undefined if nothing is configured (see `Configurations`). */
  configuration: Schema.optionalKey(sealed<Configuration>()),
  externalIds: ExternalIds,
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const InstallationRow = Schema.Struct({
  id: InstallationId,
  integration: IntegrationKey,
  organization: OrganizationId,
  paused: Schema.Boolean,
  /**
   * Scopes that an administrator granted. Scopes added by a later version of the integration have no effect until they
   * are granted.
   */
  scopes: IntegrationScopes,
  spaceSelection: Selection,
  siteSelection: Selection,
  ...configurationFields
})
export type InstallationRow = typeof InstallationRow.Type

export const InstallationTable = Table.make("installation", InstallationRow, {
  key: ["id"],
  lists: { externalIds: ({ externalIds }: InstallationRow) => externalIds },
  indexes: [
    ["integration", "createdAt"],
    ["organization", "createdAt"]
  ],
  unique: [["integration", "organization"]],
  sealed: ["configuration"]
})

export const PlacementRow = Schema.Struct({
  installation: InstallationId,
  integration: IntegrationKey,
  organization: OrganizationId,
  kind: PlacementKind,
  /** Id of the space or site. */
  content: Schema.String,
  ...configurationFields
})
export type PlacementRow = typeof PlacementRow.Type

/** Returns the placement that an installation implies on a space or site without a stored placement. */
export const impliedPlacement = (
  {
    id,
    integration,
    organization,
    createdAt
  }: Pick<InstallationRow, "id" | "integration" | "organization" | "createdAt">,
  kind: PlacementKind,
  content: string
): PlacementRow => ({
  installation: id,
  integration,
  organization,
  kind,
  content,
  externalIds: [],
  createdAt,
  updatedAt: createdAt
})

export const PlacementTable = Table.make("installationPlacement", PlacementRow, {
  key: ["installation", "kind", "content"],
  lists: { externalIds: ({ externalIds }: PlacementRow) => externalIds },
  indexes: [
    ["integration", "kind", "createdAt"],
    ["installation", "kind", "createdAt"],
    ["kind", "content"],
    ["organization"]
  ],
  sealed: ["configuration"]
})

export const InstallationCreate = Schema.Struct({
  /** Id of the organization. */
  organization: Text.between(1, 256)
})
export type InstallationCreate = typeof InstallationCreate.Type

/** Changes of an installation. */
export const InstallationPatch = Schema.Struct({
  /** Configuration, which replaces the whole earlier one. */
  configuration: Schema.optionalKey(Configuration),
  /** Ids of the installation in the other system. */
  externalIds: Schema.optionalKey(ExternalIds),
  /** Spaces that the installation covers: `all`, or those that are selected by placements. */
  space_selection: Schema.optionalKey(Selection),
  /** Sites that the installation covers: `all`, or those that are selected by placements. */
  site_selection: Schema.optionalKey(Selection),
  /** `paused` stops events and renders. */
  status: Schema.optionalKey(Schema.Literals(["active", "paused"])),
  /** Scopes that the administrator grants: a subset of the manifest's scopes. */
  scopes: Schema.optionalKey(IntegrationScopes)
})
export type InstallationPatch = typeof InstallationPatch.Type

export const SpacePlacementCreate = Schema.Struct({ space: Text.between(1, 256) })
export const SitePlacementCreate = Schema.Struct({ siteId: Text.between(1, 256) })

export const PlacementPatch = Schema.Struct({
  /** Configuration, which replaces the whole earlier one. */
  configuration: Schema.optionalKey(Configuration),
  /** Ids of the placement in the other system. */
  externalIds: Schema.optionalKey(ExternalIds)
})
export type PlacementPatch = typeof PlacementPatch.Type

const endpointFields = { location: Schema.String, publicEndpoint: Schema.String, publicContentEndpoint: Schema.String }

/** Installation as returned by the interface. */
export const Installation = Schema.Struct({
  object: Schema.Literal("integration-installation"),
  id: InstallationId,
  integration: Schema.String,
  status: InstallationStatus,
  space_selection: Selection,
  site_selection: Selection,
  /** Number of spaces that the installation covers. */
  spaces: Schema.Int,
  configuration: Configuration,
  /** Scopes granted to the installation. */
  scopes: IntegrationScopes,
  /** Scopes that the integration requests and that are not granted. */
  requestedScopes: IntegrationScopes,
  externalIds: ExternalIds,
  target: Schema.Struct({ organization: OrganizationId }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: Schema.Struct({ ...endpointFields, app: Schema.String })
})
export interface Installation extends Schema.Schema.Type<typeof Installation> {}

const placementFields = {
  integration: Schema.String,
  installation: InstallationId,
  status: InstallationStatus,
  configuration: Configuration,
  externalIds: ExternalIds,
  urls: Schema.Struct(endpointFields)
}

/** Placement on a space, as returned by the interface. `space`: id of the space, or the whole space on request. */
export const SpacePlacement = Schema.Struct({
  object: Schema.Literal("integration-space-installation"),
  ...placementFields,
  space: Schema.Union([Schema.String, Space])
})
export type SpacePlacement = typeof SpacePlacement.Type

/** Placement on a site, as returned by the interface. `site`: id of the site, or the whole site on request. */
export const SitePlacement = Schema.Struct({
  object: Schema.Literal("integration-site-installation"),
  ...placementFields,
  site: Schema.Union([Schema.String, Site])
})
export type SitePlacement = typeof SitePlacement.Type

/** Raised if the integration has no installation with the id, or the actor may not see it. */
export class InstallationNotFound extends Schema.TaggedError<InstallationNotFound>()(
  "InstallationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the integration is not installed on this space or site. */
export class PlacementNotFound extends Schema.TaggedError<PlacementNotFound>()(
  "PlacementNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the organization has 1,000 installations, or the installation is on 10,000 spaces or 10,000 sites. */
export class TooManyInstallations extends Schema.TaggedError<TooManyInstallations>()(
  "TooManyInstallations",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the integration does not support this kind of content. */
export class UnsuitableTarget extends Schema.TaggedError<UnsuitableTarget>()(
  "UnsuitableTarget",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
