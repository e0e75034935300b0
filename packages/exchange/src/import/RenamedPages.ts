/**
 * Recognizes pages whose file was renamed or moved: removed and new files with equal or similar content. Such a page
 * stays the same page, with its comments, earlier paths and edits made in Lectern.
 *
 * Files match if their bytes are equal. Otherwise the common lines must amount to 0.7 of the larger file, or half of it
 * if the file names are equal. The threshold is this high because pages about similar subjects share many lines.
 *
 * Limits: lines are compared if at most 1,000 files were removed and 1,000 are new. Lines that occur in more than 20
 * removed files are ignored.
 */
import { Effect } from "effect"
import type { Hasher } from "@lectern/core/storage/Hasher"
import { Slice } from "@lectern/core/storage/Slice"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { ContentReader } from "@lectern/core/content/ContentReader"
import { parseValue } from "@lectern/core/content/documents/StoredDocument"
import { isUnlinked, type PageEntry } from "@lectern/core/content/pages/Page"
import type { FolderFile, FolderUnreadable } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import { isReadable } from "./FolderPlan.ts"
import type { KeyedPage } from "./KeyedPages.ts"
import * as RenamedFiles from "./RenamedFiles.ts"

const maxCompared = 1_000
const maxShared = 20

interface Options {
  readonly pages: ReadonlyArray<KeyedPage>
  readonly entries: ReadonlyArray<PageEntry>
  readonly source: ContentReader["source"]
  readonly hasher: Hasher["Service"]
}

type RemovedPage = PageEntry & { readonly git: NonNullable<PageEntry["git"]> }

/** Returns the former paths of pages by new path. */
export const find = Effect.fnUntraced(function* ({
  entries,
  hasher,
  pages,
  source
}: Options): Effect.fn.Return<ReadonlyMap<string, string>, StorageError | FolderUnreadable> {
  const renames = new Map<string, string>()
  const currentKeys = new Set(pages.map(({ key }) => key))
  const importedPaths = new Set(entries.map(({ git }) => git?.path))
  const removed = new Set(
    entries.filter(
      (entry): entry is RemovedPage =>
        entry.type === "document" && !isUnlinked(entry) && entry.git !== undefined && !currentKeys.has(entry.git.path)
    )
  )
  if (removed.size === 0) return renames
  const newFiles = new Map<string, FolderFile>()
  for (const { key, page } of pages) {
    if (page.type !== "document" || importedPaths.has(key) || !isReadable(page.file) || page.file.size === 0) continue
    newFiles.set(key, { ...page.file, path: key })
  }
  const pair = (removedPage: RemovedPage, path: string) => {
    removed.delete(removedPage)
    newFiles.delete(path)
    renames.set(path, removedPage.git.path)
  }

  const byPath = new Map(Array.from(removed, (removedPage) => [removedPage.git.path, removedPage]))
  const identicalFiles = yield* RenamedFiles.find({ entries: [...removed], files: [...newFiles.values()], hasher })
  for (const [path, before] of identicalFiles) pair(byPath.get(before)!, path)
  if (removed.size === 0 || removed.size > maxCompared || newFiles.size > maxCompared) return renames

  const slice = yield* Slice.start
  const before = new Map<RemovedPage, Lines>()
  for (const removedPage of removed) {
    const { text } = removedPage.source === undefined ? {} : parseValue(yield* source(removedPage.source))
    if (text !== undefined) before.set(removedPage, linesOf(text))
    if (slice.isOver()) yield* slice.pause
  }
  const pagesByLine = new Map<string, Array<RemovedPage>>()
  for (const [removedPage, { counts }] of before) {
    for (const line of counts.keys()) {
      const linePages = pagesByLine.get(line)
      if (linePages === undefined) pagesByLine.set(line, [removedPage])
      else linePages.push(removedPage)
    }
    if (slice.isOver()) yield* slice.pause
  }
  const similar: Array<{ readonly value: number; readonly one: RemovedPage; readonly other: FolderFile }> = []
  for (const newFile of newFiles.values()) {
    const after = linesOf(decoder.decode(yield* newFile.bytes()))
    const common = new Map<RemovedPage, number>()
    for (const [line, count] of after.counts) {
      const candidates = pagesByLine.get(line) ?? []
      if (candidates.length > maxShared) continue
      for (const removedPage of candidates) {
        const length = line.length * Math.min(count, before.get(removedPage)!.counts.get(line)!)
        common.set(removedPage, (common.get(removedPage) ?? 0) + length)
      }
    }
    for (const [removedPage, length] of common) {
      const value = length / Math.max(after.length, before.get(removedPage)!.length)
      const haveSameName = hasSameName(removedPage, newFile)
      if (value >= (haveSameName ? 0.5 : 0.7))
        similar.push({ value: haveSameName ? value + 1 : value, one: removedPage, other: newFile })
    }
    if (slice.isOver()) yield* slice.pause
  }
  for (const { one: removedPage, other: newFile } of similar.sort((a, b) => b.value - a.value)) {
    if (removed.has(removedPage) && newFiles.has(newFile.path)) pair(removedPage, newFile.path)
  }
  return renames
})

const hasSameName = ({ git }: RemovedPage, { path }: FolderFile) =>
  FolderPath.baseName(git.path) === FolderPath.baseName(path)

const decoder = new TextDecoder()

interface Lines {
  /** Number of occurrences of each line. */
  readonly counts: ReadonlyMap<string, number>
  /** Total length of all lines (characters). */
  readonly length: number
}

const linesOf = (text: string): Lines => {
  const counts = new Map<string, number>()
  let length = 0
  for (const each of text.split("\n")) {
    const line = each.trim()
    if (line === "") continue
    counts.set(line, (counts.get(line) ?? 0) + 1)
    length += line.length
  }
  return { counts, length }
}
