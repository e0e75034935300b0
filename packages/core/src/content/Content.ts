/**
 * The content of a revision: the roots of persistent maps. Two contents with equal roots are equal. To duplicate a
 * space or open a change request, only the hashes are copied, for any number of pages.
 */
import { Schema } from "effect"
import { ObjectHash } from "../storage/ObjectStore.ts"
import { ComputedUse } from "../computed/ComputedSource.ts"
import { GitBlob, PageMetadata } from "./pages/Page.ts"

/** Root of a persistent map (see `Trie`). Null if the map is empty. */
export const Root = Schema.NullOr(ObjectHash)
export type Root = typeof Root.Type

export const Content = Schema.Struct({
  /** Page id to `PageEntry`. */
  pages: Root,
  /** Parent and folded slug to `ChildEntry`. Keeps siblings distinct, and finds a page by its path. */
  children: Root,
  /** File id to `FileEntry`. */
  files: Root,
  /** Id to `ReusableContentEntry`. */
  reusableContents: Root,
  /** Name to value. */
  variables: Root,
  /** Page or reusable content to its links (see `LinkMap`). Absent if the links are not computed yet. */
  links: Schema.optionalKey(Root),
  /** Path to `PassthroughFile`. Absent if nothing was imported. */
  written: Schema.optionalKey(Root),
  /** Map from case-folded paths to the pages that they redirect to if no page is at the path. Absent without redirects. */
  redirects: Schema.optionalKey(Root),
  /** Computed pages by id. Absent without computed pages. Readers need them before they read pages. */
  computed: Schema.optionalKey(Schema.Array(ComputedUse))
})
export type Content = typeof Content.Type

/** Returns true if two contents have the same pages, files, reusable contents and variables. */
export const hasEqualContent = (a: Content, b: Content): boolean =>
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
 * A file of an imported folder that is neither a page nor a file of the content: its table of contents, configuration
 * and variables, and other files in `.gitbook`. An export writes it back.
 */
export interface PassthroughFile {
  readonly path: string
  /** Text of the file (see `SourceText`). */
  readonly source: ObjectHash
  /** Line numbers of entries of a table of contents that became no page. An export keeps these lines. */
  readonly leftOut?: ReadonlyArray<number>
}

export const ReusableContentEntry = Schema.Struct({
  id: Schema.String,
  title: PageMetadata.fields.title,
  document: Schema.optionalKey(ObjectHash),
  git: Schema.optionalKey(GitBlob),
  /** The file that the reusable content was imported from (see `SourceText`). */
  source: Schema.optionalKey(ObjectHash)
})
export type ReusableContentEntry = typeof ReusableContentEntry.Type
