/**
 * A translation keeps a copy of a space in another language: a run translates the changes of the source since the last
 * run, and writes them into another space, the result.
 *
 * Limits: instructions 64 KiB as a document.
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
import { UserId } from "../user/User.ts"

/** Maximum length of the instructions of a translation as JSON, in characters. */
export const maxInstructions = 64 * 1024

/** Id of a translation. */
export const TranslationId = Schema.String.pipe(Schema.brand("TranslationId"))
export type TranslationId = typeof TranslationId.Type

/** `pending`: there is no result yet. `TranslationState` defines the transitions. */
export const TranslationStatus = Schema.Literals(["pending", "running", "completed"])
export type TranslationStatus = typeof TranslationStatus.Type

/** Durations in seconds. Words: words of the source that were sent to the engine. */
export const TranslationStats = Schema.Struct({
  runs: Schema.Int,
  totalWords: Schema.Int,
  /** Number of distinct pages that were ever translated. */
  totalPages: Schema.Int,
  totalDuration: Schema.Finite,
  latestRunDuration: Schema.Finite,
  latestPages: Schema.Int,
  latestWords: Schema.Int
})

/** Progress of a started run. */
export const TranslationProgress = Schema.Struct({
  /** Revision of the source, so that a resumed run uses the same content. */
  source: RevisionId,
  words: Schema.Int,
  pages: Schema.Int,
  /** Number of pages that had never been translated. */
  newPages: Schema.Int
})

export const TranslationRow = Schema.Struct({
  id: TranslationId,
  organization: OrganizationId,
  source: Schema.optionalKey(Schema.Struct({ space: SpaceId, language: Schema.optionalKey(Language) })),
  language: Language,
  instructions: Schema.optionalKey(ObjectHash),
  status: TranslationStatus,
  /** Id of the current run. Events of other runs are rejected. */
  run: Schema.optionalKey(Schema.String),
  /** Id of the job that executes the run. */
  job: Schema.optionalKey(Schema.String),
  runAt: Schema.optionalKey(Timestamp),
  /** User who started the current run. Absent if the host application started it. */
  startedBy: Schema.optionalKey(UserId),
  progress: Schema.optionalKey(TranslationProgress),
  result: Schema.optionalKey(Schema.Struct({ space: SpaceId, revision: RevisionId })),
  /** Translation of the source at the last completed run, without hand edits. */
  made: Schema.optionalKey(Schema.Struct({ source: RevisionId, key: Schema.String, content: Content })),
  /** Number of texts without a valid translation. */
  untranslated: Schema.Int,
  /** Reason why the last run failed. */
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
  /** Hash of all parameters that translations depend on, other than the texts: languages, instructions, engine. */
  key: Schema.String,
  source: TranslatedTexts,
  made: TranslatedTexts,
  /** Object with pairs of text and translation, so that an edit of one paragraph translates only that paragraph. */
  answers: ObjectHash,
  untranslated: Schema.Int
})
export type TranslatedRow = typeof TranslatedRow.Type

/** Returns the fields of every event of a translation. */
export const translationEventFields = ({ organization, id, source }: TranslationRow) => ({
  organization,
  translation: id,
  ...(source !== undefined && { space: source.space })
})

export const TranslatedTable = Table.make("translated", TranslatedRow, {
  key: ["translation", "kind", "id"],
  derived: { incomplete: (row: TranslatedRow) => row.untranslated > 0 },
  indexes: [["space"], ["translation", "incomplete"]]
})

export const TranslationCreate = Schema.Struct({
  /** Space to translate, and its language. Default: none; the translation can then not run. */
  source: Schema.optionalKey(Schema.Struct({ space: SpaceId, language: Schema.optionalKey(Language) })),
  /** Language to translate into, as a code such as `de`. */
  language: Language,
  /** Instructions for the engine: Markdown in `{ markdown }`, or a document. Default: none. */
  instructions: Schema.optionalKey(Schema.Unknown)
})
export type TranslationCreate = typeof TranslationCreate.Type

export const TranslationPut = Schema.Struct({
  /** Instructions for the engine: Markdown in `{ markdown }`, or a document. An empty document removes them. */
  instructions: Schema.optionalKey(Schema.Unknown)
})
export type TranslationPut = typeof TranslationPut.Type

/** The resource. */
export const Translation = Schema.Struct({
  object: Schema.Literal("translation"),
  id: TranslationId,
  /** State of the last run. */
  status: TranslationStatus,
  /** The translated space, and its language. */
  source: Schema.optionalKey(Schema.Struct({ space: SpaceId, language: Schema.optionalKey(Language) })),
  /** Language of the translation. */
  language: Language,
  /** Document with instructions for the engine. Empty if no instructions are set. */
  instructions: Schema.Unknown,
  /** Space and revision with the translation. Absent before the first run. */
  result: Schema.optionalKey(Schema.Struct({ space: SpaceId, revision: RevisionId, language: Language })),
  /** Number of texts without a valid translation by the engine. */
  untranslated: Schema.Int,
  /** Message of the last failure. */
  lastError: Schema.optionalKey(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Durations in whole seconds, rounded up. */
  stats: Schema.Struct({ ...TranslationStats.fields, totalDuration: Schema.Int, latestRunDuration: Schema.Int }),
  permissions: Schema.Struct({ view: Schema.Boolean, edit: Schema.Boolean }),
  urls: Schema.Struct({ location: Schema.String })
})
export interface Translation extends Schema.Schema.Type<typeof Translation> {}

/** Raised if the organization has no translation with the id, or the actor may not read its source. */
export class TranslationNotFound extends Schema.TaggedError<TranslationNotFound>()(
  "TranslationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if a translation cannot be created from the input. */
export class InvalidTranslation extends Schema.TaggedError<InvalidTranslation>()(
  "InvalidTranslation",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return `The translation can't be made so: ${this.issues[0]?.message ?? "it is not valid"}`
  }
}
