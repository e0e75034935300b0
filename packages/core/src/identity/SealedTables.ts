/**
 * Every table with fields that are sealed. What is not here, or not declared by its table, can't be
 * sealed at all (see `Secrets`), so that a change of keys finds everything (see `KeyRotation`).
 */
import { GitCredentialTable } from "../git/GitSync.ts"
import { InstallationTable, PlacementTable } from "../integration/Installation.ts"
import { IntegrationTable } from "../integration/Integration.ts"
import { IntegrationEventTable } from "../integration/IntegrationEvent.ts"
import { IntegrationTaskTable } from "../integration/IntegrationTask.ts"
import { PublishingAuthTable } from "../publishing/PublishingAuth.ts"
import { ShareLinkTable } from "../publishing/ShareLink.ts"
import type { Table } from "../storage/Table.ts"
import { InstanceTable } from "./InstanceRow.ts"

export const sealedTables: ReadonlyArray<Table> = [
  InstanceTable,
  GitCredentialTable,
  PublishingAuthTable,
  ShareLinkTable,
  IntegrationTable,
  InstallationTable,
  PlacementTable,
  IntegrationEventTable,
  IntegrationTaskTable
]
