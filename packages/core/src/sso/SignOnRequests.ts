/**
 * The ids of the requests that go to identity providers. Whoever opens a start URL causes one, so
 * nothing is stored for it: the id says itself that this instance made it, for which provider, for
 * which browser, and when. It is good for 15 minutes; that it is used once is kept where it is used.
 *
 * A browser keeps a secret, and where it wants to return to, until it comes back.
 */
import { Clock, Context, Effect, Option, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { Ids } from "../identity/Ids.ts"
import { Instance } from "../identity/Instance.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { SamlProviderRow } from "./SamlProvider.ts"
import { wired } from "../wiring/Wired.ts"

/** In ms. */
export const requestLifetime = 15 * 60_000

/** Content of the text that a browser keeps. */
export interface Kept {
  readonly secret: string
  readonly returnTo?: string
}

type Provider = Pick<SamlProviderRow, "id" | "trust">

const secretLength = 43
const maxKept = 2048

export class SignOnRequests extends Context.Service<
  SignOnRequests,
  {
    /** A new request, of the browser that keeps this secret. */
    readonly make: (provider: Provider, secret: string) => Effect.Effect<string>
    /** Tells whether a request is one of ours for this provider, and not too old. */
    readonly isOpen: (provider: Provider, request: string) => Effect.Effect<boolean>
    /** Tells whether the browser that keeps this secret made the request. */
    readonly isOf: (request: string, secret: string) => boolean
  }
>()("@lectern/core/sso/SignOnRequests") {
  static readonly layer = wired(
    SignOnRequests,
    Effect.gen(function* () {
      const ids = yield* Ids
      const hasher = yield* Hasher
      const instance = yield* Instance

      const binding = (id: string, secret: string) => hasher.sha256(`${id} ${secret}`).slice(0, 22)
      const sign = ({ id, trust }: Provider, text: string) =>
        instance.sign("sign-on request", `${id} ${trust} ${text}`).slice(0, 32)

      return SignOnRequests.of({
        make: Effect.fnUntraced(function* (provider, secret) {
          const id = yield* ids.next
          const text = `${id}.${binding(id, secret)}`
          // An id of XML begins with a letter or an underscore.
          return `_${text}.${sign(provider, text)}`
        }),

        isOpen: Effect.fnUntraced(function* (provider, request) {
          const [, id, bound, signature] = /^_(\w{22})\.([\w-]{22})\.([\w-]{32})$/.exec(request) ?? []
          if (id === undefined || !timingSafeEqual(sign(provider, `${id}.${bound}`), signature!)) return false
          // An id begins with the time that it was made at.
          return id >= ids.firstAt((yield* Clock.currentTimeMillis) - requestLifetime)
        }),

        isOf: (request, secret) => {
          const [id = "", bound = ""] = request.slice(1).split(".")
          return timingSafeEqual(binding(id, secret), bound)
        }
      })
    }),
    [Instance.layer]
  )
}

export const keep = ({ secret, returnTo = "" }: Kept): string => `${secret}.${Base64Url.encode(returnTo)}`

/** Reads the text that a browser kept; undefined for any other text. */
export const readKept = (text: string | undefined): Kept | undefined => {
  const [secret = "", place, ...rest] = text === undefined || text.length > maxKept ? [] : text.split(".")
  if (secret.length !== secretLength || place === undefined || rest.length > 0) return undefined
  const returnTo = Option.getOrElse(Result.getSuccess(Base64Url.decodeString(place)), () => "")
  return returnTo === "" ? { secret } : { secret, returnTo }
}

const maxReturn = 1024

/** The place on this server that a text leads to; undefined where it leads elsewhere. */
export const placeHere = (publicUrl: string, text: string): string | undefined => {
  if (text.length > maxReturn || !URL.canParse(text, publicUrl)) return undefined
  const url = new URL(text, publicUrl)
  const isHere = url.origin === new URL(publicUrl).origin && url.username === "" && url.password === ""
  return isHere && url.href.length <= maxReturn ? url.href : undefined
}
