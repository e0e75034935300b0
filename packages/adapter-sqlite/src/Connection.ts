/** A connection with its prepared statements, the most recently used thousand of them. */
import type Database from "better-sqlite3"

const maxStatements = 1_000

/**
 * A limit that is given with the other values. SQLite looks at that of a bare parameter when it plans, and so it would
 * compile the statement anew each time that it is run, which takes as long as to run it.
 */
export const limited = "LIMIT +?"

/** Statements that read. */
export type Reader = Pick<Connection, "pluck" | "raw">

export class Connection {
  readonly db: Database.Database
  private readonly statements = new Map<string, Database.Statement<Array<unknown>>>()

  constructor(db: Database.Database) {
    this.db = db
  }

  /** A statement that answers its first column. */
  pluck(sql: string): Database.Statement<Array<unknown>> {
    return this.statements.get(sql) ?? this.keep(sql, this.db.prepare<Array<unknown>>(sql).pluck())
  }

  /** A statement that answers rows as arrays. */
  raw(sql: string): Database.Statement<Array<unknown>> {
    return this.statements.get(sql) ?? this.keep(sql, this.db.prepare<Array<unknown>>(sql).raw())
  }

  /** A statement that answers nothing. */
  run(sql: string, ...values: ReadonlyArray<unknown>): Database.RunResult {
    return (this.statements.get(sql) ?? this.keep(sql, this.db.prepare<Array<unknown>>(sql))).run(...values)
  }

  private keep(sql: string, statement: Database.Statement<Array<unknown>>) {
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
