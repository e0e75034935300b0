/**
 * The question for a URL that opens a preview of a site, and its answer.
 *
 * Limits: claims and targets 4,096 characters.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

export const PreviewParams = Schema.Struct({
  /** The beginning of the preview, and whose change request is meant. Default: the site's default one. */
  siteSpace: Schema.optionalKey(Schema.String),
  /** Claims of the visitor that it is seen as, in Rison: `(plan:pro,beta:!t)`. Default: none. */
  claims: Schema.optionalKey(Text.between(1, 4096)),
  /** Without effect: what is not published is always part of it. */
  draft: Schema.optionalKey(Schema.Boolean),
  /** URL or path below the site: of a page, or of a change request as in `/~/changes/3/`. */
  target: Schema.optionalKey(Text.between(1, 4096))
})
export type PreviewParams = typeof PreviewParams.Type

export const PreviewUrl = Schema.Struct({ url: Schema.String })
export type PreviewUrl = typeof PreviewUrl.Type
