/**
 * Result of a program for a link: the properties of a block, or no properties if the program did not accept the link.
 * Documents store the link; readers get the properties with it.
 *
 * Limits: properties of 16 KiB as JSON; the latest 2,000 links of an installation.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import * as Table from "../storage/Table.ts"
import { InstallationId } from "./Installation.ts"

export const maxPropsLength = 16 * 1024
export const maxUnfurledLinks = 2_000

export const UnfurledLinkRow = Schema.Struct({
  installation: InstallationId,
  organization: OrganizationId,
  block: Schema.String,
  url: Schema.String,
  /** Increases in order of creation. */
  id: Schema.String,
  /**
   * Version of the integration that returned the result. A new version tries again the links that were not accepted.
   */
  version: Schema.Int,
  /** Undefined if the program did not accept the link. */
  props: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
})
export type UnfurledLinkRow = typeof UnfurledLinkRow.Type

export const UnfurledLinkTable = Table.make("unfurledLink", UnfurledLinkRow, {
  key: ["installation", "block", "url"],
  indexes: [
    ["installation", "id"],
    ["organization", "id"]
  ]
})

/** Revision up to which the links of a space were unfurled, and the version of its blocks. */
export const LinkedBlocksRow = Schema.Struct({
  space: Schema.String,
  revision: Schema.String,
  blocks: Schema.String
})

export const LinkedBlocksTable = Table.make("linkedBlocks", LinkedBlocksRow, { key: ["space"] })
