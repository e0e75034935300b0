/** Lets visitors in: finds out who asks for a site, and whether it is for them. */
import { Context, Effect } from "effect"
import type { Visitor } from "../access/Actor.ts"
import { bounded, type Claims, canonical, kindOf, withUnsigned } from "../adaptive/Claims.ts"
import * as DeclaredClaims from "../adaptive/DeclaredClaims.ts"
import { Lru } from "../storage/Lru.ts"
import type { KeptSite } from "../site/store/SiteStore.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import { via } from "../publishing/Admission.ts"
import { type VisitorKey, VisitorKeys } from "./VisitorKeys.ts"
import { type SignedOn, VisitorTokens } from "./VisitorTokens.ts"
import { wired } from "../wiring/Wired.ts"

const keptKinds = 10_000

/** Credentials and claims that a visitor shows. */
export interface Shown {
  readonly shareKey?: string | undefined
  /** The first that is good counts. */
  readonly tokens?: ReadonlyArray<string>
  /** Claims that nobody has signed. */
  readonly unsigned?: Claims | undefined
}

export interface Admitted {
  readonly visitor: Visitor
  /** The claims that the visitor signed on with, and their end. */
  readonly signedOn?: SignedOn
  /** The key that the visitor's token was signed with. */
  readonly key?: VisitorKey
}

export class Visitors extends Context.Service<
  Visitors,
  {
    /** The visitor, where the site is published for it. */
    readonly admit: (kept: KeptSite, shown: Shown) => Effect.Effect<Admitted | undefined, StorageError>
  }
>()("@lectern/core/visitor/Visitors") {
  static readonly layer = wired(
    Visitors,
    Effect.gen(function* () {
      const tokens = yield* VisitorTokens
      const keys = yield* VisitorKeys
      const hasher = yield* Hasher
      const kinds = new Lru<string, string>(keptKinds)

      const knownKindOf = (claims: Claims): string => {
        const text = canonical(claims)
        const known = kinds.get(text)
        if (known !== undefined) return known
        const kind = kindOf(hasher, claims)
        kinds.set(text, kind, 1)
        return kind
      }

      /** The way in of a visitor: a signature, a share link, or neither where the site needs none. */
      const wayIn = ({ site, ...kept }: KeptSite, shown: Shown, key: VisitorKey | undefined) => {
        switch (site.visibility) {
          case "public":
          case "unlisted":
            return via.open
          case "share-link": {
            const link = shown.shareKey === undefined ? undefined : kept.shareLinkOf(shown.shareKey)
            return link && via.shareLink(link.id)
          }
          case "visitor-auth":
            return key && via.key(key.id)
        }
      }

      return Visitors.of({
        admit: Effect.fnUntraced(function* (kept, shown) {
          const { site } = kept
          if (!site.published) return undefined
          const { tokens: shownTokens = [] } = shown
          const key = shownTokens.length === 0 ? undefined : yield* keys.of(kept)
          let signedOn: SignedOn | undefined
          for (const token of shownTokens) signedOn ??= key && (yield* tokens.signedOn(site, key, token))
          const way = wayIn(kept, shown, signedOn && key)
          if (way === undefined) return undefined
          const claims = claimsOf(kept, signedOn, shown.unsigned)
          return {
            visitor: {
              type: "visitor",
              organization: site.organization,
              site: site.id,
              via: way,
              claims,
              kind: knownKindOf(claims)
            },
            ...(signedOn && key && { signedOn, key })
          }
        })
      })
    }),
    [VisitorKeys.layer, VisitorTokens.layer]
  )
}

/**
 * Claims of a visitor that count: those that the site's schema declares, if there is one, and none where
 * adaptive content is off.
 */
const claimsOf = ({ site, adaptiveSchema }: KeptSite, signedOn: SignedOn | undefined, unsigned: Claims | undefined) => {
  if (site.adaptiveContent?.enabled === false) return {}
  const claims = withUnsigned(signedOn?.claims ?? {}, unsigned)
  return bounded(adaptiveSchema === undefined ? claims : DeclaredClaims.reduce(adaptiveSchema.jsonSchema, claims))
}
