/**
 * Custom font of an organization, for its sites (`styling.font` of a customization). Its faces are uploaded files.
 *
 * Limits: 100 fonts per organization, 100 faces per font with distinct weights. The regular weight (400) is required.
 */
import { Schema } from "effect"
import { FontFamily, FontWeight } from "../customization/Styling.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import { BlobHash } from "../storage/BlobStore.ts"
import * as Table from "../storage/Table.ts"
import { UploadKey } from "../upload/Upload.ts"

export const maxFonts = 100
export const maxFaces = 100
/** Weight that every font must have. */
export const regular = 400

const Format = Schema.Literals(["woff2", "woff"])

export const FontRow = Schema.Struct({
  id: Schema.String,
  organization: OrganizationId,
  fontFamily: FontFamily,
  faces: Schema.Array(Schema.Struct({ weight: FontWeight, upload: Schema.String, blob: BlobHash, format: Format })),
  createdAt: Timestamp
})
export type FontRow = typeof FontRow.Type
export type FontFaceRow = FontRow["faces"][number]

export const FontTable = Table.make("font", FontRow, { key: ["id"], indexes: [["organization"]] })

/** `storageKey`: key of an uploaded font file. */
export const FontCreate = Schema.Struct({
  /** Name of the font family. */
  fontFamily: FontFamily,
  /** Files by weight, with the keys of their uploads. */
  fontFaces: Schema.Array(Schema.Struct({ weight: FontWeight, storageKey: UploadKey })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(maxFaces)
  )
})
export type FontCreate = typeof FontCreate.Type

/** Faces of other weights stay. Null as a key removes the weight. */
export const FontPatch = Schema.Struct({
  /** Name of the font family. */
  fontFamily: Schema.optionalKey(FontFamily),
  /** Files by weight. `null` as a key removes the weight; other weights stay. */
  fontFaces: Schema.optionalKey(
    Schema.Array(Schema.Struct({ weight: FontWeight, storageKey: Schema.NullOr(UploadKey) })).check(
      Schema.isMaxLength(maxFaces)
    )
  )
})
export type FontPatch = typeof FontPatch.Type

/** Font resource, in the form that `styling.font` of a customization accepts. */
export const Font = Schema.Struct({
  id: Schema.String,
  custom: Schema.Literal(true),
  fontFamily: Schema.String,
  fontFaces: Schema.Array(
    Schema.Struct({
      weight: Schema.Int,
      sources: Schema.Array(Schema.Struct({ url: Schema.String, format: Format }))
    })
  ),
  permissions: Schema.Struct({ edit: Schema.Boolean })
})
export interface Font extends Schema.Schema.Type<typeof Font> {}

/** Raised if the organization has no font with the id. */
export class FontNotFound extends Schema.TaggedError<FontNotFound>()(
  "FontNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the organization has the maximum number of fonts. */
export class TooManyFonts extends Schema.TaggedError<TooManyFonts>()(
  "TooManyFonts",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
