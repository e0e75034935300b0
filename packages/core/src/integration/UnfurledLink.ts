/**
 * A program's answer about a link that one of its blocks takes: the properties of the block, or nothing. The
 * link stays as it is stored in documents; where it is read, these go with it.
 *
 * Limits: properties of 16 KiB as JSON; 2,000 links of an installation, those made last.
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
  /** Follows the order in which they were made. */
  id: Schema.String,
  /** Of the integration when it was asked: another one is asked again for what it did not take. */
  version: Schema.Int,
  /** Undefined: it did not take it. */
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

/** How far the links of a space were looked through, and for which versions of what takes them. */
export const LinkedBlocksRow = Schema.Struct({
  space: Schema.String,
  revision: Schema.String,
  blocks: Schema.String
})

export const LinkedBlocksTable = Table.make("linkedBlocks", LinkedBlocksRow, { key: ["space"] })
