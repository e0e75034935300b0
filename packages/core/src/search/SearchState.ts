/**
 * State of a space's search index: the revision of main that it holds, and the one that it is being brought
 * to. By these rows an index is made whole again after a crash or an upgrade.
 */
import { Schema } from "effect"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Language } from "../schema/Language.ts"
import * as Table from "../storage/Table.ts"

export const SearchState = Schema.Struct({
  space: Schema.String,
  /** All of this revision is in the index; null: nothing is. */
  revision: Schema.NullOr(RevisionId),
  /** Some of this revision is in the index already: it has to be finished before another is begun. */
  target: Schema.optionalKey(RevisionId),
  /** The version of the words it was made with (see `PageWords`). */
  words: Schema.Int,
  /** The language whose word forms it has; absent where the space names none. */
  language: Schema.optionalKey(Language)
})
export type SearchState = typeof SearchState.Type

export const SearchStateTable = Table.make("searchState", SearchState, { key: ["space"] })
