/** Results of a search: pages, each with its matching sections. */
import { Schema } from "effect"
import { PageId } from "../content/pages/Page.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"

/**
 * 1 to 512 characters. All characters except letters and digits separate words. A query without words has no results.
 */
export const SearchQueryText = Text.between(1, 512)

const ResultType = Schema.Literals(["page", "section"])

export const SearchSectionResult = Schema.Struct({
  /** Anchor of the heading. The id of the page for the section before the first heading. */
  id: Schema.String,
  title: Schema.String,
  /** Path of the page, with the anchor. */
  path: Schema.String,
  /** Excerpt of the section's text. */
  body: Schema.String,
  score: Schema.Finite,
  urls: Schema.Struct({ app: Schema.String })
})
export type SearchSectionResult = typeof SearchSectionResult.Type

export const SearchPageResult = Schema.Struct({
  object: Schema.Literal("search-page-result"),
  id: PageId,
  /** Title of the page. */
  title: Schema.String,
  /** Description of the page. */
  description: Schema.String,
  /** Path of the page. */
  path: Schema.String,
  /** Higher is better. */
  score: Schema.Finite,
  /** Position among all results, from 1. */
  rank: Schema.Int,
  /** `page` if the title matches at least half of the query, otherwise `section`. */
  resultType: ResultType,
  /** Matching sections, at most 10. */
  sections: Schema.Array(SearchSectionResult),
  /** Ancestors of the page, topmost first. */
  ancestors: Schema.Array(Schema.Struct({ title: Schema.String })),
  urls: Schema.Struct({ app: Schema.String })
})
export interface SearchPageResult extends Schema.Schema.Type<typeof SearchPageResult> {}

export const SearchSpaceResult = Schema.Struct({
  type: Schema.Literal("space"),
  /** Id of the space. */
  id: SpaceId,
  /** Title of the space. */
  title: Schema.String,
  /** Score of the best page of this space in the list. */
  score: Schema.Finite,
  /** Matching pages, best first. `rank` is the position among the pages of all spaces. */
  pages: Schema.Array(SearchPageResult)
})
export interface SearchSpaceResult extends Schema.Schema.Type<typeof SearchSpaceResult> {}
