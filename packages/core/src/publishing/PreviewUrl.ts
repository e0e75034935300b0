/**
 * Parameters and response of a request for the URL of a site preview.
 *
 * Limits: claims and targets 4,096 characters.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

export const PreviewParams = Schema.Struct({
  siteSpace: Schema.optionalKey(Schema.String).annotateKey({
    description: "Id of the site space that the preview opens. Default: the first site space."
  }),
  claims: Schema.optionalKey(Text.between(1, 4096)).annotateKey({
    description: "Claims of the visitor to preview, in Rison: `(plan:pro,beta:!t)`."
  }),
  draft: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Has no effect: every preview includes unpublished content."
  }),
  target: Schema.optionalKey(Text.between(1, 4096)).annotateKey({
    description: "A URL of the site, or a path below the site, such as `/~/changes/3/guide`. Default: the front page."
  })
})
export type PreviewParams = typeof PreviewParams.Type

export const PreviewUrl = Schema.Struct({ url: Schema.String })
export interface PreviewUrl extends Schema.Schema.Type<typeof PreviewUrl> {}
