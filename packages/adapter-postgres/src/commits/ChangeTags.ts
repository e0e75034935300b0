/**
 * Tags of commits as texts of PostgreSQL, which hold no NUL. Equal tags have equal texts.
 */
import type { LearnedCommit } from "@lectern/core/storage/Overlay"
import type { Result } from "../connections/Connection.ts"

/** Returns tags without NUL. */
export const encodeTags = (tags: Iterable<string>): ReadonlyArray<string> =>
  Array.from(tags, (tag) => tag.replaceAll("\\", "\\\\").replaceAll("\0", "\\0"))

const decodeTag = (tag: string) => tag.replace(/\\(.)/gs, (_, escaped: string) => (escaped === "0" ? "\0" : escaped))

/**
 * Returns the commits after `known`. `state`: the last commit, and the last one that is not recorded any more. `changes`:
 * numbers and tags of recorded commits.
 */
export const learnedCommits = (
  known: number,
  [seq, floor]: readonly [seq: number, floor: number],
  changes: Result
): ReadonlyArray<LearnedCommit> => {
  if (seq <= known) return []
  if (floor > known) return [{ generation: seq, tags: undefined }]
  return changes.rows.map(([generation, tags]) => ({
    generation: generation as number,
    tags: ((tags ?? []) as ReadonlyArray<string>).map(decodeTag)
  }))
}
