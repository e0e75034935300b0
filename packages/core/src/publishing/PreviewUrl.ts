/**
 * Parameters and response of a request for the URL of a site preview.
 *
 * Limits: claims and targets 4,096 characters.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

export const PreviewParams = Schema.Struct({
  siteSpace: Schema.optionalKey(Schema.String).annotateKey({
    description: "The id of the space on the site that the preview begins with. Default: the first one."
  }),
  claims: Schema.optionalKey(Text.between(1, 4096)).annotateKey({
    description: "The claims of the visitor who is to see it so, in Rison: `(plan:pro,beta:!t)`."
  }),
  draft: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Takes no effect: what is not published yet is part of every preview."
  }),
  target: Schema.optionalKey(Text.between(1, 4096)).annotateKey({
    description: "A URL of the site or a path below it, such as `/~/changes/3/guide`. Default: its front page."
  })
})
export type PreviewParams = typeof PreviewParams.Type

export const PreviewUrl = Schema.Struct({ url: Schema.String })
export type PreviewUrl = typeof PreviewUrl.Type
