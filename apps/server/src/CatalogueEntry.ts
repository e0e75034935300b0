/**
 * Row of an integration of the catalogue: the version that the server published, and the hash of its source. An
 * integration that the operator published or unpublished since is left unchanged.
 */
import { IntegrationKey, type IntegrationRow } from "@lectern/core/integration/Integration"
import { OrganizationId } from "@lectern/core/organization/Organization"
import * as Table from "@lectern/core/storage/Table"
import { Schema } from "effect"

const CatalogueEntryRow = Schema.Struct({
  integration: IntegrationKey,
  /** Organization that owns the catalogue. It has no members. */
  organization: OrganizationId,
  /** Version of the integration that was published, or is being published. */
  version: Schema.Int,
  /** SHA-256 of the published source. */
  hash: Schema.String,
  /** False while the version is being published. */
  isPublished: Schema.Boolean
})
export type CatalogueEntryRow = typeof CatalogueEntryRow.Type

export const CatalogueEntryTable = Table.make("catalogueEntry", CatalogueEntryRow, { key: ["integration"] })

type Published = Pick<IntegrationRow, "organization" | "version" | "unpublishedAt">

/**
 * State of a catalogue integration on this server.
 *
 * - `missing`: never published, or the publication was interrupted
 * - `older`: published by an earlier version of Lectern
 * - `published`: up to date
 * - `unpublished`, `changed`: unpublished or replaced by the operator
 * - `taken`: another organization has an integration with the name
 */
export type CatalogueState = "missing" | "older" | "published" | "unpublished" | "changed" | "taken"

export const stateOf = (
  hash: string,
  entry: CatalogueEntryRow | undefined,
  integration: Published | undefined
): CatalogueState => {
  const published = integration?.unpublishedAt === undefined ? integration : undefined
  if (entry === undefined) return published === undefined ? "missing" : "taken"
  if (published !== undefined && published.organization !== entry.organization) return "taken"
  // A publication that was interrupted may be complete although its entry is not marked as published.
  const isBegun = !entry.isPublished && published?.version !== entry.version
  if (isBegun) return (published?.version ?? 0) === entry.version - 1 ? "missing" : "changed"
  if (published === undefined) return "unpublished"
  if (published.version !== entry.version) return "changed"
  return entry.hash === hash ? "published" : "older"
}
