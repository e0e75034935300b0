/**
 * The tokens of visitors, JWTs signed with HS256:
 *
 * - The visitor's token, signed by a site's owner with the site's key, or by an integration with its own (see
 *   `VisitorKeys`). It admits a visitor and carries claims. `exp` is required; clocks may differ by a minute.
 * - The session that replaces it, valid for the same time, until the site's key changes.
 * - The read token, with which a renderer reads only the content published for the visitor. It is equal for equal sites
 *   and kinds of visitors for a day, and valid for one to two days. The read token of a preview ends with the preview,
 *   and opens it.
 *
 * Limits: 8 KiB of text.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { JWTPayload } from "jose"
import type { Visitor } from "../access/Actor.ts"
import { type Claims, fromToken } from "../adaptive/Claims.ts"
import * as TimeDependency from "../time/TimeDependency.ts"
import { LruCache } from "../storage/LruCache.ts"
import { Instance } from "../identity/Instance.ts"
import type { SiteRow } from "../site/Site.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import { maxTokenLength } from "../publishing/PublishedUrl.ts"
import type { Preview } from "./Preview.ts"
import type { VisitorKey } from "./VisitorKeys.ts"

const clockTolerance = 60
const day = 24 * 60 * 60
/** The last second of the year 9999, in seconds since the epoch. */
const endOfTime = 253_402_300_799
const maxCachedTokens = 10_000

/** Number of the current day. Read tokens change with the day. */
export const today = TimeDependency.windowOf(day * 1000)

/** Content of a visitor's token or session. */
export interface VerifiedToken {
  readonly claims: Claims
  /** End of validity in seconds since the epoch. */
  readonly expiresAt: number
}

export class VisitorTokens extends Context.Service<
  VisitorTokens,
  {
    /** Verifies a token signed with the key, or a session of the site. Returns undefined for any other text. */
    readonly verify: (
      site: Pick<SiteRow, "id">,
      key: VisitorKey,
      token: string
    ) => Effect.Effect<VerifiedToken | undefined, StorageError>
    readonly session: (site: Pick<SiteRow, "id">, key: VisitorKey, signedOn: VerifiedToken) => Effect.Effect<string>
    readonly readToken: (visitor: Omit<Visitor, "type" | "since">) => Effect.Effect<string>
    /** Returns the visitor of a read token; undefined for any other text. */
    readonly visitor: (token: string) => Effect.Effect<Visitor | undefined>
  }
>()("@lectern/core/visitor/VisitorTokens") {
  static readonly layer = Layer.effect(
    VisitorTokens,
    Effect.gen(function* () {
      const instance = yield* Instance
      const hasher = yield* Hasher
      const encodeKey = (text: string) => new TextEncoder().encode(text)
      const readKey = encodeKey(instance.sign("visitor read token", ""))
      const sessionKey = encodeKey(instance.sign("visitor session", ""))

      const readTokens = new LruCache<string, string>(maxCachedTokens)
      const verifiedPayloads = new LruCache<string, { readonly payload: JWTPayload; readonly until: number }>(
        maxCachedTokens
      )

      const sign = (payload: JWTPayload, key: Uint8Array, expires: number, audience: string) =>
        Effect.flatMap(jose, ({ SignJWT }) =>
          Effect.promise(() =>
            new SignJWT(payload)
              .setProtectedHeader({ alg: "HS256", typ: "JWT" })
              .setAudience(audience)
              .setExpirationTime(expires)
              .sign(key)
          )
        )

      /** Verifies a token. The result of a valid signature is cached until the token expires. */
      const verifiedPayload = Effect.fnUntraced(function* <E>(
        token: string,
        ofKey: Effect.Effect<Uint8Array, E>,
        keyId: string,
        audience?: string
      ) {
        if (token.length > maxTokenLength) return undefined
        const name = hasher.sha256(`${keyId} ${audience ?? ""} ${token}`)
        const cachedPayload = verifiedPayloads.get(name)
        if (cachedPayload !== undefined)
          return (yield* TimeDependency.hasPassed(cachedPayload.until)) ? undefined : cachedPayload.payload
        const now = yield* Clock.currentTimeMillis
        const key = yield* ofKey
        const { jwtVerify } = yield* jose
        const { payload } = yield* Effect.tryPromise(() =>
          jwtVerify(token, key, {
            algorithms: ["HS256"],
            requiredClaims: ["exp"],
            clockTolerance,
            currentDate: new Date(now),
            ...(audience !== undefined && { audience })
          })
        ).pipe(Effect.orElseSucceed(() => ({ payload: undefined })))
        if (payload !== undefined)
          verifiedPayloads.set(name, { payload, until: (payload.exp! + clockTolerance) * 1000 }, 1)
        return payload
      })

      return VisitorTokens.of({
        verify: Effect.fnUntraced(function* ({ id }, key, token) {
          const tokenPayload = yield* verifiedPayload(token, Effect.map(key.secret, encodeKey), `${id} ${key.id}`)
          if (tokenPayload !== undefined) {
            const expiry = endOf(tokenPayload)
            // If the token is valid only because of the clock tolerance, the session is extended by it. Otherwise the
            // session would end at once.
            const isLate = yield* TimeDependency.hasPassed(expiry * 1000)
            return { claims: fromToken(tokenPayload), expiresAt: isLate ? expiry + clockTolerance : expiry }
          }
          const session = yield* verifiedPayload(token, Effect.succeed(sessionKey), "session", `${id} ${key.id}`)
          return session && { claims: session["claims"] as Claims, expiresAt: endOf(session) }
        }),

        session: ({ id }, key, { claims, expiresAt }) => sign({ claims }, sessionKey, expiresAt, `${id} ${key.id}`),

        readToken: Effect.fnUntraced(function* ({ organization, site, via, claims, kind, preview }) {
          const issuedAt = (yield* today) * day
          const name = `${issuedAt} ${site} ${via} ${kind} ${preview === undefined ? "" : JSON.stringify(preview)}`
          const token = readTokens.get(name)
          if (token !== undefined) return token
          const payload = { organization, via, claims, kind, iat: issuedAt, ...(preview && { preview }) }
          const fresh = yield* sign(payload, readKey, preview?.expiresAt ?? issuedAt + 2 * day, site)
          readTokens.set(name, fresh, 1)
          return fresh
        }),

        visitor: Effect.fnUntraced(function* (token) {
          const payload = yield* verifiedPayload(token, Effect.succeed(readKey), "read")
          if (payload === undefined) return undefined
          const preview = payload["preview"] as Preview | undefined
          // The expiry of a preview token is checked without clock tolerance, since this clock issued the token.
          if (preview !== undefined && (yield* TimeDependency.hasPassed(preview.expiresAt * 1000))) return undefined
          return {
            type: "visitor",
            organization: String(payload["organization"]),
            site: String(payload.aud),
            via: String(payload["via"]),
            claims: payload["claims"] as Claims,
            kind: String(payload["kind"]),
            since: payload.iat!,
            ...(preview && { preview })
          }
        })
      })
    })
  )
}

/** Loaded for the first token, since the package has 46 files. */
const jose = Effect.promise(() => import("jose"))

/** Returns the expiry in whole seconds. A token may contain fractions or a time beyond the range of dates. */
const endOf = ({ exp }: JWTPayload) => Math.min(Math.floor(exp!), endOfTime)
