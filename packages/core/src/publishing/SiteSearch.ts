/**
 * Search of a whole site: the question, and where it is asked.
 *
 * Limits: query 1 to 512 characters, 1,000 site spaces.
 */
import { Schema } from "effect"
import { SearchQueryText } from "../search/SearchResult.ts"

const ids = Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))

/** Site spaces to search in. One that is not there for who asks is left out. */
export const SiteSearchScope = Schema.Union([
  /**
   * One of each section: what is in the language of the current site space, else the section's default. The current
   * site space itself is among them.
   */
  Schema.Struct({
    mode: Schema.Literal("default"),
    currentSiteSpace: Schema.optionalKey(Schema.String),
    /** Of those the current one alone, or all others. */
    restrictTo: Schema.optionalKey(Schema.Literals(["currentSiteSpace", "otherSiteSpaces"]))
  }),
  Schema.Struct({ mode: Schema.Literal("specific"), siteSpaceIds: ids }),
  Schema.Struct({ mode: Schema.Literal("all") })
])
export type SiteSearchScope = typeof SiteSearchScope.Type

/** The same as older clients ask it, beside the query. */
const older = {
  mode: Schema.optionalKey(Schema.Literals(["all", "current", "specific"])),
  siteSpaceId: Schema.optionalKey(Schema.String),
  siteSpaceIds: Schema.optionalKey(ids)
}

export const SiteSearchQuery = Schema.Struct({
  query: SearchQueryText,
  /** Default: `{"mode": "default"}`. */
  scope: Schema.optionalKey(SiteSearchScope),
  ...older
})
export type SiteSearchQuery = typeof SiteSearchQuery.Type

export const scopeOf = ({ scope, mode, siteSpaceId, siteSpaceIds }: SiteSearchQuery): SiteSearchScope => {
  if (scope !== undefined) return scope
  if (mode === "all") return { mode }
  if (siteSpaceIds !== undefined) return { mode: "specific", siteSpaceIds }
  return { mode: "default", ...(siteSpaceId !== undefined && { currentSiteSpace: siteSpaceId }) }
}
