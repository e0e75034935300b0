/**
 * Reads of the committed state: one message for all lookups, in one transaction with one snapshot. It also returns the
 * commits since the last known one.
 */
import type { LearnedCommit } from "@lectern/core/storage/Overlay"
import { learnedCommits } from "./commits/ChangeTags.ts"
import type { Connections } from "./connections/Connections.ts"
import { type Lookup, LookupAgain } from "./tables/RowQueries.ts"

export interface Snapshot {
  /** Last commit of the snapshot. */
  readonly generation: number
  readonly commits: ReadonlyArray<LearnedCommit>
  /** Results of the lookups, in order. */
  readonly values: ReadonlyArray<unknown>
}

/** Takes a snapshot. `schema`: quoted name. `known`: last commit that the process knows of. */
export const takeSnapshot = async (
  connections: Connections,
  schema: string,
  known: number,
  lookups: ReadonlyArray<Lookup<unknown>>
): Promise<Snapshot> => {
  const [, state, changes, ...results] = await connections.read([
    { text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" },
    { text: `SELECT seq, floor FROM ${schema}.lectern_store` },
    { text: `SELECT seq, tags FROM ${schema}.lectern_change WHERE seq > $1 ORDER BY seq`, values: [known] },
    ...lookups.map(({ statement }) => statement),
    { text: "COMMIT" }
  ])
  const values = lookups.map(({ read }, i) => read(results[i]!))
  if (values.some((value) => value instanceof LookupAgain)) {
    const next = lookups.map((lookup, i) => {
      const value = values[i]
      return value instanceof LookupAgain ? value.lookup : lookup
    })
    return takeSnapshot(connections, schema, known, next)
  }
  const [seq, floor] = state!.rows[0] as unknown as readonly [number, number]
  return { generation: seq, commits: learnedCommits(known, [seq, floor], changes!), values }
}
