/** A version of an OpenAPI spec: its content at one time. Versions are immutable. */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"
import { OpenApiSpecId, OpenApiVersionId } from "./OpenApiSpec.ts"
import { SpecFormat } from "./SpecFormat.ts"

export const OpenApiVersionRow = Schema.Struct({
  id: OpenApiVersionId,
  spec: OpenApiSpecId,
  createdAt: Timestamp,
  format: SpecFormat,
  /** Version of OpenAPI, such as `3.1.0`. */
  openapi: Schema.String,
  /** URL from which the version was fetched. Absent if it was submitted as a text. */
  sourceURL: Schema.optionalKey(Schema.String),
  /** Source bytes, unchanged. */
  source: BlobHash,
  /** Document as JSON. Swagger is upgraded to OpenAPI. */
  document: BlobHash
})
export type OpenApiVersionRow = typeof OpenApiVersionRow.Type

export const OpenApiVersionTable = Table.make("openApiVersion", OpenApiVersionRow, {
  key: ["id"],
  indexes: [["spec", "id"]]
})

/** API resource of a version. */
export const OpenApiVersion = Schema.Struct({
  object: Schema.Literal("openapi-spec-version"),
  id: OpenApiVersionId,
  createdAt: Timestamp,
  url: Schema.String,
  urls: Schema.Struct({ location: Schema.String })
})
export interface OpenApiVersion extends Schema.Schema.Type<typeof OpenApiVersion> {}

/** Document of a version, as a file system with a single file. */
export const OpenApiContent = Schema.Struct({
  filesystem: Schema.Array(
    Schema.Struct({
      dir: Schema.String,
      filename: Schema.String,
      isEntrypoint: Schema.Boolean,
      references: Schema.Array(Schema.String),
      specification: Schema.Json
    })
  ),
  /** URL of the source text. Same as `urls.source`. */
  url: Schema.String,
  urls: Schema.Struct({
    source: Schema.String,
    /** Null for a private spec. */
    public: Schema.NullOr(Schema.String)
  })
})
export interface OpenApiContent extends Schema.Schema.Type<typeof OpenApiContent> {}

/** Source text of a version, unchanged. */
export const OpenApiRawContent = Schema.Struct({ text: Schema.String, format: SpecFormat })
export interface OpenApiRawContent extends Schema.Schema.Type<typeof OpenApiRawContent> {}
