/**
 * Files and reusable contents that stand at another path than at the import before: of those that are gone and those
 * that are new, the ones with the same bytes. So what refers to one, in a change request too, does so still. For
 * pages, which are known by what they say as well, see `RenamedPages`.
 *
 * Read are new files alone, of a size that one had that is gone.
 */
import { Effect } from "effect"
import type { Hasher } from "../../storage/Hasher.ts"
import { Slice } from "../../storage/Slice.ts"
import type { GitBlob } from "../pages/Page.ts"
import type { FolderFile, FolderUnreadable } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import * as GitBlobId from "./GitBlobId.ts"

interface Known {
  readonly git?: GitBlob
}

interface Options<A extends Known> {
  readonly entries: ReadonlyArray<A>
  readonly files: ReadonlyArray<FolderFile>
  readonly hasher: Hasher["Service"]
  /** Of an entry, where it is known. */
  readonly sizeOf?: (entry: A) => number
}

/** By the new path, the one that an entry had. */
export const find = Effect.fnUntraced(function* <A extends Known>({
  entries,
  files,
  hasher,
  sizeOf
}: Options<A>): Effect.fn.Return<ReadonlyMap<string, string>, FolderUnreadable> {
  const found = new Map<string, string>()
  const there = new Set(files.map(({ path }) => path))
  const known = new Set(entries.map(({ git }) => git?.path))
  const gone = entries.filter(({ git }) => git !== undefined && !there.has(git.path))
  if (gone.length === 0) return found
  const byOid = Map.groupBy(gone, ({ git }) => git!.oid)
  const sizes = sizeOf && new Set(gone.map(sizeOf))
  const slice = yield* Slice.start
  const same: Array<readonly [path: string, those: ReadonlyArray<A>]> = []
  for (const file of files) {
    if (known.has(file.path) || sizes?.has(file.size) === false) continue
    const those = byOid.get(GitBlobId.of(hasher, yield* file.bytes()))
    if (those !== undefined) same.push([file.path, those])
    if (slice.isOver()) yield* slice.pause
  }
  const taken = new Set<string>()
  for (const isNamed of [true, false]) {
    for (const [path, those] of same) {
      if (found.has(path)) continue
      const before = those
        .map(({ git }) => git!.path)
        .find((one) => !taken.has(one) && (!isNamed || FolderPath.baseName(one) === FolderPath.baseName(path)))
      if (before === undefined) continue
      taken.add(before)
      found.set(path, before)
    }
  }
  return found
})
