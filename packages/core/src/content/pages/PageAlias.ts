/**
 * A former position of a page in the page tree of a space's main content. Earlier paths are resolved with these
 * positions. A path consists of positions, so a page that moves with all its descendants leaves only one.
 *
 * The position of a deleted page is stored only if the former path of another page leads through it.
 */
import { Schema } from "effect"
import * as Table from "../../storage/Table.ts"
import { PageId } from "./Page.ts"
import { RevisionId } from "../revisions/Revision.ts"

export const PageAlias = Schema.Struct({
  space: Schema.String,
  page: PageId,
  /** First revision of the main content in which the page is no longer at the position. */
  until: RevisionId,
  /** Id of the parent page. Empty at the top. */
  parent: Schema.String,
  /** Slug in its folded form, which identifies a page among its siblings. */
  slug: Schema.String
})
export type PageAlias = typeof PageAlias.Type

export const PageAliasTable = Table.make("pageAlias", PageAlias, {
  key: ["space", "page", "until"],
  indexes: [["space", "parent", "slug", "until"]]
})
