/**
 * Puts the parts of the full-text table together while nobody writes. Each commit adds a part and puts some small
 * ones together (see `applySearchChanges`), which leaves 7 to 11 of them, and a search for a rare word looks into each:
 * that takes three times as long as in one.
 *
 * After a commit that changed the index it waits until a second has passed without one. Then it goes in steps, each a
 * transaction of its own of some 2 ms with a pause behind it, so that the process is held for a tenth of the time. It
 * waits for another second without commits whenever somebody writes meanwhile, and ends when nothing is left.
 *
 * To put all together writes the index anew, so it is done where there are more than two parts, and what is beside the
 * largest comes to a sixteenth of it at least. So it writes no more than 17 pages for each that commits have added,
 * however small and frequent they are.
 *
 * Nothing that it writes changes an answer: it is no commit for those who keep what they have read, and waits for no
 * disk. Other processes see one, as they do of every write.
 *
 * Limit: a step passes over what was removed without writing anything, 5 µs for a page, so it takes 50 ms where a space
 * of 10,000 pages was removed.
 */
import { idleWait } from "@lectern/core/moment/IdleWait"
import { Effect } from "effect"
import type { SqliteDatabase } from "./SqliteDatabase.ts"
import { failureOf } from "./SqliteFailure.ts"

const quiet = "1 second"
const pause = "20 millis"

/** How much a step writes (pages of the full-text table of 4 KB). */
const pages = 8
const fewParts = 2
/** Share of the largest part that the others come to, where it is worth it to write them anew. */
const share = 1 / 16

/** The sizes of the parts (pages). */
const partsSql = "SELECT count(*) FROM lectern_search_idx GROUP BY segid"
/** A negative number begins to put all together, a positive one goes on with what was begun. */
const mergeSql = "INSERT INTO lectern_search (lectern_search, rank) VALUES ('merge', ?)"
/** By fewer than so many changes FTS5 tells that there was nothing to do. */
const leastChanges = 2

/** Decides by the sizes of the parts. */
export const isWorthMerging = (parts: ReadonlyArray<number>): boolean => {
  const largest = Math.max(...parts)
  const others = parts.reduce((sum, size) => sum + size, 0) - largest
  return parts.length > fewParts && others >= largest * share
}

/** Waits until nobody has committed for a while. */
const untilQuiet = Effect.fnUntraced(function* (database: SqliteDatabase) {
  for (let before: number | undefined; before !== database.commitCount; yield* idleWait(quiet)) {
    before = database.commitCount
  }
})

const mergeParts = Effect.fnUntraced(function* (database: SqliteDatabase) {
  const { reader, writer } = database
  if (!isWorthMerging(reader.pluck(partsSql).all() as ReadonlyArray<number>)) return
  let next = -pages
  for (let before = database.commitCount; ; before = database.commitCount) {
    const changes = database.writeOutsideQueue(() => writer.run(mergeSql, next))
    if (changes !== undefined) {
      if (changes < leastChanges) return
      next = pages
      yield* idleWait(pause)
    }
    if (changes === undefined || before !== database.commitCount) yield* untilQuiet(database)
  }
})

/** Runs until it is interrupted. */
export const mergeWhileIdle = (database: SqliteDatabase): Effect.Effect<never> =>
  database.searchChanged.await.pipe(
    Effect.andThen(untilQuiet(database)),
    Effect.andThen(database.searchChanged.close),
    Effect.andThen(mergeParts(database)),
    // Whoever writes is told. The next commit that changes the index is the next reason to try.
    Effect.catchDefect((thrown) =>
      failureOf(thrown) === undefined
        ? Effect.die(thrown)
        : Effect.logWarning("The search index could not be merged", thrown)
    ),
    Effect.forever
  )
