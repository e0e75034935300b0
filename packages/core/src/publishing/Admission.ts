/**
 * Decides which visitors a published site admits, and which parts they see. Parts that are not visible to a visitor
 * count as missing.
 */
import type { Visitor } from "../access/Actor.ts"
import type { Claims } from "../adaptive/Claims.ts"
import * as Condition from "@lectern/document/condition/Condition"
import type { SpaceId, SpaceRow } from "../space/Space.ts"
import type { SiteRow, SiteVisibility } from "../site/Site.ts"
import type { CachedSite } from "../site/store/SiteStore.ts"
import { siteSpaces } from "../site/SiteStructure.ts"
import type { RuleResult, VisibilityReason, VisibilityRule } from "./VisibilityRule.ts"

/** Origin of a visitor's access, as stored in the visitor's token. */
export const accessOrigin = {
  open: "open",
  shareLink: (id: string) => `link:${id}`,
  key: (id: string) => `key:${id}`,
  preview: "preview"
}

/** Way in which a visitor is admitted, or the reason for which the visitor is refused. */
export type Admission =
  | { readonly via: string; readonly reason?: undefined }
  | { readonly via?: undefined; readonly reason: VisibilityReason }

const refused = (reason: VisibilityReason): Admission => ({ reason })

/**
 * Decides whether a site admits a visitor: by a token, by a share link, or without credentials if the site is open.
 * `key`: id of the current key for visitor tokens; `isSignedOn`: true if one of the tokens is valid.
 */
export const admissionOf = (
  { site, shareLinkWith }: Pick<CachedSite, "site" | "shareLinkWith">,
  {
    shareKey,
    hasToken,
    isSignedOn
  }: {
    readonly shareKey: string | undefined
    readonly hasToken: boolean
    readonly isSignedOn: boolean
  },
  key: string | undefined
): Admission => {
  if (!site.published) return refused("site-unpublished")
  switch (site.visibility) {
    case "public":
    case "unlisted":
      return { via: accessOrigin.open }
    case "share-link": {
      const link = shareKey === undefined ? undefined : shareLinkWith(shareKey)
      if (link === undefined) return refused("share-link-missing")
      return link.active ? { via: accessOrigin.shareLink(link.id) } : refused("share-link-inactive")
    }
    case "visitor-auth":
      if (key === undefined) return refused("sign-in-off")
      if (isSignedOn) return { via: accessOrigin.key(key) }
      return refused(hasToken ? "sign-in-invalid" : "sign-in-required")
  }
}

const ruleOfVisibility = {
  public: "audience",
  unlisted: "audience",
  "share-link": "share-link",
  "visitor-auth": "sign-in"
} as const satisfies Record<SiteVisibility, VisibilityRule>

/** Returns the results of the rules that an admission consists of. */
export const admissionRules = (
  { published, visibility }: Pick<SiteRow, "published" | "visibility">,
  reason: VisibilityReason | undefined
): ReadonlyArray<RuleResult> =>
  published
    ? [{ rule: "published" }, { rule: ruleOfVisibility[visibility], reason, value: visibility }]
    : [{ rule: "published", reason }]

/**
 * Returns true if a visitor would be admitted again in the same way. `key`: id of the current key for visitor tokens.
 */
export const isAdmitted = (
  { site, shareLinks }: CachedSite,
  visitor: Pick<Visitor, "via">,
  key: string | undefined
): boolean => {
  if (!site.published) return false
  switch (site.visibility) {
    case "public":
    case "unlisted":
      return true
    case "share-link":
      return shareLinks.some(({ id, active }) => active && visitor.via === accessOrigin.shareLink(id))
    case "visitor-auth":
      return key !== undefined && visitor.via === accessOrigin.key(key)
  }
}

/** A visitor without claims. */
export const anonymousVisitor = { claims: {}, kind: "nobody" } as const satisfies Partial<Visitor>

/** Returns the visitor with current claims: none if adaptive content was disabled. */
export const withCurrentClaims = ({ site }: CachedSite, visitor: Visitor): Visitor =>
  site.adaptiveContent?.enabled === false ? { ...visitor, ...anonymousVisitor } : visitor

interface Conditional {
  readonly condition?: string | undefined
}

/**
 * Returns true if a part with a condition is visible to a visitor with these claims. An invalid condition hides the
 * part.
 */
export const conditionHolds = (claims: Claims, { condition }: Conditional): boolean =>
  condition === undefined || Condition.holds(condition, claims)

/**
 * Returns the reason for which a space is not readable through a site; undefined if it is. A space without a visibility
 * of its own has that of its sites.
 */
export const unreadableReason = (
  space: Pick<SpaceRow, "visibility" | "visibilitySet" | "deletedAt">,
  site: SiteVisibility
): VisibilityReason | undefined => {
  if (space.deletedAt !== undefined) return "space-deleted"
  if (space.visibilitySet !== true) return undefined
  switch (space.visibility) {
    case "public":
    case "unlisted":
      return undefined
    case "share-link":
    case "visitor-auth":
      return space.visibility === site ? undefined : "space-visibility"
    case "in-collection":
    case "private":
      return "space-visibility"
  }
}

export const isReadableOnSite = (...space: Parameters<typeof unreadableReason>): boolean =>
  unreadableReason(...space) === undefined

/** Returns true if the visitor sees a space on the site. */
export const isVisibleTo = ({ site }: CachedSite, { claims }: Pick<Visitor, "claims">, space: SpaceId): boolean =>
  siteSpaces(site.structure).some(
    ({ siteSpace, section }) =>
      siteSpace.space === space &&
      conditionHolds(claims, siteSpace) &&
      (section === undefined || conditionHolds(claims, section))
  )
