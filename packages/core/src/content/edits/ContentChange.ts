/**
 * Changes of content that clients may send: an ordered batch that is applied completely or not at all.
 *
 * Limits: 1 to 50 changes in a batch, 1 to 20 files in a change, 1 MiB for each file.
 */
import { Schema } from "effect"
import { ComputedSource } from "../../computed/ComputedSource.ts"
import * as Text from "../../schema/Text.ts"
import { ContentRef } from "@lectern/document/ContentRef"
import { ReusableContentEntry } from "../Content.ts"
import { FileName } from "../files/File.ts"
import { ChosenSlug, PageCover, PageLayout, PageMetadata, PageType } from "../pages/Page.ts"
import { PageTags } from "../tags/Tag.ts"

export const maxChanges = 50
export const maxFileBytes = 1024 * 1024
/** Maximum length of Markdown (characters). */
const maxMarkdown = 5_000_000

/** A document as Markdown or as JSON. Empty if both are absent. */
export const DocumentBody = Schema.Struct({
  markdown: Schema.optionalKey(Text.atMost(maxMarkdown)),
  document: Schema.optionalKey(Schema.Unknown)
})
export type DocumentBody = typeof DocumentBody.Type

/** An id, or a name that the batch defines. */
const Reference = Text.between(1, 256)

/** Schema of an optional field. Null or an empty text removes the value. */
const clearable = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

export const isVariableName = (name: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$.-]{0,127}$/u.test(name)

export const invalidNameMessage = "A name starts with a letter and holds letters, digits, _, -, . and $"

const hasValidNames = Schema.makeFilter((variables: { readonly [name: string]: unknown }) =>
  Object.keys(variables).every(isVariableName) ? undefined : invalidNameMessage
)

const VariableValue = Schema.Union([Text.atMost(10_000), Schema.Finite, Schema.Boolean])

const metadata = {
  title: Schema.optionalKey(PageMetadata.fields.title),
  linkTitle: clearable(PageMetadata.fields.linkTitle),
  slug: Schema.optionalKey(ChosenSlug),
  emoji: clearable(PageMetadata.fields.emoji),
  icon: clearable(PageMetadata.fields.icon),
  description: clearable(PageMetadata.fields.description),
  hidden: Schema.optionalKey(Schema.Boolean),
  noIndex: Schema.optionalKey(Schema.Boolean),
  noRobotsIndex: Schema.optionalKey(Schema.Boolean),
  condition: clearable(Text.atMost(1024)),
  layout: clearable(PageLayout),
  cover: clearable(PageCover),
  variables: clearable(Schema.Record(Schema.String, VariableValue).check(hasValidNames)),
  tags: clearable(PageTags),
  target: Schema.optionalKey(ContentRef),
  computed: clearable(ComputedSource)
}

const at = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
const ref = Schema.optionalKey(Reference)

export const InsertPage = Schema.Struct({
  operation: Schema.Literal("insert_page"),
  type: Schema.optionalKey(PageType),
  ...metadata,
  document: Schema.optionalKey(DocumentBody),
  into: Schema.optionalKey(Schema.NullOr(Reference)),
  at,
  ref
})

export const UpdatePage = Schema.Struct({
  operation: Schema.Literal("update_page"),
  page: Reference,
  ...metadata,
  document: Schema.optionalKey(DocumentBody),
  into: Schema.optionalKey(Schema.NullOr(Reference)),
  at
})

export const DeletePage = Schema.Struct({ operation: Schema.Literal("delete_page"), page: Reference })

export const RevertPage = Schema.Struct({
  operation: Schema.Literal("revert_page"),
  page: Reference,
  revision: Schema.optionalKey(Schema.String),
  block: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(1000)))
})

export const InsertedFile = Schema.Struct({
  name: FileName,
  ref,
  contentType: Schema.optionalKey(Text.between(1, 256)),
  base64: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String)
})

export const InsertFiles = Schema.Struct({
  operation: Schema.Literal("insert_files"),
  files: Schema.Array(InsertedFile).check(Schema.isMinLength(1), Schema.isMaxLength(20))
})

export const SetVariables = Schema.Struct({
  operation: Schema.Literal("set_variables"),
  variables: Schema.Record(Schema.String, Schema.NullOr(VariableValue))
})

export const UpsertReusableContent = Schema.Struct({
  operation: Schema.Literal("upsert_reusable_content"),
  reusableContent: Schema.optionalKey(Reference),
  title: Schema.optionalKey(ReusableContentEntry.fields.title),
  document: Schema.optionalKey(DocumentBody),
  ref
})

export const ContentChange = Schema.Union([
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  SetVariables,
  UpsertReusableContent
])
export type ContentChange = typeof ContentChange.Type

/** The body of a request that changes content. */
export const ContentChangeBatch = Schema.Struct({
  changes: Schema.Array(ContentChange).check(Schema.isMinLength(1), Schema.isMaxLength(maxChanges))
})
export type ContentChangeBatch = typeof ContentChangeBatch.Type
