/**
 * The content of a revision: the roots of six persistent maps. Two contents with the same roots are the same
 * content, so duplicating a space or opening a change request copies six hashes, whatever the number of pages.
 */
import { Schema } from "effect"
import { ObjectHash } from "../storage/ObjectStore.ts"
import { ComputedUse } from "../computed/ComputedSource.ts"
import * as Text from "../schema/Text.ts"
import { GitBlob } from "./pages/Page.ts"

/** The root of a persistent map (see `Trie`); null while it is empty. */
export const Root = Schema.NullOr(ObjectHash)
export type Root = typeof Root.Type

export const Content = Schema.Struct({
  /** Page id to `PageEntry`. */
  pages: Root,
  /** Parent and folded slug to `ChildEntry`: keeps siblings distinct, finds a page by its path. */
  children: Root,
  /** File id to `FileEntry`. */
  files: Root,
  /** Id to `ReusableContentEntry`. */
  reusableContents: Root,
  /** Name to value. */
  variables: Root,
  /** Place to what it links to (see `PlaceLinks`); absent where that is not known yet. */
  links: Schema.optionalKey(Root),
  /** The pages that are computed, by id; absent where none is. Readers need them before any page is read. */
  computed: Schema.optionalKey(Schema.Array(ComputedUse))
})
export type Content = typeof Content.Type

export const empty: Content = {
  pages: null,
  children: null,
  files: null,
  reusableContents: null,
  variables: null,
  links: null
}

export const ReusableContentEntry = Schema.Struct({
  id: Schema.String,
  title: Text.between(1, 256),
  document: Schema.optionalKey(ObjectHash),
  git: Schema.optionalKey(GitBlob),
  /** The file that it was imported from (see `SourceText`). */
  source: Schema.optionalKey(ObjectHash)
})
export type ReusableContentEntry = typeof ReusableContentEntry.Type
