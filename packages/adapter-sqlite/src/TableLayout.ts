/**
 * Layout of a table in SQLite: one table with a column for each queryable field and the row as a JSON document, an
 * index for each declared one, and a side table for each list field.
 *
 * SQLite compares names without case, so a capital letter is written as `_` and the lowercase letter. The layout is
 * recorded as a fingerprint. A table whose fingerprint differs from its descriptor's is rebuilt from the documents. A
 * derived field that changes its meaning must be renamed, since functions are not part of the fingerprint.
 */
import type { Table } from "@lectern/core/storage/Table"

const columnName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export interface TableLayout {
  /** Quoted name of the table in SQLite. */
  readonly name: string
  readonly column: (field: string) => string
  readonly fieldOf: (column: string) => string
  readonly listTable: (field: string) => string
  readonly fingerprint: string
  /** Statements that create the table with its indexes and side tables. */
  readonly create: ReadonlyArray<string>
  /** Statements that drop the side tables and rename the table to `aside`. */
  readonly setAside: (lists: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Quoted name of a table that was set aside. */
  readonly aside: string
}

export const layoutOf = (table: Table): TableLayout => {
  const base = columnName(table.name)
  const name = `"t_${base}"`
  const renamedTable = `"old_${base}"`
  const column = (field: string) => `"f_${columnName(field)}"`
  const listTable = (field: string) => `"l_${base}.${columnName(field)}"`
  const columns = (fields: ReadonlyArray<string>) => fields.map(column).join(", ")
  const fields: ReadonlyArray<string> = [...table.fields.keys()]
  const lists: ReadonlyArray<string> = [...table.lists.keys()]
  const byColumn = new Map(fields.map((field) => [`f_${columnName(field)}`, field]))
  return {
    name,
    aside: renamedTable,
    column,
    fieldOf: (column) => byColumn.get(column) ?? column,
    listTable,
    fingerprint: JSON.stringify({ key: table.key, fields, lists, indexes: table.indexes, unique: table.unique }),
    create: [
      // The document is the last column, since columns after a long one are slow to read.
      `CREATE TABLE ${name} (rid INTEGER PRIMARY KEY, ${columns(fields)}, doc TEXT NOT NULL)`,
      `CREATE UNIQUE INDEX "k_${base}" ON ${name} (${columns(table.key)})`,
      ...table.unique.map((unique, i) => `CREATE UNIQUE INDEX "u_${base}.${i}" ON ${name} (${columns(unique)})`),
      // The key follows the indexed fields, so that an index has the whole order of a page.
      ...table.indexes.map((index, i) => {
        const rest = table.key.filter((field) => !index.includes(field))
        return `CREATE INDEX "i_${base}.${i}" ON ${name} (${columns([...index, ...rest])})`
      }),
      ...lists.flatMap((field) => [
        `CREATE TABLE ${listTable(field)} (value TEXT NOT NULL, rid INTEGER NOT NULL REFERENCES ${name} (rid) ` +
          `ON DELETE CASCADE, PRIMARY KEY (value, rid)) WITHOUT ROWID`,
        `CREATE INDEX "r_${base}.${columnName(field)}" ON ${listTable(field)} (rid)`
      ])
    ],
    setAside: (lists) => [
      ...lists.map((field) => `DROP TABLE ${listTable(field)}`),
      `ALTER TABLE ${name} RENAME TO ${renamedTable}`
    ]
  }
}
