/**
 * Whom a published site lets in, and what of it they see. What is not for a visitor is as if it were
 * not there.
 */
import type { Visitor } from "../access/Actor.ts"
import type { Claims } from "../adaptive/Claims.ts"
import * as Condition from "@lectern/document/condition/Condition"
import type { SpaceId, SpaceRow } from "../space/Space.ts"
import type { SiteVisibility } from "../site/Site.ts"
import type { KeptSite } from "../site/store/SiteStore.ts"
import { siteSpaces } from "../site/SiteStructure.ts"

/** Ways in to a site, as a visitor's token names them from the moment that its holder was let in. */
export const via = {
  open: "open",
  shareLink: (id: string) => `link:${id}`,
  key: (id: string) => `key:${id}`,
  preview: "preview"
}

/**
 * Tells whether a visitor would still be let in the way that it was. `key` is the id of the key that visitors'
 * tokens are signed with now.
 */
export const isAdmitted = (
  { site, shareLinks }: KeptSite,
  visitor: Pick<Visitor, "via">,
  key: string | undefined
): boolean => {
  if (!site.published) return false
  switch (site.visibility) {
    case "public":
    case "unlisted":
      return true
    case "share-link":
      return shareLinks.some(({ id, active }) => active && visitor.via === via.shareLink(id))
    case "visitor-auth":
      return key !== undefined && visitor.via === via.key(key)
  }
}

/** A visitor of whom nothing is known. */
export const unknown = { claims: {}, kind: "nobody" } as const satisfies Partial<Visitor>

/** A visitor as it counts now: its claims are not read any more where adaptive content was turned off. */
export const asOfNow = ({ site }: KeptSite, visitor: Visitor): Visitor =>
  site.adaptiveContent?.enabled === false ? { ...visitor, ...unknown } : visitor

interface Conditional {
  readonly condition?: string | undefined
}

/** Tells whether a condition shows its part to a visitor with these claims. A condition that can't be read hides it. */
export const isShown = (claims: Claims, { condition }: Conditional): boolean =>
  condition === undefined || Condition.holds(condition, claims)

/** A space whose visibility nobody has set is for whom its sites are. */
export const opensThrough = (
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

/** Tells whether a space stands on the site where the visitor sees it. */
export const holdsFor = ({ site }: KeptSite, { claims }: Pick<Visitor, "claims">, space: SpaceId): boolean =>
  siteSpaces(site.structure).some(
    ({ siteSpace, section }) =>
      siteSpace.space === space && isShown(claims, siteSpace) && (section === undefined || isShown(claims, section))
  )
