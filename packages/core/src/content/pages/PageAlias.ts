/**
 * A place in the tree of a space's main content where a page stood once: what its earlier paths are
 * found by. A path is made of places, so a page that moves with all that is below it leaves one.
 *
 * A page that is gone leaves its place only where the way to another page's place leads over it.
 */
import { Schema } from "effect"
import * as Table from "../../storage/Table.ts"
import { PageId } from "./Page.ts"
import { RevisionId } from "../revisions/Revision.ts"

export const PageAlias = Schema.Struct({
  space: Schema.String,
  page: PageId,
  /** The first revision of the main content in which it stands there no more. */
  until: RevisionId,
  /** The page above; empty at the top. */
  parent: Schema.String,
  /** Folded, as siblings are told apart by it. */
  slug: Schema.String
})
export type PageAlias = typeof PageAlias.Type

export const PageAliasTable = Table.make("pageAlias", PageAlias, {
  key: ["space", "page", "until"],
  indexes: [["space", "parent", "slug", "until"]]
})
