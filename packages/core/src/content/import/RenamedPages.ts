/**
 * Pages whose file stands at another path than at the import before: of files that are gone and files that are new,
 * those that say the same, or so much of it that one must have become the other. So a page that is renamed or moved
 * in a repository stays the page it is, with its comments, its earlier paths and what was edited here.
 *
 * Files are the same where their bytes are; else the lines that both have must be 0.7 of the larger one, or half of
 * it where the files have one name. Pages about like things share much, and one may come as another goes.
 *
 * Limits: lines are compared among at most 1,000 files that are gone and 1,000 that are new, and those that are in
 * more than 20 of either tell nothing.
 */
import { Effect } from "effect"
import type { Hasher } from "../../storage/Hasher.ts"
import { Slice } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { ContentReader } from "../ContentReader.ts"
import { unfold } from "../documents/StoredDocument.ts"
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

/** By the new path, the one that a page had. */
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
    const { text } = one.source === undefined ? {} : unfold(yield* source(one.source))
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
  /** How often each line is there. */
  readonly counts: ReadonlyMap<string, number>
  /** Of all of them, in characters. */
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
