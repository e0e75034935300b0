/**
 * URLs of files, which need no token. A member gets one of the file in a revision that is good for 10 to
 * 20 minutes. A visitor gets one that stays good for as long as its content is published: it names the
 * bytes, and the site and the way in that it was given out for, and whoever holds it reads as a visitor
 * who came in that way (see `Downloads`). What a visitor sees only because of its claims has a URL of its
 * own, with the claims in it, sealed. Every other URL is the same for all who come in that way.
 */
import { Effect, Schema } from "effect"
import type { Visitor } from "../../access/Actor.ts"
import { canonical, Claims, kindOf } from "../../adaptive/Claims.ts"
import { Cipher } from "../../identity/Cipher.ts"
import { Instance } from "../../identity/Instance.ts"
import { PublicUrl } from "../../identity/PublicUrl.ts"
import { type RowField, Seal } from "../../identity/Seal.ts"
import { signedUrls } from "../../identity/SignedUrls.ts"
import { timingSafeEqual } from "../../identity/TimingSafe.ts"
import * as Moment from "../../moment/Moment.ts"
import { Hasher } from "../../storage/Hasher.ts"
import type { FileEntry } from "./File.ts"
import type { PublishedFile, RevisionFile } from "./FileUrl.ts"

/** How long a member's URL is good at least (ms); at most twice as long. */
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

/** Whom a URL is given out for, where it says so: a visitor of a site that comes in this way. */
export type Reading = Pick<Visitor, "organization" | "site" | "via" | "claims">

export const fileUrls = Effect.gen(function* () {
  const instance = yield* Instance
  const publicUrl = yield* PublicUrl
  const hasher = yield* Hasher
  const urls = yield* signedUrls
  const seal = new Seal(hasher, yield* Cipher, instance.sign("claims in the URL of a file", ""))

  const sealed = (site: string, claims: Claims) => {
    const text = canonical(claims)
    // The same claims have the same URL, so that a browser keeps what it has: the nonce is made of the text.
    return seal.seal(sealedClaims(site), text, instance.sign("nonce of claims in the URL of a file", `${site} ${text}`))
  }

  const queryOf = ({ via, claims }: Pick<PublishedFile, "via" | "claims">) =>
    `via=${encodeURIComponent(via)}${claims === undefined ? "" : `&claims=${claims}`}`

  return {
    /** URLs of the files in a revision, good from now on for a while. */
    ofRevision: (space: string, revision: string): Effect.Effect<(file: FileEntry) => string> =>
      Effect.map(Moment.windowOf(downloadWindow), (window) => {
        // Rounded, so that the same revision is answered in the same words for a while.
        const expires = (window + 2) * downloadWindow
        return ({ id }) => urls.url(revisionPath({ space, revision, file: id }), expires)
      }),

    /** Tells whether this instance gave out the URL, and it has not expired. */
    isGood: ({ expires, signature, ...link }: RevisionFile): Effect.Effect<boolean> =>
      urls.isValid(revisionPath(link), { expires, signature }),

    /** URLs of files that a visitor reads of a space. */
    published: ({ organization, site, via, claims }: Reading, space: string): ((file: FileEntry) => string) => {
      const query = queryOf({ via, ...(Object.keys(claims).length > 0 && { claims: sealed(site, claims) }) })
      return ({ id, blob }) => {
        const link = `${publishedPath({ organization, site, space, file: id, hash: blob })}?${query}`
        return `${publicUrl}${link}&signature=${instance.sign("file", link)}`
      }
    },

    /** The visitor that a URL was given out for; undefined where this instance did not give it out. */
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
