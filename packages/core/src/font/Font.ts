/**
 * A font of an organization's own, which its sites may be set in (`styling.font` of a customization). Its faces are
 * files that were uploaded.
 *
 * Limits: 100 fonts of an organization, 100 faces of a font, each of another weight, one of them regular (400).
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
/** The weight that every font has. */
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

/** `storageKey`: of an uploaded font. */
export const FontCreate = Schema.Struct({
  fontFamily: FontFamily,
  fontFaces: Schema.Array(Schema.Struct({ weight: FontWeight, storageKey: UploadKey })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(maxFaces)
  )
})
export type FontCreate = typeof FontCreate.Type

/** Faces of other weights stay; null as a key removes that weight. */
export const FontPatch = Schema.Struct({
  fontFamily: Schema.optionalKey(FontFamily),
  fontFaces: Schema.optionalKey(
    Schema.Array(Schema.Struct({ weight: FontWeight, storageKey: Schema.NullOr(UploadKey) })).check(
      Schema.isMaxLength(maxFaces)
    )
  )
})
export type FontPatch = typeof FontPatch.Type

/** The resource, which `styling.font` of a customization takes as it is. */
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
export type Font = typeof Font.Type

export class FontNotFound extends Schema.TaggedError<FontNotFound>()(
  "FontNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** The organization has as many fonts as it may. */
export class TooManyFonts extends Schema.TaggedError<TooManyFonts>()(
  "TooManyFonts",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
