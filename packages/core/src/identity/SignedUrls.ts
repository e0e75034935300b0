/**
 * URLs that need no token: whoever holds one may read what is behind it until it expires. A
 * signature is good for one path alone.
 */
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
    /** The URL of a path, good until then. */
    url: (path: string, expires: number): string =>
      `${publicUrl}${path}?expires=${expires}&signature=${sign(path, expires)}`,
    /** Tells whether this instance signed a URL of that path, and it has not expired. */
    isGood: (path: string, { expires, signature }: Signed): Effect.Effect<boolean> =>
      Effect.map(Clock.currentTimeMillis, (now) => expires > now && timingSafeEqual(sign(path, expires), signature))
  }
})
