/**
 * How a table is laid out in SQLite: one table with a column for each queryable field and the row
 * itself as a JSON document, an index for each declared one, and a side table for each list.
 *
 * SQLite takes names without regard to case, so a capital letter is written as `_` and the small
 * one. The layout is recorded as a fingerprint; a table whose fingerprint is another one than that
 * of its descriptor is built anew from its documents. A derived field that comes to mean something
 * else must get another name: a function leaves no fingerprint.
 */
import type { Table } from "@lectern/core/storage/Table"

const physical = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export interface TableLayout {
  /** The physical name of the table, quoted. */
  readonly name: string
  readonly column: (field: string) => string
  readonly fieldOf: (column: string) => string
  readonly listTable: (field: string) => string
  readonly fingerprint: string
  /** Statements that create it. */
  readonly create: ReadonlyArray<string>
  /** Statements that take its indexes and side tables away, and put the table aside. */
  readonly putAside: (lists: ReadonlyArray<string>) => ReadonlyArray<string>
  /** The name of a table that was put aside, quoted. */
  readonly aside: string
}

export const layoutOf = (table: Table): TableLayout => {
  const base = physical(table.name)
  const name = `"t_${base}"`
  const aside = `"old_${base}"`
  const column = (field: string) => `"f_${physical(field)}"`
  const listTable = (field: string) => `"l_${base}.${physical(field)}"`
  const columns = (fields: ReadonlyArray<string>) => fields.map(column).join(", ")
  const fields: ReadonlyArray<string> = [...table.fields.keys()]
  const lists: ReadonlyArray<string> = [...table.lists.keys()]
  const byColumn = new Map(fields.map((field) => [`f_${physical(field)}`, field]))
  return {
    name,
    aside,
    column,
    fieldOf: (column) => byColumn.get(column) ?? column,
    listTable,
    fingerprint: JSON.stringify({ key: table.key, fields, lists, indexes: table.indexes, unique: table.unique }),
    create: [
      // The document comes last: what stands behind a long one is slow to reach.
      `CREATE TABLE ${name} (rid INTEGER PRIMARY KEY, ${columns(fields)}, doc TEXT NOT NULL)`,
      `CREATE UNIQUE INDEX "k_${base}" ON ${name} (${columns(table.key)})`,
      ...table.unique.map((unique, i) => `CREATE UNIQUE INDEX "u_${base}.${i}" ON ${name} (${columns(unique)})`),
      // With the key behind its fields an index gives the whole order of a page.
      ...table.indexes.map((index, i) => {
        const rest = table.key.filter((field) => !index.includes(field))
        return `CREATE INDEX "i_${base}.${i}" ON ${name} (${columns([...index, ...rest])})`
      }),
      ...lists.flatMap((field) => [
        `CREATE TABLE ${listTable(field)} (value TEXT NOT NULL, rid INTEGER NOT NULL REFERENCES ${name} (rid) ` +
          `ON DELETE CASCADE, PRIMARY KEY (value, rid)) WITHOUT ROWID`,
        `CREATE INDEX "r_${base}.${physical(field)}" ON ${listTable(field)} (rid)`
      ])
    ],
    putAside: (lists) => [
      ...lists.map((field) => `DROP TABLE ${listTable(field)}`),
      `ALTER TABLE ${name} RENAME TO ${aside}`
    ]
  }
}
