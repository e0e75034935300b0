/**
 * Ids of the requests to identity providers. Everyone who opens a start URL creates one, so ids are not stored: an id
 * contains a signature of this instance, the provider, a hash of the browser's secret, and the time. It is valid for 15
 * minutes; its use is recorded when a response arrives.
 *
 * The browser stores a secret and the return URL until it comes back.
 */
import { Clock, Effect, Option, Redacted, Result } from "effect"
import { Base64Url } from "effect/encoding"
import { Ids } from "../identity/Ids.ts"
import { Instance } from "../identity/Instance.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { timingSafeEqual } from "../identity/TimingSafe.ts"
import { InvalidInput } from "../schema/Input.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { SignOnProviderRow } from "./SignOnProvider.ts"

/** Lifetime of a request in ms. */
export const requestLifetime = 15 * 60_000

/** Content of the text that a browser stores. */
export interface BrowserState {
  readonly secret: string
  readonly returnTo?: string
}

export interface BeginOptions {
  /** Path on this server to which the browser returns. */
  readonly returnTo?: string | undefined
  /** Text that the browser stored in an earlier sign-in. */
  readonly browserState?: string | undefined
}

type Provider = Pick<SignOnProviderRow, "id" | "trust">

const secretLength = 43
const maxStateLength = 2048

export const makeSignOnRequests = Effect.gen(function* () {
  const ids = yield* Ids
  const hasher = yield* Hasher
  const instance = yield* Instance
  const publicUrl = yield* PublicUrl

  const bindingHash = (id: string, secret: string) => hasher.sha256(`${id} ${secret}`).slice(0, 22)
  const sign = ({ id, trust }: Provider, text: string) =>
    instance.sign("sign-on request", `${id} ${trust} ${text}`).slice(0, 32)

  /** Returns the id of a new request for the browser with this secret. */
  const makeId = Effect.fnUntraced(function* (provider: Provider, secret: string) {
    const id = yield* ids.next
    const text = `${id}.${bindingHash(id, secret)}`
    // The id starts with an underscore, since ids in XML start with a letter or an underscore.
    return `_${text}.${sign(provider, text)}`
  })

  return {
    /**
     * Starts a request. Fails for a return URL on another server.
     *
     * @returns The id of the request, the browser's secret, and the text that the browser stores.
     */
    begin: Effect.fnUntraced(function* (provider: Provider, options: BeginOptions) {
      const returnTo = options.returnTo === undefined ? undefined : urlOnServer(publicUrl, options.returnTo)
      if (options.returnTo !== undefined && returnTo === undefined) {
        const message = "Expected a path on this server, of at most 1,024 characters"
        return yield* new InvalidInput({ issues: [{ path: "query.returnTo", message }] })
      }
      // Sign-ins that are started in two windows share the secret, so that both can finish.
      const secret = parseState(options.browserState)?.secret ?? (yield* ids.secret)
      const browserState = serializeState(returnTo === undefined ? { secret } : { secret, returnTo })
      return { id: yield* makeId(provider, secret), secret, browserState: Redacted.make(browserState) }
    }),

    /** Returns true if this instance made the request for this provider and it has not expired. */
    isOpen: Effect.fnUntraced(function* (provider: Provider, request: string) {
      const [, id, boundHash, signature] = /^_(\w{22})\.([\w-]{22})\.([\w-]{32})$/.exec(request) ?? []
      if (id === undefined || !timingSafeEqual(sign(provider, `${id}.${boundHash}`), signature!)) return false
      // The age follows from the id, since the id starts with its creation time.
      return id >= ids.firstAt((yield* Clock.currentTimeMillis) - requestLifetime)
    }),

    /** Returns true if the browser with this secret made the request. */
    isOf: (request: string, secret: string): boolean => {
      const [id = "", bound = ""] = request.slice(1).split(".")
      return timingSafeEqual(bindingHash(id, secret), bound)
    },

    /**
     * Returns a secret of the request: only this instance can compute it, for the browser with this secret. 43
     * characters of base64url.
     */
    secretOf: (purpose: string, request: string, secret: string): string =>
      instance.sign(`sign-on ${purpose}`, `${request} ${secret}`)
  }
})

const serializeState = ({ secret, returnTo = "" }: BrowserState): string => `${secret}.${Base64Url.encode(returnTo)}`

/** Parses the text that a browser stored; undefined for any other text. */
export const parseState = (text: string | undefined): BrowserState | undefined => {
  const [secret = "", encodedPath, ...extraParts] =
    text === undefined || text.length > maxStateLength ? [] : text.split(".")
  if (secret.length !== secretLength || encodedPath === undefined || extraParts.length > 0) return undefined
  const returnTo = Option.getOrElse(Result.getSuccess(Base64Url.decodeString(encodedPath)), () => "")
  return returnTo === "" ? { secret } : { secret, returnTo }
}

const maxReturnLength = 1024

/** Returns the URL on this server that a text leads to; undefined for other servers. */
export const urlOnServer = (publicUrl: string, text: string): string | undefined => {
  if (text.length > maxReturnLength || !URL.canParse(text, publicUrl)) return undefined
  const url = new URL(text, publicUrl)
  const isOnServer = url.origin === new URL(publicUrl).origin && url.username === "" && url.password === ""
  return isOnServer && url.href.length <= maxReturnLength ? url.href : undefined
}
