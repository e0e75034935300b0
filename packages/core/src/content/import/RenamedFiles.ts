/**
 * Recognizes renamed files and reusable contents: a removed and a new path with equal bytes. References to the file
 * stay valid, including references in change requests. Pages are also recognized by similar content (see
 * `RenamedPages`).
 *
 * Only new files with the size of a removed file are read.
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
  /** Returns the size of an entry. Absent if sizes are unknown. */
  readonly sizeOf?: (entry: A) => number
}

/** Returns the former paths by new path. */
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
    const those = byOid.get(GitBlobId.gitBlobId(hasher, yield* file.bytes()))
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
