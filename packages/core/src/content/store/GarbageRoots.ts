/**
 * Rows that keep objects and blobs alive by referring to them. A concept whose rows hold a hash adds its table
 * here; an object that no row here reaches is swept a day after it was written.
 */
import { ChangeRequestTable } from "../../change-request/ChangeRequest.ts"
import { ComputedAnswerTable } from "../../computed/ComputedAnswer.ts"
import type { BlobHash } from "../../storage/BlobStore.ts"
import { GitSyncTable } from "../../git/GitSync.ts"
import { IntegrationTable } from "../../integration/Integration.ts"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { Table } from "../../storage/Table.ts"
import { OpenApiSpecTable } from "../../openapi/OpenApiSpec.ts"
import { OpenApiVersionTable } from "../../openapi/OpenApiVersion.ts"
import { PdfTable } from "../../pdf/Pdf.ts"
import { TranslatedTable, TranslationTable } from "../../translation/Translation.ts"
import type { Content } from "../Content.ts"
import { RevisionTable } from "../revisions/Revision.ts"

/** Objects and blobs that a row refers to. */
export interface Reached {
  /** With all that is in it. */
  readonly content?: Content
  /** An object that is an array of conflicts, with what they refer to. */
  readonly conflicts?: ObjectHash | undefined
  /** Objects that refer to nothing, documents for instance. */
  readonly objects?: ReadonlyArray<ObjectHash | undefined>
  readonly blobs?: ReadonlyArray<BlobHash | undefined>
}

export interface GarbageRoot {
  readonly table: Table
  readonly reached: (row: object) => Reached
}

const rows = <T extends Table>(table: T, reached: (row: Table.Row<T>) => Reached): GarbageRoot => ({
  table,
  reached: reached as (row: object) => Reached
})

export const roots: ReadonlyArray<GarbageRoot> = [
  rows(RevisionTable, ({ content, conflicts }) => ({ content, conflicts })),
  rows(ChangeRequestTable, ({ description }) => ({ objects: [description] })),
  rows(OpenApiSpecTable, ({ source }) => ({ blobs: ["text" in source ? source.text : undefined] })),
  rows(OpenApiVersionTable, ({ source, document }) => ({ blobs: [source, document] })),
  rows(IntegrationTable, ({ icon, previewImages, script }) => ({
    blobs: [icon?.blob, script, ...previewImages.map(({ blob }) => blob)]
  })),
  rows(ComputedAnswerTable, ({ answer }) => ({ objects: [answer] })),
  rows(PdfTable, ({ blob }) => ({ blobs: [blob] })),
  rows(TranslationTable, ({ instructions, made }) => ({
    objects: [instructions],
    ...(made !== undefined && { content: made.content })
  })),
  rows(TranslatedTable, ({ made, answers }) => ({ objects: [made.document, answers] })),
  rows(GitSyncTable, ({ common }) => (common === undefined ? {} : { content: common.content })),
  rows(GitSyncTable, ({ pushing }) => (pushing === undefined ? {} : { content: pushing.content }))
]
