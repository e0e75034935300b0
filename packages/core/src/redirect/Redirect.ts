/**
 * A redirect from an unused path of a site to a section, site space or page of the site, or to a URL elsewhere. Targets
 * on the site are stored by id, so they may move. A source that ends in `*` matches every path with that prefix; the
 * longest match wins. A draft has no effect.
 *
 * Limits: source 512 characters, unique on the site regardless of case (drafts separately); page id 100; URL 2,048;
 * 1,000 redirects of a site. Flags default to false.
 */
import { Schema } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SiteId } from "../site/Site.ts"
import * as ServedNames from "../site/ServedNames.ts"
import { SiteSectionId, SiteSpaceId } from "../site/SiteStructure.ts"
import * as Table from "../storage/Table.ts"

export const maxRedirects = 1_000

/** Returns a normalized path, equal for paths that differ only in case or encoding. */
export const foldSource = (source: string): string => decodePercent(source).toLowerCase()

export const RedirectSource = Text.between(2, 512).check(
  Schema.isPattern(
    /^\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+(?:\/(?:[A-Za-z0-9\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\/?\*)?$/,
    { message: "Expected a path that begins with a slash, such as /old/page or /old/*" }
  )
)

/**
 * Returns the source in its URL form: characters that a URL can't contain are encoded. Other characters stay, including
 * white space, which no valid source contains.
 */
export const encodeSource = (source: string): string =>
  source.isWellFormed()
    ? source.replace(/[^A-Za-z0-9\-._~+/%*?#\\\s\p{Cc}]/gu, (character) =>
        encodeURIComponent(character).replace(/[!'()]/, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
      )
    : source

const isSource = Schema.is(RedirectSource)

/**
 * A source that a caller supplies, encoded for URLs or readable. Files that every site serves itself are rejected,
 * since a redirect from them would never apply.
 */
export const RedirectSourceInput = Text.between(2, 512).check(
  Schema.makeFilter((source: string) => {
    if (!isSource(encodeSource(source))) {
      return "Expected a path of 2 to 512 characters that begins with a slash, such as /old/page or /old/*"
    }
    const path = foldSource(source).slice(1).split("/")
    return ServedNames.isFile(path) ? ServedNames.refusal(source) : undefined
  })
)

export const Destination = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("site-section"), siteSectionId: SiteSectionId }),
  Schema.Struct({ kind: Schema.Literal("site-space"), siteSpaceId: SiteSpaceId }),
  Schema.Struct({
    kind: Schema.Literal("site-page"),
    siteSpaceId: SiteSpaceId,
    // The page does not have to exist, so the length of the id is limited here.
    pageId: Text.between(1, 100).pipe(Schema.brand("PageId"))
  }),
  Schema.Struct({ kind: Schema.Literal("external"), url: Text.HttpUrl })
])
export type Destination = typeof Destination.Type

const redirectFields = {
  /** Target of the redirect. */
  destination: Destination,
  /** True if the redirect has no effect. */
  draft: Schema.Boolean,
  /** True for the status 308, false for 307. */
  permanent: Schema.Boolean,
  /** True to append the part that matched `*` to the URL of the destination. Default: false. */
  captureWildcard: Schema.Boolean,
  createdAt: Timestamp,
  updatedAt: Schema.optionalKey(Timestamp)
}

export const RedirectRow = Schema.Struct({ site: SiteId, id: Schema.String, source: RedirectSource, ...redirectFields })
export type RedirectRow = typeof RedirectRow.Type

export const RedirectTable = Table.make("siteRedirect", RedirectRow, {
  key: ["site", "id"],
  derived: { folded: ({ source }: RedirectRow) => foldSource(source) },
  unique: [["site", "folded", "draft"]]
})

export const RedirectFlags = {
  /** True to store the redirect without effect. Default: false. */
  draft: Schema.optionalKey(Schema.Boolean),
  /** True for the status 308, which browsers remember; false for 307. Default: false. */
  permanent: Schema.optionalKey(Schema.Boolean),
  /** True to append the part that matched `*` to the URL of the destination. Default: false. */
  captureWildcard: Schema.optionalKey(Schema.Boolean)
}

export const RedirectCreate = Schema.Struct({
  /** Path on the site that is redirected, such as `/old/page`, or `/old/*` for all paths below it. */
  source: RedirectSourceInput,
  /** Target: a section, a site space, a page, or the URL of another website. */
  destination: Destination,
  ...RedirectFlags
})
export type RedirectCreate = typeof RedirectCreate.Type

export const RedirectPatch = Schema.Struct({
  /** Path on the site that is redirected, such as `/old/page`, or `/old/*` for all paths below it. */
  source: Schema.optionalKey(RedirectSourceInput),
  /** Target: a section, a site space, a page, or the URL of another website. */
  destination: Schema.optionalKey(Destination),
  ...RedirectFlags
})
export type RedirectPatch = typeof RedirectPatch.Type

/** A redirect as an API resource. */
export const Redirect = Schema.Struct({
  object: Schema.Literal("site-redirect"),
  id: Schema.String,
  source: Schema.String,
  ...redirectFields
})
export interface Redirect extends Schema.Schema.Type<typeof Redirect> {}

/** A redirect, and the URL of its current target. */
export const RedirectTarget = Schema.Struct({ redirect: Redirect, target: Schema.String })
export interface RedirectTarget extends Schema.Schema.Type<typeof RedirectTarget> {}

/** Raised if the site has no such redirect. */
export class RedirectNotFound extends Schema.TaggedError<RedirectNotFound>()(
  "RedirectNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if another redirect has this source, or the site has too many redirects. */
export class RedirectConflict extends Schema.TaggedError<RedirectConflict>()(
  "RedirectConflict",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised for a redirect to itself, or one that closes a loop of redirects. */
export class RedirectRing extends Schema.TaggedError<RedirectRing>()(
  "RedirectRing",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return this.issues[0]?.message ?? "The redirect leads in a ring"
  }
}

/** Raised if the destination is not on the site. */
export class InvalidDestination extends Schema.TaggedError<InvalidDestination>()(
  "InvalidDestination",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The redirect leads to nothing on this site"
  }
}
