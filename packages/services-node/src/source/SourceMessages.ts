/** Messages between `NodeSourceReader` and its thread. */
import type {
  ArchivedFile,
  PageOptions,
  Reader,
  SourceArchive,
  SourcePage,
  SourceSitemap
} from "@lectern/exchange/import/SourceReader"

/** A task for the thread. `archive` is the path of an archive file, and `path` the path of an entry in it. */
export type SourceTask =
  | { readonly kind: Exclude<keyof Reader, "archive">; readonly bytes: Uint8Array; readonly options: PageOptions }
  | { readonly kind: "archive"; readonly archive: string }
  | { readonly kind: "entry"; readonly archive: string; readonly path: string }

export interface ListedArchive extends Pick<SourceArchive, "problems"> {
  readonly files: ReadonlyArray<Omit<ArchivedFile, "bytes">>
}

export interface ReadEntry {
  readonly bytes: Uint8Array
}

export type SourceRead = SourcePage | ListedArchive | ReadEntry | SourceSitemap

export type SourceResult = { readonly read: SourceRead } | { readonly problem: string }
