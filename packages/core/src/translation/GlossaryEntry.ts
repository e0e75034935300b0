/**
 * An entry of an organization's glossary: translations of a term in several languages. Translation runs pass the terms
 * of their two languages to the engine.
 *
 * Limits: 1,000 entries of an organization; terms 255 characters in one line; 500 operations at once.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Language } from "../schema/Language.ts"
import * as Text from "../schema/Text.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"

export const maxEntries = 1_000
const maxOperations = 500

const Term = Text.between(1, 255).check(Schema.isPattern(/^[^\n\r]*$/, { message: "Expected a term in one line" }))

/** Terms by language. Missing languages have no term. */
const Terms = Schema.Record(Language, Schema.optionalKey(Term)).check(
  Schema.makeFilter((terms: object) => (Object.keys(terms).length > 0 ? undefined : "Expected a term in one language"))
)

export const GlossaryEntryRow = Schema.Struct({
  id: Schema.String,
  organization: OrganizationId,
  translations: Terms,
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type GlossaryEntryRow = typeof GlossaryEntryRow.Type

export const GlossaryEntryTable = Table.make("glossaryEntry", GlossaryEntryRow, {
  key: ["id"],
  indexes: [["organization"]]
})

const Operation = Schema.Union([
  Schema.Struct({ type: Schema.Literal("insert"), translations: Terms }),
  /** Replaces the terms. */
  Schema.Struct({ type: Schema.Literal("update"), id: Schema.String, translations: Terms }),
  Schema.Struct({ type: Schema.Literal("delete"), id: Schema.String })
])

export const GlossaryUpdate = Schema.Struct({
  /** Entries to insert, update or delete, in order. */
  operations: Schema.Array(Operation).check(Schema.isMaxLength(maxOperations))
})
export type GlossaryUpdate = typeof GlossaryUpdate.Type

/** Glossary entry as the API returns it. */
export const GlossaryEntry = Schema.Struct({
  object: Schema.Literal("glossary-entry"),
  id: Schema.String,
  translations: Terms,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  urls: Schema.Struct({ location: Schema.String })
})
export interface GlossaryEntry extends Schema.Schema.Type<typeof GlossaryEntry> {}

/** Raised if the glossary has no entry with the id. */
export class GlossaryEntryNotFound extends Schema.TaggedError<GlossaryEntryNotFound>()(
  "GlossaryEntryNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the glossary would have more than 1,000 entries. */
export class TooManyGlossaryEntries extends Schema.TaggedError<TooManyGlossaryEntries>()(
  "TooManyGlossaryEntries",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
