/**
 * Request to search a whole site, and its scope.
 *
 * Limits: query 1 to 512 characters, 1,000 site spaces.
 */
import { Schema } from "effect"
import { SearchQueryText } from "../search/SearchResult.ts"

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
  mode: Schema.optionalKey(Schema.Literals(["all", "current", "specific"])),
  siteSpaceId: Schema.optionalKey(Schema.String),
  siteSpaceIds: Schema.optionalKey(ids)
}

export const SiteSearchQuery = Schema.Struct({
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
