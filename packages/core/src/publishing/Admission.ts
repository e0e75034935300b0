/**
 * Decides which visitors a published site admits, and which parts they see. Parts that are not visible to a visitor
 * count as missing.
 */
import type { Visitor } from "../access/Actor.ts"
import type { Claims } from "../adaptive/Claims.ts"
import * as Condition from "@lectern/document/condition/Condition"
import type { SpaceId, SpaceRow } from "../space/Space.ts"
import type { SiteVisibility } from "../site/Site.ts"
import type { CachedSite } from "../site/store/SiteStore.ts"
import { siteSpaces } from "../site/SiteStructure.ts"

/** Origin of a visitor's access, as stored in the visitor's token. */
export const accessOrigin = {
  open: "open",
  shareLink: (id: string) => `link:${id}`,
  key: (id: string) => `key:${id}`,
  preview: "preview"
}

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
 * Returns true if a space is readable through a site. A space without a visibility of its own has that of its sites.
 */
export const isReadableOnSite = (
  space: Pick<SpaceRow, "visibility" | "visibilitySet" | "deletedAt">,
  site: SiteVisibility
): boolean => {
  if (space.deletedAt !== undefined) return false
  if (space.visibilitySet !== true) return true
  switch (space.visibility) {
    case "public":
    case "unlisted":
      return true
    case "share-link":
    case "visitor-auth":
      return space.visibility === site
    case "in-collection":
    case "private":
      return false
  }
}

/** Returns true if the visitor sees a space on the site. */
export const isVisibleTo = ({ site }: CachedSite, { claims }: Pick<Visitor, "claims">, space: SpaceId): boolean =>
  siteSpaces(site.structure).some(
    ({ siteSpace, section }) =>
      siteSpace.space === space &&
      conditionHolds(claims, siteSpace) &&
      (section === undefined || conditionHolds(claims, section))
  )
