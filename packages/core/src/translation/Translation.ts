/**
 * A translation keeps a space in another language: a run translates what has changed in the source
 * since the last one, and writes it into a space of its own, the result.
 *
 * Limits: instructions 64 KiB, counted as a document.
 */
import { Schema } from "effect"
import { Content } from "../content/Content.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { Language } from "../schema/Language.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import { ObjectHash } from "../storage/ObjectStore.ts"
import * as Table from "../storage/Table.ts"

/** Characters of JSON. */
export const maxInstructions = 64 * 1024

export const TranslationId = Schema.String.pipe(Schema.brand("TranslationId"))
export type TranslationId = typeof TranslationId.Type

/** `pending`: there is no result yet; see `TranslationState` for what leads where. */
export const TranslationStatus = Schema.Literals(["pending", "running", "completed"])
export type TranslationStatus = typeof TranslationStatus.Type

/** Durations are in seconds, words those of the source that went to the engine. */
export const TranslationStats = Schema.Struct({
  runs: Schema.Int,
  totalWords: Schema.Int,
  /** Pages that were ever translated, each once. */
  totalPages: Schema.Int,
  totalDuration: Schema.Finite,
  latestRunDuration: Schema.Finite,
  latestPages: Schema.Int,
  latestWords: Schema.Int
})

/** A run that has begun: what it translates, and how far it is. */
export const TranslationProgress = Schema.Struct({
  /** The revision of the source, so that it stays the same wherever the run is taken up again. */
  source: RevisionId,
  words: Schema.Int,
  pages: Schema.Int,
  /** Of these, how many had never been translated. */
  newPages: Schema.Int
})

export const TranslationRow = Schema.Struct({
  id: TranslationId,
  organization: OrganizationId,
  source: Schema.optionalKey(Schema.Struct({ space: SpaceId, language: Schema.optionalKey(Language) })),
  language: Language,
  instructions: Schema.optionalKey(ObjectHash),
  status: TranslationStatus,
  /** Another one for each run: what belongs to an earlier one is out of date. */
  run: Schema.optionalKey(Schema.String),
  /** Does the run while it is unfinished. */
  job: Schema.optionalKey(Schema.String),
  runAt: Schema.optionalKey(Timestamp),
  progress: Schema.optionalKey(TranslationProgress),
  result: Schema.optionalKey(Schema.Struct({ space: SpaceId, revision: RevisionId })),
  /** The engine's translation of the source at the last completed run, before anyone edited it. */
  made: Schema.optionalKey(Schema.Struct({ source: RevisionId, key: Schema.String, content: Content })),
  /** Texts that are in the source's language still, since no answer to them could be used. */
  untranslated: Schema.Int,
  /** Why the last run came to nothing, in a sentence. */
  lastError: Schema.optionalKey(Schema.String),
  stats: TranslationStats,
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type TranslationRow = typeof TranslationRow.Type

export const TranslationTable = Table.make("translation", TranslationRow, {
  key: ["id"],
  derived: { space: (row: TranslationRow) => row.source?.space ?? null },
  indexes: [["organization", "space"], ["space"]]
})

/** Translated texts of one page, or of one reusable content. */
export const TranslatedTexts = Schema.Struct({
  title: Schema.String,
  description: Schema.optionalKey(Schema.String),
  document: Schema.optionalKey(ObjectHash)
})
export type TranslatedTexts = typeof TranslatedTexts.Type

export const TranslatedRow = Schema.Struct({
  translation: TranslationId,
  kind: Schema.Literals(["page", "reusable-content"]),
  id: Schema.String,
  /** The source space. */
  space: SpaceId,
  /** Hash of everything beside the texts that answers depend on: languages, instructions, engine. */
  key: Schema.String,
  source: TranslatedTexts,
  made: TranslatedTexts,
  /** An object: each text with its answer, so that an edit of one paragraph asks for that one alone. */
  answers: ObjectHash,
  untranslated: Schema.Int
})
export type TranslatedRow = typeof TranslatedRow.Type

export const TranslatedTable = Table.make("translated", TranslatedRow, {
  key: ["translation", "kind", "id"],
  derived: { incomplete: (row: TranslatedRow) => row.untranslated > 0 },
  indexes: [["space"], ["translation", "incomplete"]]
})

export const TranslationCreate = Schema.Struct({
  source: Schema.optionalKey(Schema.Struct({ space: SpaceId, language: Schema.optionalKey(Language) })),
  language: Language,
  /** A document, or `{ markdown }`. */
  instructions: Schema.optionalKey(Schema.Unknown)
})
export type TranslationCreate = typeof TranslationCreate.Type

export const TranslationPut = Schema.Struct({ instructions: Schema.optionalKey(Schema.Unknown) })
export type TranslationPut = typeof TranslationPut.Type

/** The resource. */
export const Translation = Schema.Struct({
  object: Schema.Literal("translation"),
  id: TranslationId,
  status: TranslationStatus,
  source: Schema.optionalKey(Schema.Struct({ space: SpaceId, language: Schema.optionalKey(Language) })),
  language: Language,
  /** An empty document where there are none. */
  instructions: Schema.Unknown,
  result: Schema.optionalKey(Schema.Struct({ space: SpaceId, revision: RevisionId, language: Language })),
  /** Texts that are in the source's language still, since no answer of the engine to them could be used. */
  untranslated: Schema.Int,
  lastError: Schema.optionalKey(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** In whole seconds: one that has begun counts. */
  stats: Schema.Struct({ ...TranslationStats.fields, totalDuration: Schema.Int, latestRunDuration: Schema.Int }),
  permissions: Schema.Struct({ view: Schema.Boolean, edit: Schema.Boolean }),
  urls: Schema.Struct({ location: Schema.String })
})
export type Translation = typeof Translation.Type

export class TranslationNotFound extends Schema.TaggedError<TranslationNotFound>()(
  "TranslationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** A request for a translation that is not possible. */
export class InvalidTranslation extends Schema.TaggedError<InvalidTranslation>()(
  "InvalidTranslation",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return `The translation can't be made so: ${this.issues[0]?.message ?? "it is not valid"}`
  }
}
