/**
 * Request to search a whole site, and the site spaces that its scope selects.
 *
 * Limits: query 1 to 512 characters, 1,000 site spaces.
 */
import { Schema } from "effect"
import { SearchQueryText } from "../search/SearchResult.ts"
import type { SiteSpace } from "../site/SiteResources.ts"

const ids = Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))

/** Site spaces to search. Site spaces that are not visible to the actor are ignored. */
export const SiteSearchScope = Schema.Union([
  /**
   * One site space of each section: the one in the language of the current site space, otherwise the section's default.
   * Includes the current site space.
   */
  Schema.Struct({
    mode: Schema.Literal("default"),
    currentSiteSpace: Schema.optionalKey(Schema.String),
    /** Restricts the search to the current site space, or to all others. */
    restrictTo: Schema.optionalKey(Schema.Literals(["currentSiteSpace", "otherSiteSpaces"]))
  }),
  Schema.Struct({ mode: Schema.Literal("specific"), siteSpaceIds: ids }),
  Schema.Struct({ mode: Schema.Literal("all") })
])
export type SiteSearchScope = typeof SiteSearchScope.Type

/** The scope in the form of older clients. */
const legacyFields = {
  /** Form of `scope` for older clients. */
  mode: Schema.optionalKey(Schema.Literals(["all", "current", "specific"])),
  /** Current site space, for older clients. */
  siteSpaceId: Schema.optionalKey(Schema.String),
  /** Site spaces to search, for older clients. */
  siteSpaceIds: Schema.optionalKey(ids)
}

export const SiteSearchQuery = Schema.Struct({
  /** Words to find. */
  query: SearchQueryText,
  /** Site spaces to search. Default: `{"mode": "default"}`. */
  scope: Schema.optionalKey(SiteSearchScope),
  ...legacyFields
})
export type SiteSearchQuery = typeof SiteSearchQuery.Type

export const scopeOf = ({ scope, mode, siteSpaceId, siteSpaceIds }: SiteSearchQuery): SiteSearchScope => {
  if (scope !== undefined) return scope
  if (mode === "all") return { mode }
  if (siteSpaceIds !== undefined) return { mode: "specific", siteSpaceIds }
  return { mode: "default", ...(siteSpaceId !== undefined && { currentSiteSpace: siteSpaceId }) }
}

/** Returns the visible site spaces that a scope selects. */
export const selectSiteSpaces = (all: ReadonlyArray<SiteSpace>, scope: SiteSearchScope): ReadonlyArray<SiteSpace> => {
  switch (scope.mode) {
    case "all":
      return all
    case "specific": {
      const selectedIds = new Set(scope.siteSpaceIds)
      return all.filter(({ id }) => selectedIds.has(id))
    }
    case "default": {
      const ownSiteSpace = all.find(({ id }) => id === scope.currentSiteSpace)
      const otherSiteSpaces = onePerSection(all, ownSiteSpace).filter((siteSpace) => siteSpace !== ownSiteSpace)
      if (scope.restrictTo === "otherSiteSpaces") return otherSiteSpaces
      return [
        ...(ownSiteSpace ? [ownSiteSpace] : []),
        ...(scope.restrictTo === "currentSiteSpace" ? [] : otherSiteSpaces)
      ]
    }
  }
}

/**
 * Returns one site space of each section: the one in the language of the current site space, otherwise the default.
 * Returns the current site space for the current section.
 */
const onePerSection = (
  all: ReadonlyArray<SiteSpace>,
  ownSiteSpace: SiteSpace | undefined
): ReadonlyArray<SiteSpace> => {
  const siteSpacesBySection = Map.groupBy(all, ({ section = "" }) => section)
  const language = ownSiteSpace?.space.language
  return Array.from(siteSpacesBySection.values(), (siteSpaces) => {
    const siteSpaceInLanguage =
      language === undefined ? undefined : siteSpaces.find(({ space }) => space.language === language)
    const siteSpaceOfSection =
      siteSpaces.find((siteSpace) => siteSpace === ownSiteSpace) ??
      siteSpaceInLanguage ??
      siteSpaces.find((siteSpace) => siteSpace.default)
    return siteSpaceOfSection ?? siteSpaces[0]!
  })
}
