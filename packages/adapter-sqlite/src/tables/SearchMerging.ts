/**
 * Merges the segments of the full-text table while no process writes. Each commit adds a segment and merges some small
 * ones (see `applySearchChanges`), which leaves 7 to 11. A search for a rare word reads each segment, which takes three
 * times as long as with one.
 *
 * After a commit that changed the index, merging waits for a second without commits. It then runs in steps, each a
 * transaction of about 2 ms followed by a pause, so that it uses a tenth of the time. If another process commits
 * meanwhile, it waits for another second without commits. It ends when nothing is left to merge.
 *
 * A full merge rewrites the index. It runs if there are more than two segments and the smaller ones together have at
 * least a sixteenth of the largest. So it writes at most 17 pages per page of new data, however small the commits are.
 *
 * A merge changes no search result. It does not count as a commit for caches and is not synced. Other processes see a
 * commit, as for every write.
 *
 * Limit: a step skips removed pages without writing, 5 µs each, so after the removal of a space with 10,000 pages it
 * takes 50 ms.
 */
import { idleWait } from "@lectern/core/time/IdleWait"
import { Effect } from "effect"
import { failureOf } from "../connections/SqliteFailure.ts"
import type { SqliteDatabase } from "./SqliteDatabase.ts"

const quiet = "1 second"
const pause = "20 millis"

/** Number of pages (4 KB, of the full-text table) that a step writes. */
const pages = 8
const minSegments = 2
/** Minimum size of the smaller segments, as a share of the largest one. */
const share = 1 / 16

/** Sizes of the segments (pages). */
const partsSql = "SELECT count(*) FROM lectern_search_idx GROUP BY segid"
/**
 * Merges segments of the index. A negative number of pages starts a full merge, and a positive number continues the
 * merge.
 */
const mergeSql = "INSERT INTO lectern_search (lectern_search, rank) VALUES ('merge', ?)"
/** Number of changes below which FTS5 has nothing left to merge. */
const minChanges = 2

/** True if a merge is worth its writes, by the sizes of the segments. */
export const isWorthMerging = (parts: ReadonlyArray<number>): boolean => {
  const largest = Math.max(...parts)
  const otherSizes = parts.reduce((sum, size) => sum + size, 0) - largest
  return parts.length > minSegments && otherSizes >= largest * share
}

/** Waits for a second without commits. */
const untilQuiet = Effect.fnUntraced(function* ({ connections }: SqliteDatabase) {
  for (let commitsBefore: number | undefined; commitsBefore !== connections.commitCount; yield* idleWait(quiet)) {
    commitsBefore = connections.commitCount
  }
})

const mergeParts = Effect.fnUntraced(function* (database: SqliteDatabase) {
  const { connections, transactions } = database
  const { reader, writer } = connections
  if (!isWorthMerging(reader.pluck(partsSql).all() as ReadonlyArray<number>)) return
  let next = -pages
  for (let commitsBefore = connections.commitCount; ; commitsBefore = connections.commitCount) {
    const changes = transactions.writeOutsideQueue(() => writer.run(mergeSql, next))
    if (changes !== undefined) {
      if (changes < minChanges) return
      next = pages
      yield* idleWait(pause)
    }
    if (changes === undefined || commitsBefore !== connections.commitCount) yield* untilQuiet(database)
  }
})

/** Runs until interrupted. */
export const mergeWhileIdle = (database: SqliteDatabase): Effect.Effect<never> =>
  database.searchChanged.await.pipe(
    Effect.andThen(untilQuiet(database)),
    Effect.andThen(database.searchChanged.close),
    Effect.andThen(mergeParts(database)),
    // Logs failures of the store. The next commit that changes the index triggers another attempt.
    Effect.catchDefect((thrown) =>
      failureOf(thrown) === undefined
        ? Effect.die(thrown)
        : Effect.logWarning("The search index could not be merged", thrown)
    ),
    Effect.forever
  )
