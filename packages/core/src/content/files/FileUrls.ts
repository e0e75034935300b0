/**
 * URLs of files that need no token. A member gets a URL of a file in a revision, valid for 10 to 20 minutes. A visitor
 * gets a URL that is valid as long as the content is published. It contains the hash of the bytes, the site, and how
 * the visitor was admitted (`via`). Its holder reads as a visitor who was admitted in this way (see `Downloads`). The
 * URL of a file that is visible only with the visitor's claims contains these claims in encrypted form. All other URLs
 * are equal for all visitors who were admitted in the same way.
 */
import { Effect, Schema } from "effect"
import type { Visitor } from "../../access/Actor.ts"
import { canonical, Claims, kindOf } from "../../adaptive/Claims.ts"
import { Cipher } from "../../identity/Cipher.ts"
import { Instance } from "../../identity/Instance.ts"
import { PublicUrl } from "../../identity/PublicUrl.ts"
import { type RowField, Sealer } from "../../identity/Seal.ts"
import { signedUrls } from "../../identity/SignedUrls.ts"
import { timingSafeEqual } from "../../identity/TimingSafe.ts"
import * as TimeDependency from "../../time/TimeDependency.ts"
import { Hasher } from "../../storage/Hasher.ts"
import type { FileEntry } from "./File.ts"
import type { PublishedFile, RevisionFile } from "./FileUrl.ts"

/** Minimum validity of a member's URL (ms). The maximum is twice as long. */
const downloadWindow = 10 * 60 * 1000

const decodeClaims = Schema.decodeUnknownOption(Schema.fromJsonString(Claims))

const sealedClaims = (site: string): RowField => ["file URL", [site], "claims"]

const revisionPath = ({ space, revision, file }: Pick<RevisionFile, "space" | "revision" | "file">) =>
  `/v1/spaces/${space}/revisions/${revision}/files/${file}/download`

const publishedPath = ({
  organization,
  site,
  space,
  file,
  hash
}: Omit<PublishedFile, "via" | "claims" | "signature">) =>
  `/v1/orgs/${organization}/sites/${site}/spaces/${space}/files/${file}/${hash}`

/** Visitor that a URL is created for: the site, how the visitor was admitted (`via`), and the claims. */
export type FileUrlVisitor = Pick<Visitor, "organization" | "site" | "via" | "claims">

export const fileUrls = Effect.gen(function* () {
  const instance = yield* Instance
  const publicUrl = yield* PublicUrl
  const hasher = yield* Hasher
  const urls = yield* signedUrls
  const seal = new Sealer(hasher, yield* Cipher, instance.sign("claims in the URL of a file", ""))

  const sealed = (site: string, claims: Claims) => {
    const text = canonical(claims)
    // Equal claims result in equal URLs, so that browsers can cache the files. The nonce is therefore derived from the
    // text.
    return seal.seal(sealedClaims(site), text, instance.sign("nonce of claims in the URL of a file", `${site} ${text}`))
  }

  const queryOf = ({ via, claims }: Pick<PublishedFile, "via" | "claims">) =>
    `via=${encodeURIComponent(via)}${claims === undefined ? "" : `&claims=${claims}`}`

  return {
    /** Returns a function that creates URLs for the files of a revision. The URLs expire. */
    ofRevision: (space: string, revision: string): Effect.Effect<(file: FileEntry) => string> =>
      Effect.map(TimeDependency.windowOf(downloadWindow), (window) => {
        // The expiry time is rounded, so that URLs of a file stay equal for 10 minutes.
        const expires = (window + 2) * downloadWindow
        return ({ id }) => urls.url(revisionPath({ space, revision, file: id }), expires)
      }),

    /** Returns true if this instance created the URL and it has not expired. */
    isValid: ({ expires, signature, ...link }: RevisionFile): Effect.Effect<boolean> =>
      urls.isValid(revisionPath(link), { expires, signature }),

    /** Returns a function that creates the URLs of the files of a space for a visitor. */
    published: ({ organization, site, via, claims }: FileUrlVisitor, space: string): ((file: FileEntry) => string) => {
      const query = queryOf({ via, ...(Object.keys(claims).length > 0 && { claims: sealed(site, claims) }) })
      return ({ id, blob }) => {
        const link = `${publishedPath({ organization, site, space, file: id, hash: blob })}?${query}`
        return `${publicUrl}${link}&signature=${instance.sign("file", link)}`
      }
    },

    /** Returns the visitor that a URL was created for. Undefined if this instance did not create the URL. */
    visitorOf: ({ signature, ...link }: PublishedFile): Visitor | undefined => {
      const { organization, site, via } = link
      if (!timingSafeEqual(instance.sign("file", `${publishedPath(link)}?${queryOf(link)}`), signature))
        return undefined
      const text = link.claims === undefined ? "{}" : seal.open(sealedClaims(site), link.claims)
      const claims = text === undefined ? undefined : decodeClaims(text)
      if (claims?._tag !== "Some") return undefined
      return { type: "visitor", organization, site, via, claims: claims.value, kind: kindOf(hasher, claims.value) }
    }
  }
})
