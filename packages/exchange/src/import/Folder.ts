/**
 * A folder of documentation as the input of an import: the list of its files, and functions that read them. Paths are
 * relative to the folder, with `/` between names.
 *
 * Limits: 50,000 pages, 20 MiB per file, 4 MiB per Markdown file, 2 GiB read in total, paths of 1,024 characters.
 */
import { Effect, Schema } from "effect"
import type { ImportRule } from "./ImportRules.ts"

export const maxFileBytes = 20 * 1024 * 1024
export const maxMarkdownBytes = 4 * 1024 * 1024
export const maxFolderBytes = 2 * 1024 * 1024 * 1024
export const maxPathLength = 1024

export interface FolderFile {
  readonly path: string
  readonly size: number
  /**
   * Git object id of the bytes, if the host knows it without reading the file. The import does not read an unchanged
   * file then. Default: every import reads the file.
   */
  readonly oid?: string | undefined
  /** Reads the file. May be called several times. */
  readonly bytes: () => Effect.Effect<Uint8Array, FolderUnreadable>
}

/** A problem of an import: something was omitted or changed. */
export interface ImportProblem {
  readonly path: string
  readonly line?: number
  /** Column of the line, from 1. */
  readonly column?: number
  /** Default: `not-imported`. */
  readonly rule?: ImportRule
  readonly message: string
  /** Paths of the files, if the problem concerns several files. */
  readonly files?: ReadonlyArray<string>
}

/** Paths of the documentation in its folder, and of its configuration files. */
export interface FolderLayout {
  /** Folder of the documentation. Empty for the folder itself. */
  readonly root: string
  /** Path of the first page, relative to the root. */
  readonly readme: string
  readonly summary: string
  /** Former paths and the files that they redirect to, relative to the root. */
  readonly redirects?: Readonly<Record<string, string>>
}

/** A page in another part of the folder. */
export interface OtherPage {
  readonly space: string
  readonly page: string
}

/** A part of a folder, which is imported into a space of its own. Paths stay relative to the folder. */
export interface FolderPart {
  /** Path of the part's folder, with its own settings and navigation. Empty for the folder itself. */
  readonly folder: string
  /** Folders of other parts below it, whose pages are left out. */
  readonly excluded: ReadonlyArray<string>
  /** Groups of the navigation, if several parts share the folder. Default: all. */
  readonly groups?: FolderPartGroups
  /** Pages of other parts by path. Links to them become links to other spaces. */
  readonly otherPages: ReadonlyMap<string, OtherPage>
}

export interface FolderPartGroups {
  /** Titles of the groups. Empty text: the pages before the first group. The first group has its pages at the top. */
  readonly own: ReadonlyArray<string>
  /** Titles of the groups of all parts of the folder. */
  readonly all: ReadonlySet<string>
  /** True for the part with everything else: pages in no group of `all`, and files without references. */
  readonly hasOthers: boolean
}

export interface Folder {
  /** Files, each with a path, a size in bytes, and a function that returns its bytes. */
  readonly files: ReadonlyArray<FolderFile>
  /** Layout of the folder. Default: the layout in its `.gitbook.yaml`. */
  readonly layout?: FolderLayout
  /** Part to import. Default: the whole folder. */
  readonly part?: FolderPart
  /** Paths of pages that are left out, without a problem for entries and links of them. Default: none. */
  readonly omitted?: ReadonlySet<string>
  /** True if drafts are listed in a tree of folders. Default: they are hidden pages. */
  readonly showsDrafts?: boolean
  /** Files that the host omitted while reading the folder. */
  readonly problems?: ReadonlyArray<ImportProblem>
}

/** Raised if a file of the folder cannot be read. */
export class FolderUnreadable extends Schema.TaggedError<FolderUnreadable>()(
  "FolderUnreadable",
  { path: Schema.String, message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** Raised if the folder exceeds the limits of a space or of an import. */
export class FolderTooLarge extends Schema.TaggedError<FolderTooLarge>()(
  "FolderTooLarge",
  { message: Schema.String },
  { httpApiStatus: 400 }
) {}

/** Returns a file with these bytes. */
export const file = (path: string, bytes: Uint8Array | string): FolderFile => {
  const content = typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes
  return { path, size: content.length, bytes: () => Effect.succeed(content) }
}
