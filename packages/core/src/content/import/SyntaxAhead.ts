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

export interface SyntaxAhead {
  /** Told once: the files in the order in which they will be taken. */
  readonly begin: (files: ReadonlyArray<FolderFile>) => Effect.Effect<void>
  /** Undefined: it was not begun, and won't be. */
  readonly take: (file: FolderFile) => Effect.Effect<ParsedAhead | undefined>
}
