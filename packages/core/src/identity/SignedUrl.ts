/** The query of a signed URL (see `SignedUrls`). */
import { Schema } from "effect"

export const Signed = Schema.Struct({
  /** In milliseconds since 1970. */
  expires: Schema.Int,
  signature: Schema.String
})
export type Signed = typeof Signed.Type
