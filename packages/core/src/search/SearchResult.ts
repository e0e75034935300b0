/** Results of a search: pages, each with its matching sections. */
import { Schema } from "effect"
import { PageId } from "../content/pages/Page.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"

/** 1 to 512 characters. Whatever is no letter or digit parts words; a query without any finds nothing. */
export const SearchQueryText = Text.between(1, 512)

const ResultType = Schema.Literals(["page", "section"])

export const SearchSectionResult = Schema.Struct({
  /** The anchor of its heading; the id of the page for what stands before all headings. */
  id: Schema.String,
  title: Schema.String,
  /** The path of the page, with the anchor. */
  path: Schema.String,
  /** An excerpt of its text. */
  body: Schema.String,
  score: Schema.Finite,
  urls: Schema.Struct({ app: Schema.String })
})
export type SearchSectionResult = typeof SearchSectionResult.Type

export const SearchPageResult = Schema.Struct({
  object: Schema.Literal("search-page-result"),
  id: PageId,
  title: Schema.String,
  description: Schema.String,
  path: Schema.String,
  /** Higher is better. */
  score: Schema.Finite,
  /** Its place among all results, from 1. */
  rank: Schema.Int,
  /** Tells whether the page matches by its title or by its sections. */
  resultType: ResultType,
  /** Those that match, at most 10. */
  sections: Schema.Array(SearchSectionResult),
  /** From the top down. */
  ancestors: Schema.Array(Schema.Struct({ title: Schema.String })),
  urls: Schema.Struct({ app: Schema.String })
})
export type SearchPageResult = typeof SearchPageResult.Type

export const SearchSpaceResult = Schema.Struct({
  type: Schema.Literal("space"),
  id: SpaceId,
  title: Schema.String,
  /** That of its best page here. */
  score: Schema.Finite,
  /** The best first; `rank` is the place among the pages of all spaces. */
  pages: Schema.Array(SearchPageResult)
})
export type SearchSpaceResult = typeof SearchSpaceResult.Type
