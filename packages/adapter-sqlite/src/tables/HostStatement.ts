/**
 * Checks SQL of the host, so that it reaches only the host's own tables. SQLite has an authorizer for this, but
 * better-sqlite3 does not provide it. `EXPLAIN` is the next best source: it returns the compiled program, which names
 * every table that the statement reads or writes, also through views, triggers and foreign keys.
 *
 * A statement starts with SELECT, VALUES, WITH, INSERT, REPLACE, UPDATE, DELETE, CREATE, DROP or ALTER. All others are
 * refused before SQLite sees them, since some pragmas take effect when they are compiled. After a change of the schema,
 * the objects of Lectern must be unchanged.
 *
 * Names that start with `lectern_`, `sqlite_`, `old_`, or one of the letters i, k, l, r, t and u with `_`, are reserved
 * for Lectern.
 */
import type Database from "better-sqlite3"
import type { Connection } from "../connections/Connection.ts"

/** Reason why a statement of the host is refused. */
export class StatementRefused extends Error {}

const firstWord =
  /^(?:[ \t\n\f\r]|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(select|values|with|insert|replace|update|delete|create|drop|alter)\b/i

/**
 * `EXPLAIN` names no pages of virtual tables. Statements of the host use some tables of SQLite indirectly. A read of
 * `pragma_optimize` writes statistics of all tables.
 */
const reservedText = /lectern_|sqlite_(?!schema\b|master\b|version\b)|pragma_optimize/i

const reservedName = (column: string) =>
  `${column} GLOB 'lectern_*' OR ${column} GLOB 'old_*' OR ${column} GLOB '[iklrtu]_*'`

const ownPages = `SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 AND (${reservedName("lower(tbl_name)")})`

/**
 * All objects that a statement of the host must not change: those with reserved names and on tables with such names,
 * foreign keys that refer to such tables, temporary objects, and virtual tables.
 */
const guardedObjects = `
  SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema
    WHERE ${reservedName("lower(name)")} OR ${reservedName("lower(tbl_name)")} OR (type = 'table' AND rootpage = 0)
  UNION ALL SELECT type, name, tbl_name, rootpage, sql FROM sqlite_temp_schema
  UNION ALL SELECT 'reference', s.name, f."table", 0, '' FROM sqlite_schema s JOIN pragma_foreign_key_list(s.name) f
    WHERE s.type = 'table' AND NOT (${reservedName("lower(s.name)")}) AND (${reservedName(`lower(f."table")`)})`

/** Row of `EXPLAIN`. */
interface Instruction {
  readonly opcode: string
  readonly p1: number
  readonly p2: number
  readonly p3: number
  readonly p5: number
}

/** Flag in `p5`: `p2` is a register and not a page. */
const pageInRegister = 16

/** Error action in `p2` of `Halt`: the whole transaction is rolled back. */
const rollsBack = 1

/** Returns the page of the table or index that an instruction uses. */
const pageOf = ({ opcode, p1, p2, p5 }: Instruction): number | undefined => {
  if (opcode === "OpenRead" || opcode === "OpenWrite" || opcode === "ReopenIdx")
    return (p5 & pageInRegister) === 0 ? p2 : undefined
  return opcode === "Clear" || opcode === "Destroy" ? p1 : undefined
}

type Explaining = Database.Database & { readonly explain: (sql: string) => ReadonlyArray<Instruction> }

/** Returns true if a statement changes the schema. Throws `StatementRefused` if it may not run. */
const check = (connection: Connection, sql: string): boolean => {
  const word = firstWord.exec(sql)?.[1]?.toLowerCase()
  if (word === undefined) {
    throw new StatementRefused("Expected a statement that reads or writes rows, or creates, alters or drops a table")
  }
  if (reservedText.test(sql))
    throw new StatementRefused("Names with lectern_ or sqlite_, and pragma_optimize, are reserved")
  const pages = new Set(connection.pluck(ownPages).all())
  for (const instruction of (connection.db as Explaining).explain(sql)) {
    if (pages.has(pageOf(instruction))) throw new StatementRefused("The statement uses a table of Lectern")
    if (instruction.opcode === "VCreate") throw new StatementRefused("Virtual tables are not supported")
    if (instruction.opcode === "Halt" && instruction.p1 !== 0 && instruction.p2 === rollsBack) {
      throw new StatementRefused("The statement would roll back the whole transaction on a conflict")
    }
  }
  return word === "create" || word === "drop" || word === "alter"
}

const maxStatements = 1_000

/** Checks statements on one connection, and caches the results until the schema changes. */
export class StatementChecks {
  private readonly connection: Connection
  private readonly checked = new Map<string, boolean>()
  private schemaVersion: unknown

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Returns true if a statement changes the schema. Throws `StatementRefused` if it may not run. */
  changesSchema(sql: string): boolean {
    const version = this.connection.pluck("PRAGMA schema_version").get()
    if (version !== this.schemaVersion || this.checked.size >= maxStatements) this.checked.clear()
    this.schemaVersion = version
    const cached = this.checked.get(sql)
    if (cached !== undefined) return cached
    const result = check(this.connection, sql)
    this.checked.set(sql, result)
    return result
  }

  /** Runs a change of the schema. Throws `StatementRefused` if it touches objects of Lectern. The caller rolls back. */
  guarded<A>(change: () => A): A {
    const objects = () => JSON.stringify(this.connection.raw(guardedObjects).all())
    const before = objects()
    const result = change()
    if (objects() === before) return result
    throw new StatementRefused(
      "The statement changes a table of Lectern, refers to one, uses a reserved name, or creates a temporary object"
    )
  }
}
