/** Connection with a cache of 1,000 prepared statements. */
import type Database from "better-sqlite3"

const maxStatements = 1_000

/**
 * Limit as an expression. For a bare parameter, SQLite's planner uses the value and recompiles the statement on each
 * run, which takes as long as the run.
 */
export const limitClause = "LIMIT +?"

/** Connection for reads. */
export type Reader = Pick<Connection, "pluck" | "raw">

export class Connection {
  readonly db: Database.Database
  private readonly statements = new Map<string, Database.Statement<Array<unknown>>>()

  constructor(db: Database.Database) {
    this.db = db
  }

  /** Returns a statement that returns its first column. */
  pluck(sql: string): Database.Statement<Array<unknown>> {
    return this.statements.get(sql) ?? this.cache(sql, this.db.prepare<Array<unknown>>(sql).pluck())
  }

  /** Returns a statement that returns rows as arrays. */
  raw(sql: string): Database.Statement<Array<unknown>> {
    return this.statements.get(sql) ?? this.cache(sql, this.db.prepare<Array<unknown>>(sql).raw())
  }

  /**
   * Returns a statement of the host, which returns rows as objects. The cache key has a prefix, since `pluck` and `raw`
   * cache the same text in another mode.
   */
  hostStatement(sql: string): Database.Statement<Array<unknown>> {
    const key = `host ${sql}`
    return this.statements.get(key) ?? this.cache(key, this.db.prepare<Array<unknown>>(sql))
  }

  /** Runs a statement without results. */
  run(sql: string, ...values: ReadonlyArray<unknown>): Database.RunResult {
    return (this.statements.get(sql) ?? this.cache(sql, this.db.prepare<Array<unknown>>(sql))).run(...values)
  }

  /** Rolls back the writes of an operation that throws. */
  atomically<A>(run: () => A): A {
    this.run("SAVEPOINT operation")
    try {
      const result = run()
      this.run("RELEASE operation")
      return result
    } catch (thrown) {
      // Some errors roll back the whole transaction, so there is no savepoint left.
      if (this.db.inTransaction) {
        this.run("ROLLBACK TO operation")
        this.run("RELEASE operation")
      }
      throw thrown
    }
  }

  private cache(sql: string, statement: Database.Statement<Array<unknown>>) {
    this.statements.set(sql, statement)
    if (this.statements.size > maxStatements) {
      for (const oldest of this.statements.keys()) {
        this.statements.delete(oldest)
        break
      }
    }
    return statement
  }
}
