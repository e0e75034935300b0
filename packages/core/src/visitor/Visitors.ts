/** Admits visitors to a site: verifies their credentials and determines their claims. */
import { Context, Effect, Layer } from "effect"
import type { Visitor } from "../access/Actor.ts"
import { limitClaims, type Claims, canonical, kindOf, unsignedFrom, withUnsigned } from "../adaptive/Claims.ts"
import * as DeclaredClaims from "../adaptive/DeclaredClaims.ts"
import { LruCache } from "../storage/LruCache.ts"
import type { CachedSite } from "../site/store/SiteStore.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import { accessOrigin, admissionOf } from "../publishing/Admission.ts"
import type { VisibilityReason } from "../publishing/VisibilityRule.ts"
import { makeAdmittedVisitors, type AdmittedVisitor } from "./AdmittedVisitors.ts"
import { type PreviewPath, pathOf, type Preview } from "./Preview.ts"
import { type VisitorKey, VisitorKeys } from "./VisitorKeys.ts"
import { type VerifiedToken, VisitorTokens } from "./VisitorTokens.ts"

const maxCachedKinds = 10_000

/** Credentials and claims that a visitor presents. */
export interface Credentials {
  readonly shareKey?: string | undefined
  /** Tokens in order of preference: the first valid one counts. */
  readonly tokens?: ReadonlyArray<string>
  /** Claims that no token signs. */
  readonly unsigned?: Claims | undefined
}

export interface AdmissionResult {
  readonly visitor: Visitor
  /** The claims of the visitor's token, and their expiry. */
  readonly signedOn?: VerifiedToken
  /** The key that the visitor's token was signed with. */
  readonly key?: VisitorKey
}

export interface RefusedAdmission {
  readonly reason: VisibilityReason
}

export interface AdmittedPreview extends AdmittedVisitor {
  readonly preview: Preview
  /** The token that opens the preview. */
  readonly token: string
}

export class Visitors extends Context.Service<
  Visitors,
  {
    /** Returns the visitor if the site is published and admits them, and else the reason. */
    readonly admit: (
      cachedSite: CachedSite,
      credentials: Credentials
    ) => Effect.Effect<AdmissionResult | RefusedAdmission, StorageError>
    /** Returns the visitor of a preview if one of the tokens opens the preview. */
    readonly preview: (
      cachedSite: CachedSite,
      previewPath: Pick<PreviewPath, "path">,
      credentials: Pick<Credentials, "tokens" | "unsigned">
    ) => Effect.Effect<AdmittedPreview | undefined, StorageError>
    /** Returns a visitor with these claims who sees a preview. */
    readonly previewVisitor: (cachedSite: CachedSite, preview: Preview, claims: Claims) => Visitor
  }
>()("@lectern/core/visitor/Visitors") {
  static readonly layer = Layer.effect(
    Visitors,
    Effect.gen(function* () {
      const tokens = yield* VisitorTokens
      const keys = yield* VisitorKeys
      const admitted = yield* makeAdmittedVisitors
      const hasher = yield* Hasher
      const kinds = new LruCache<string, string>(maxCachedKinds)

      const cachedKindOf = (claims: Claims): string => {
        const text = canonical(claims)
        const cachedKind = kinds.get(text)
        if (cachedKind !== undefined) return cachedKind
        const kind = kindOf(hasher, claims)
        kinds.set(text, kind, 1)
        return kind
      }

      const previewVisitor = (
        cachedSite: CachedSite,
        preview: Preview,
        tokenClaims: Claims,
        unsigned?: Claims
      ): Visitor => {
        const { unsigned: tokenUnsigned, ...signed } = tokenClaims
        const claims = claimsOf(cachedSite, signed, { ...unsignedFrom(tokenUnsigned), ...unsigned })
        const { organization, id: site } = cachedSite.site
        return {
          type: "visitor",
          organization,
          site,
          via: accessOrigin.preview,
          claims,
          kind: cachedKindOf(claims),
          preview
        }
      }

      return Visitors.of({
        previewVisitor,

        preview: Effect.fnUntraced(function* (cachedSite, { path }, { tokens: suppliedTokens = [], unsigned }) {
          for (const token of suppliedTokens) {
            const { site, preview, claims = {} } = (yield* tokens.visitor(token)) ?? {}
            if (preview === undefined || site !== cachedSite.site.id || pathOf(preview) !== path) continue
            const visitor = yield* admitted.refresh(cachedSite, previewVisitor(cachedSite, preview, claims, unsigned))
            if (visitor !== undefined) return { ...visitor, preview, token }
          }
          return undefined
        }),

        admit: Effect.fnUntraced(function* (cachedSite, credentials) {
          const { site } = cachedSite
          const { tokens: suppliedTokens = [], shareKey } = credentials
          const hasToken = suppliedTokens.length > 0
          const needsKey = site.published && (hasToken || site.visibility === "visitor-auth")
          const key = needsKey ? yield* keys.keyFor(cachedSite) : undefined
          let signedOn: VerifiedToken | undefined
          for (const token of suppliedTokens) signedOn ??= key && (yield* tokens.verify(site, key, token))
          const isSignedOn = signedOn !== undefined
          const admission = admissionOf(cachedSite, { shareKey, hasToken, isSignedOn }, key?.id)
          if (admission.reason !== undefined) return admission
          const claims = claimsOf(cachedSite, signedOn?.claims ?? {}, credentials.unsigned)
          return {
            visitor: {
              type: "visitor",
              organization: site.organization,
              site: site.id,
              via: admission.via,
              claims,
              kind: cachedKindOf(claims)
            },
            ...(signedOn && key && { signedOn, key })
          }
        })
      })
    })
  )
}

/**
 * Returns the effective claims of a visitor: those that the site's schema declares, if there is one; none if adaptive
 * content is disabled.
 */
const claimsOf = ({ site, adaptiveSchema }: CachedSite, signedClaims: Claims, unsignedClaims: Claims | undefined) => {
  if (site.adaptiveContent?.enabled === false) return {}
  const claims = withUnsigned(signedClaims, unsignedClaims)
  return limitClaims(adaptiveSchema === undefined ? claims : DeclaredClaims.reduce(adaptiveSchema.jsonSchema, claims))
}
