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
import type { Hasher } from "../../storage/Hasher.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { ContentReader } from "../ContentReader.ts"
import { parseValue } from "../documents/StoredDocument.ts"
import { isUnlinked, type PageEntry } from "../pages/Page.ts"
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

type Gone = PageEntry & { readonly git: NonNullable<PageEntry["git"]> }

/** Returns the former paths of pages by new path. */
export const find = Effect.fnUntraced(function* ({
  entries,
  hasher,
  pages,
  source
}: Options): Effect.fn.Return<ReadonlyMap<string, string>, StorageError | FolderUnreadable> {
  const found = new Map<string, string>()
  const there = new Set(pages.map(({ key }) => key))
  const known = new Set(entries.map(({ git }) => git?.path))
  const gone = new Set(
    entries.filter(
      (entry): entry is Gone =>
        entry.type === "document" && !isUnlinked(entry) && entry.git !== undefined && !there.has(entry.git.path)
    )
  )
  if (gone.size === 0) return found
  const fresh = new Map<string, FolderFile>()
  for (const { key, page } of pages) {
    if (page.type !== "document" || known.has(key) || !isReadable(page.file) || page.file.size === 0) continue
    fresh.set(key, { ...page.file, path: key })
  }
  const pair = (one: Gone, path: string) => {
    gone.delete(one)
    fresh.delete(path)
    found.set(path, one.git.path)
  }

  const byPath = new Map(Array.from(gone, (one) => [one.git.path, one]))
  const same = yield* RenamedFiles.find({ entries: [...gone], files: [...fresh.values()], hasher })
  for (const [path, before] of same) pair(byPath.get(before)!, path)
  if (gone.size === 0 || gone.size > maxCompared || fresh.size > maxCompared) return found

  const slice = yield* Slice.start
  const before = new Map<Gone, Lines>()
  for (const one of gone) {
    const { text } = one.source === undefined ? {} : parseValue(yield* source(one.source))
    if (text !== undefined) before.set(one, linesOf(text))
    if (slice.isOver()) yield* slice.pause
  }
  const holders = new Map<string, Array<Gone>>()
  for (const [one, { counts }] of before) {
    for (const line of counts.keys()) {
      const known = holders.get(line)
      if (known === undefined) holders.set(line, [one])
      else known.push(one)
    }
    if (slice.isOver()) yield* slice.pause
  }
  const alike: Array<{ readonly value: number; readonly one: Gone; readonly other: FolderFile }> = []
  for (const other of fresh.values()) {
    const after = linesOf(decoder.decode(yield* other.bytes()))
    const common = new Map<Gone, number>()
    for (const [line, count] of after.counts) {
      const those = holders.get(line) ?? []
      if (those.length > maxShared) continue
      for (const one of those) {
        const length = line.length * Math.min(count, before.get(one)!.counts.get(line)!)
        common.set(one, (common.get(one) ?? 0) + length)
      }
    }
    for (const [one, length] of common) {
      const value = length / Math.max(after.length, before.get(one)!.length)
      const isNamed = hasSameName(one, other)
      if (value >= (isNamed ? 0.5 : 0.7)) alike.push({ value: isNamed ? value + 1 : value, one, other })
    }
    if (slice.isOver()) yield* slice.pause
  }
  for (const { one, other } of alike.sort((a, b) => b.value - a.value)) {
    if (gone.has(one) && fresh.has(other.path)) pair(one, other.path)
  }
  return found
})

const hasSameName = ({ git }: Gone, { path }: FolderFile) => FolderPath.baseName(git.path) === FolderPath.baseName(path)

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
