/**
 * The row of a site's adaptive schema. A site without a row has the empty schema.
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import { SiteId } from "../site/Site.ts"
import * as Table from "../storage/Table.ts"
import { AdaptiveJsonSchema } from "./AdaptiveSchema.ts"

export const AdaptiveSchemaRow = Schema.Struct({ site: SiteId, jsonSchema: AdaptiveJsonSchema, updatedAt: Timestamp })
export type AdaptiveSchemaRow = typeof AdaptiveSchemaRow.Type

export const AdaptiveSchemaTable = Table.make("adaptiveSchema", AdaptiveSchemaRow, { key: ["site"] })

export const AdaptiveSchemaPut = Schema.Struct({
  /** JSON schema (draft-07) of the claims. `unsigned` contains the claims that no token signs. */
  jsonSchema: AdaptiveJsonSchema
})
export type AdaptiveSchemaPut = typeof AdaptiveSchemaPut.Type

/** The adaptive schema of a site as an API resource. */
export const SiteAdaptiveSchema = Schema.Struct({
  object: Schema.Literal("site-adaptive-schema"),
  jsonSchema: AdaptiveJsonSchema,
  updatedAt: Timestamp
})
export interface SiteAdaptiveSchema extends Schema.Schema.Type<typeof SiteAdaptiveSchema> {}
