/**
 * The row of an integration of the catalogue: the version that this server published, and the hash of its
 * source. A version that somebody else published since, or unpublished, is theirs to decide about, and stays
 * as it is.
 */
import { IntegrationKey, type IntegrationRow } from "@lectern/core/integration/Integration"
import { OrganizationId } from "@lectern/core/organization/Organization"
import * as Table from "@lectern/core/storage/Table"
import { Schema } from "effect"

const CatalogueEntryRow = Schema.Struct({
  integration: IntegrationKey,
  /** In whose name it is published: an organization of the catalogue's own, that nobody belongs to. */
  organization: OrganizationId,
  /** The version that it was, or is being, published as. */
  version: Schema.Int,
  /** Of the file that it was published from. */
  hash: Schema.String,
  /** False while it is being published. */
  isPublished: Schema.Boolean
})
export type CatalogueEntryRow = typeof CatalogueEntryRow.Type

export const CatalogueEntryTable = Table.make("catalogueEntry", CatalogueEntryRow, { key: ["integration"] })

type Published = Pick<IntegrationRow, "organization" | "version" | "unpublishedAt">

/**
 * - `missing`: it was never published here, or was not to the end
 * - `older`: another version of it came with a former version of Lectern
 * - `published`: it is as it came
 * - `unpublished`, `changed`: somebody did that
 * - `taken`: the name is somebody else's
 */
export type CatalogueState = "missing" | "older" | "published" | "unpublished" | "changed" | "taken"

export const stateOf = (
  hash: string,
  entry: CatalogueEntryRow | undefined,
  integration: Published | undefined
): CatalogueState => {
  const there = integration?.unpublishedAt === undefined ? integration : undefined
  if (entry === undefined) return there === undefined ? "missing" : "taken"
  if (there !== undefined && there.organization !== entry.organization) return "taken"
  // It was begun, and may have come to its end without being noted.
  const isBegun = !entry.isPublished && there?.version !== entry.version
  if (isBegun) return (there?.version ?? 0) === entry.version - 1 ? "missing" : "changed"
  if (there === undefined) return "unpublished"
  if (there.version !== entry.version) return "changed"
  return entry.hash === hash ? "published" : "older"
}
