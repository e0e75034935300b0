/**
 * An OpenAPI spec of an organization: its source, and the state of its processing. Each distinct content of a spec is a
 * version of its own (see `OpenApiVersion`).
 *
 * Limits: slug 1 to 100 characters, unique in the organization; URL of the source 2,048 characters; text and fetched
 * content 20 MiB; 20 listed problems and 20 listed warnings. An organization has up to 1,000 specs; the newest 100
 * versions of each are stored.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"

export const maxSpecBytes = 20 * 1024 * 1024
export const maxSpecs = 1_000
export const maxVersions = 100

export const OpenApiSpecId = Schema.String.pipe(Schema.brand("OpenApiSpecId"))
export type OpenApiSpecId = typeof OpenApiSpecId.Type

export const OpenApiVersionId = Schema.String.pipe(Schema.brand("OpenApiVersionId"))
export type OpenApiVersionId = typeof OpenApiVersionId.Type

export const SpecSlug = Text.between(1, 100).check(
  Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
    message: "Expected lower-case letters and digits, in parts joined by hyphens"
  })
)

/** `complete`: processing succeeded or failed. Transitions: see `OpenApiSpecState`. */
export const ProcessingState = Schema.Literals(["pending", "progress", "complete"])
export type ProcessingState = typeof ProcessingState.Type

export const ProcessErrorCode = Schema.Literals(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"])
export type ProcessErrorCode = typeof ProcessErrorCode.Type

export const SpecVisibility = Schema.Literals(["private", "public"])

const SpecProblem = Schema.Struct({ message: Schema.String, code: Schema.optionalKey(Schema.String) })

const SpecWarning = Schema.Struct({
  message: Schema.String,
  /** JSON pointer. Empty for the whole spec. */
  path: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  column: Schema.optionalKey(Schema.Int)
})

export const OpenApiSpecRow = Schema.Struct({
  id: OpenApiSpecId,
  organization: OrganizationId,
  slug: SpecSlug,
  /** URL of the spec, or the blob of a submitted text, unchanged. */
  source: Schema.Union([Schema.Struct({ url: Schema.String }), Schema.Struct({ text: BlobHash })]),
  visibility: SpecVisibility,
  processingState: ProcessingState,
  /** Id of the last request to process the spec. Results of earlier requests are discarded. */
  request: Schema.String,
  lastVersion: Schema.optionalKey(OpenApiVersionId),
  lastProcessedAt: Schema.optionalKey(Timestamp),
  lastProcessErrorCode: Schema.optionalKey(ProcessErrorCode),
  lastProcessedErrors: Schema.optionalKey(Schema.Array(SpecProblem)),
  /** Total number of errors, including those not listed. */
  lastProcessedErrorCount: Schema.Int,
  /** Warnings of the last version; absent if it has none. */
  warnings: Schema.optionalKey(Schema.Array(SpecWarning)),
  /** Total number of warnings, including those not listed. */
  warningCount: Schema.optionalKey(Schema.Int),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type OpenApiSpecRow = typeof OpenApiSpecRow.Type

export const OpenApiSpecTable = Table.make("openApiSpec", OpenApiSpecRow, {
  key: ["id"],
  unique: [["organization", "slug"]]
})

const SpecUrl = Text.between(1, 2048)
/** A character takes at least one byte, so the limit in bytes is also a limit in characters. */
const SpecText = Text.between(1, maxSpecBytes)

export const SpecSource = Schema.Union([Schema.Struct({ url: SpecUrl }), Schema.Struct({ text: SpecText })])
export type SpecSource = typeof SpecSource.Type

export const OpenApiSpecCreate = Schema.Struct({
  /** Name of the spec, unique in the organization: `a-z`, `0-9` and single hyphens. */
  slug: SpecSlug,
  /** `url` of the spec, or its `text`. */
  source: SpecSource,
  /** Default: `private`. */
  visibility: Schema.optionalKey(SpecVisibility)
})
export type OpenApiSpecCreate = typeof OpenApiSpecCreate.Type

export const OpenApiSpecPut = Schema.Struct({
  /** `url` of the spec, or its `text`. */
  source: SpecSource
})
export type OpenApiSpecPut = typeof OpenApiSpecPut.Type

export const OpenApiSpecPatch = Schema.Struct({
  /** `public`: everyone may read the spec. `private`: members. */
  visibility: SpecVisibility
})
export type OpenApiSpecPatch = typeof OpenApiSpecPatch.Type

/** API resource of a spec. */
export const OpenApiSpec = Schema.Struct({
  object: Schema.Literal("openapi-spec"),
  id: OpenApiSpecId,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Name of the spec. */
  slug: Schema.String,
  /** URL of the source. Absent for a text. */
  sourceURL: Schema.optionalKey(Schema.String),
  /** State of the last processing. */
  processingState: ProcessingState,
  /** `public`: everyone may read the spec. `private`: members. */
  visibility: SpecVisibility,
  /** Id of the last version. */
  lastVersion: Schema.optionalKey(OpenApiVersionId),
  /** Time of the last processing. */
  lastProcessedAt: Schema.optionalKey(Timestamp),
  /** Reason of the last failure. */
  lastProcessErrorCode: Schema.optionalKey(ProcessErrorCode),
  lastProcessedErrors: Schema.optionalKey(Schema.Array(SpecProblem)),
  lastProcessedErrorCount: Schema.Int,
  /** Deviations of the last version from OpenAPI. Its pages are rendered despite them. */
  warnings: Schema.Array(SpecWarning),
  warningCount: Schema.Int,
  permissions: Schema.Struct({ view: Schema.Boolean, edit: Schema.Boolean }),
  urls: Schema.Struct({ location: Schema.String, app: Schema.String, published: Schema.optionalKey(Schema.String) })
})
export interface OpenApiSpec extends Schema.Schema.Type<typeof OpenApiSpec> {}

/** Raised if the organization has no spec with the slug, or the spec no such version. */
export class OpenApiSpecNotFound extends Schema.TaggedError<OpenApiSpecNotFound>()(
  "OpenApiSpecNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if another spec of the organization has the slug. */
export class SpecSlugTaken extends Schema.TaggedError<SpecSlugTaken>()(
  "SpecSlugTaken",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the organization has 1,000 specs. */
export class TooManySpecs extends Schema.TaggedError<TooManySpecs>()(
  "TooManySpecs",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the URL of a source may not be fetched, or its text is too large. */
export class InvalidSpecSource extends Schema.TaggedError<InvalidSpecSource>()(
  "InvalidSpecSource",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The spec can't come from there"
  }
}
