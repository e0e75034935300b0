/**
 * Parses the pages of a folder before an import wants them, in another thread for instance: parsing
 * is most of the work of an import. Without one, and for a file that it did not come to, the import
 * parses for itself, with the same result.
 */
import type { Effect } from "effect"
import type { FolderFile } from "./Folder.ts"

export interface ParsedAhead {
  /** What was parsed, so that a file that changed meanwhile is parsed anew. */
  readonly body: string
  /** What `Syntax.parse` gives of it, as `Syntax.toJson` writes it. */
  readonly tree: string
}

/** Of a page that takes longer to parse, or more memory, than one may: its text is kept as it is. */
export const unparsable = "unparsable"
export type Unparsable = typeof unparsable

export interface SyntaxAhead {
  /**
   * The files that will be taken, in their order. Told of an import that wants all of them; of one
   * that knows most of them from before, nothing is told.
   */
  readonly begin: (files: ReadonlyArray<FolderFile>) => Effect.Effect<void>
  /** Undefined: it was not begun, and won't be. */
  readonly take: (file: FolderFile) => Effect.Effect<ParsedAhead | Unparsable | undefined>
}
