/** Signed URLs, which grant access without a token until they expire. A signature is valid for one path. */
import { Clock, Effect } from "effect"
import { Instance } from "./Instance.ts"
import { PublicUrl } from "./PublicUrl.ts"
import type { Signed } from "./SignedUrl.ts"
import { timingSafeEqual } from "./TimingSafe.ts"

export const signedUrls = Effect.gen(function* () {
  const instance = yield* Instance
  const publicUrl = yield* PublicUrl
  const sign = (path: string, expires: number) => instance.sign("url", `${path}?expires=${expires}`)

  return {
    /** Returns a signed URL of a path, valid until `expires` (epoch ms). */
    url: (path: string, expires: number): string =>
      `${publicUrl}${path}?expires=${expires}&signature=${sign(path, expires)}`,
    /** Returns true if this instance signed the URL for this path and it has not expired. */
    isValid: (path: string, { expires, signature }: Signed): Effect.Effect<boolean> =>
      Effect.map(Clock.currentTimeMillis, (now) => expires > now && timingSafeEqual(sign(path, expires), signature))
  }
})
