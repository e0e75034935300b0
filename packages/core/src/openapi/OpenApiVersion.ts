/** A version of an OpenAPI spec: its content at one time, which never changes. */
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
  /** Of OpenAPI, as `3.1.0`. */
  openapi: Schema.String,
  /** The URL that the version was fetched from; absent where it came as a text. */
  sourceURL: Schema.optionalKey(Schema.String),
  /** As it came. */
  source: BlobHash,
  /** As JSON, upgraded where it was Swagger. */
  document: BlobHash
})
export type OpenApiVersionRow = typeof OpenApiVersionRow.Type

export const OpenApiVersionTable = Table.make("openApiVersion", OpenApiVersionRow, {
  key: ["id"],
  indexes: [["spec", "id"]]
})

/** The resource. */
export const OpenApiVersion = Schema.Struct({
  object: Schema.Literal("openapi-spec-version"),
  id: OpenApiVersionId,
  createdAt: Timestamp,
  url: Schema.String,
  urls: Schema.Struct({ location: Schema.String })
})
export type OpenApiVersion = typeof OpenApiVersion.Type

/** The text of a version, as a file system of one file. */
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
  /** Same as `urls.source`. */
  url: Schema.String,
  urls: Schema.Struct({
    source: Schema.String,
    /** Null for a private spec. */
    public: Schema.NullOr(Schema.String)
  })
})
export type OpenApiContent = typeof OpenApiContent.Type

/** A version as it came. */
export const OpenApiRawContent = Schema.Struct({ text: Schema.String, format: SpecFormat })
export type OpenApiRawContent = typeof OpenApiRawContent.Type
