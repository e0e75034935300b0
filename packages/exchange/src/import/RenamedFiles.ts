/**
 * Recognizes renamed files and reusable contents: a removed and a new path with equal bytes. References to the file
 * stay valid, including references in change requests. Pages are also recognized by similar content (see
 * `RenamedPages`).
 *
 * Only new files with the size of a removed file are read.
 */
import { Effect } from "effect"
import type { Hasher } from "@lectern/core/storage/Hasher"
import { Slice } from "@lectern/core/storage/Slice"
import type { GitBlob } from "@lectern/core/content/pages/Page"
import type { FolderFile, FolderUnreadable } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import * as GitBlobId from "./GitBlobId.ts"

interface ImportedEntry {
  readonly git?: GitBlob
}

interface Options<A extends ImportedEntry> {
  readonly entries: ReadonlyArray<A>
  readonly files: ReadonlyArray<FolderFile>
  readonly hasher: Hasher["Service"]
  /** Returns the size of an entry. Absent if sizes are unknown. */
  readonly sizeOf?: (entry: A) => number
}

/** Returns the former paths by new path. */
export const find = Effect.fnUntraced(function* <A extends ImportedEntry>({
  entries,
  files,
  hasher,
  sizeOf
}: Options<A>): Effect.fn.Return<ReadonlyMap<string, string>, FolderUnreadable> {
  const renames = new Map<string, string>()
  const currentPaths = new Set(files.map(({ path }) => path))
  const importedPaths = new Set(entries.map(({ git }) => git?.path))
  const removed = entries.filter(({ git }) => git !== undefined && !currentPaths.has(git.path))
  if (removed.length === 0) return renames
  const byOid = Map.groupBy(removed, ({ git }) => git!.oid)
  const sizes = sizeOf && new Set(removed.map(sizeOf))
  const slice = yield* Slice.start
  const matches: Array<readonly [path: string, those: ReadonlyArray<A>]> = []
  for (const file of files) {
    if (importedPaths.has(file.path) || sizes?.has(file.size) === false) continue
    const candidates = byOid.get(GitBlobId.gitBlobId(hasher, yield* file.bytes()))
    if (candidates !== undefined) matches.push([file.path, candidates])
    if (slice.isOver()) yield* slice.pause
  }
  const usedPaths = new Set<string>()
  for (const requiresSameName of [true, false]) {
    for (const [path, candidates] of matches) {
      if (renames.has(path)) continue
      const before = candidates
        .map(({ git }) => git!.path)
        .find(
          (one) => !usedPaths.has(one) && (!requiresSameName || FolderPath.baseName(one) === FolderPath.baseName(path))
        )
      if (before === undefined) continue
      usedPaths.add(before)
      renames.set(path, before)
    }
  }
  return renames
})
