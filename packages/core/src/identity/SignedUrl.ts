/** Query parameters of a signed URL (see `SignedUrls`). */
import { Schema } from "effect"

export const Signed = Schema.Struct({
  expires: Schema.Int.annotateKey({ description: "The time when the URL expires, in milliseconds since the epoch." }),
  signature: Schema.String.annotateKey({ description: "The signature of the URL." })
})
export type Signed = typeof Signed.Type
