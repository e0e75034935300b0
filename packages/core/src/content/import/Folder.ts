/**
 * A folder of documentation as an import takes it: what files there are, and their bytes when they
 * are asked for. Paths are relative to the folder, with `/` between names.
 *
 * Limits: 50,000 pages, 20 MiB per file, 4 MiB per Markdown file, 2 GiB read in all, paths of 1,024
 * characters.
 */
import { Effect, Schema } from "effect"

export const maxFileBytes = 20 * 1024 * 1024
export const maxMarkdownBytes = 4 * 1024 * 1024
export const maxFolderBytes = 2 * 1024 * 1024 * 1024
export const maxPathLength = 1024

export interface FolderFile {
  readonly path: string
  readonly size: number
  /** Reads it: when it is needed, and again where it is needed again. */
  readonly bytes: () => Effect.Effect<Uint8Array, FolderUnreadable>
}

/** Something that was left out, or taken otherwise than it was written. */
export interface ImportProblem {
  readonly path: string
  readonly line?: number
  readonly message: string
  /** Paths of the files, if the problem concerns several files. */
  readonly files?: ReadonlyArray<string>
}

/** Places of the documentation in its folder, and of the files that say what it is. */
export interface FolderLayout {
  /** The folder that holds everything, "" for the one given. */
  readonly root: string
  /** Relative to the root. */
  readonly readme: string
  readonly summary: string
  /** Paths that were, and the files that they lead to now, relative to the root. */
  readonly redirects?: Readonly<Record<string, string>>
}

export interface Folder {
  readonly files: ReadonlyArray<FolderFile>
  /** Given where it is known already; else the folder's `.gitbook.yaml` says it. */
  readonly layout?: FolderLayout
  /** Files that the host left out while reading the folder. */
  readonly problems?: ReadonlyArray<ImportProblem>
}

/** A file of the folder can't be read. */
export class FolderUnreadable extends Schema.TaggedError<FolderUnreadable>()(
  "FolderUnreadable",
  { path: Schema.String, message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** The folder holds more than a space may, or than is read at once. */
export class FolderTooLarge extends Schema.TaggedError<FolderTooLarge>()(
  "FolderTooLarge",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** A file whose bytes are there already. */
export const file = (path: string, bytes: Uint8Array | string): FolderFile => {
  const content = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes
  return { path, size: content.length, bytes: () => Effect.succeed(content) }
}
