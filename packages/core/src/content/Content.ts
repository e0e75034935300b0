/**
 * The content of a revision: the roots of persistent maps. Two contents with the same roots are the same
 * content, so duplicating a space or opening a change request copies hashes, whatever the number of pages.
 */
import { Schema } from "effect"
import { ObjectHash } from "../storage/ObjectStore.ts"
import { ComputedUse } from "../computed/ComputedSource.ts"
import { GitBlob, PageMetadata } from "./pages/Page.ts"

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
  /** Each page and reusable content to what it links to (see `LinkMap`); absent where that is not known yet. */
  links: Schema.optionalKey(Root),
  /** Path to `WrittenFile`; absent where nothing was imported. */
  written: Schema.optionalKey(Root),
  /** Folded path to the page that it leads to while none stands there; absent where nothing says so. */
  redirects: Schema.optionalKey(Root),
  /** The pages that are computed, by id; absent where none is. Readers need them before any page is read. */
  computed: Schema.optionalKey(Schema.Array(ComputedUse))
})
export type Content = typeof Content.Type

/** True where two contents have the same pages, files, reusable contents and variables. */
export const sameContent = (a: Content, b: Content): boolean =>
  a.pages === b.pages &&
  a.children === b.children &&
  a.files === b.files &&
  a.reusableContents === b.reusableContents &&
  a.variables === b.variables

export const empty: Content = {
  pages: null,
  children: null,
  files: null,
  reusableContents: null,
  variables: null,
  links: null
}

/**
 * A file of an imported folder that is neither a page nor a file of the content: its table of contents, its
 * configuration, its variables, and whatever else lies in `.gitbook`. An export writes it again.
 */
export interface WrittenFile {
  readonly path: string
  /** Its text (see `SourceText`). */
  readonly source: ObjectHash
  /** Of a table of contents: the lines of entries that became no page. An export keeps them. */
  readonly leftOut?: ReadonlyArray<number>
}

export const ReusableContentEntry = Schema.Struct({
  id: Schema.String,
  title: PageMetadata.fields.title,
  document: Schema.optionalKey(ObjectHash),
  git: Schema.optionalKey(GitBlob),
  /** The file that it was imported from (see `SourceText`). */
  source: Schema.optionalKey(ObjectHash)
})
export type ReusableContentEntry = typeof ReusableContentEntry.Type
