/** Messages between `NodeSourceReader` and its thread. */
import type { PageOptions, Reader, ReadArchive, ReadPage, ReadSitemap } from "@lectern/core/content/import/SourceReader"

export interface SourceTask {
  readonly kind: keyof Reader
  readonly bytes: Uint8Array
  readonly options: PageOptions
}

export type SourceRead = ReadPage | ReadArchive | ReadSitemap

export type SourceAnswer = { readonly read: SourceRead } | { readonly problem: string }
