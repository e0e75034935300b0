/**
 * State of a space's search index: the indexed revision, and the target revision of an unfinished update. An index is
 * repaired from these rows after a crash or an upgrade.
 */
import { Schema } from "effect"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Language } from "../schema/Language.ts"
import * as Table from "../storage/Table.ts"

export const SearchState = Schema.Struct({
  space: Schema.String,
  /** Revision whose pages are all indexed. Null if no revision is completely indexed. */
  revision: Schema.NullOr(RevisionId),
  /** Revision that is partly indexed. This update is finished before another one starts. */
  target: Schema.optionalKey(RevisionId),
  /** `version` of `PageWords` that extracted the words. */
  words: Schema.Int,
  /** Language of the stems in the index. Absent if the space has no language. */
  language: Schema.optionalKey(Language)
})
export type SearchState = typeof SearchState.Type

export const SearchStateTable = Table.make("searchState", SearchState, { key: ["space"] })
