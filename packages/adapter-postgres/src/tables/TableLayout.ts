/**
 * Layout of a table in PostgreSQL: a column for each queryable field (see `Encoding`), an array for each list field, and
 * the row as the text of a JSON document, since `jsonb` does not preserve the order of keys.
 *
 * Names are quoted, and differ in case. The layout is recorded as a fingerprint, as on SQLite: a derived field that
 * changes its meaning must be renamed.
 */
import { createHash } from "node:crypto"
import type { Table } from "@lectern/core/storage/Table"

/** Maximum length of an entry of an index (bytes), without its header. */
const maxEntryLength = 2_600
/** Length of the separator and the hash of a long value, and of the header of a value (bytes). */
const longValueExtra = 56
const maxNameLength = 63

export interface TableLayout {
  /** Quoted name of the table, with its schema. */
  readonly name: string
  readonly column: (field: string) => string
  readonly listColumn: (field: string) => string
  /** Quoted columns of the key, of the fields, and of the lists, in the order of the descriptor. */
  readonly keyColumns: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly listColumns: ReadonlyArray<string>
  /** Length from which texts are long (bytes). */
  readonly limit: number
  readonly fingerprint: string
  /** Returns the statements that create the table under a name. */
  readonly create: (name: string) => ReadonlyArray<string>
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Returns the layout of a table in a schema, whose name is quoted. */
export const layoutOf = (schema: string, table: Table): TableLayout => {
  const tableName = `t_${table.name}`
  const name = `${schema}.${quoted(tableName)}`
  const column = (field: string) => quoted(`f_${field}`)
  const listColumn = (field: string) => quoted(`l_${field}`)
  const joined = (fields: ReadonlyArray<string>) => fields.map(column).join(", ")
  const fields: ReadonlyArray<string> = [...table.fields.keys()]
  const lists: ReadonlyArray<string> = [...table.lists.keys()]
  // The key follows the indexed fields, so that an index has the whole order of a page.
  const indexes = table.indexes.map((index) => [...index, ...table.key.filter((field) => !index.includes(field))])
  // The last row is that with the greatest last field of the key (see `Repository.append`).
  if (table.key.length > 1) indexes.push([table.key.at(-1)!])
  const widest = Math.max(
    table.key.length,
    ...indexes.map(({ length }) => length),
    ...table.unique.map(({ length }) => length)
  )
  const limit = Math.floor(maxEntryLength / widest) - longValueExtra
  const fingerprint = JSON.stringify({ key: table.key, fields, lists, indexes: table.indexes, unique: table.unique })
  const hash = createHash("sha256").update(fingerprint).digest("hex").slice(0, 8)
  // An outdated table exists until its rows are copied, so its indexes have other names.
  const indexName = (suffix: string) => {
    const end = `.${hash}.${suffix}`
    return quoted(`${tableName.slice(0, maxNameLength - end.length)}${end}`)
  }
  return {
    name,
    column,
    listColumn,
    keyColumns: table.key.map(column),
    columns: fields.map(column),
    listColumns: lists.map(listColumn),
    limit,
    fingerprint,
    create: (name) => [
      `CREATE TABLE ${name} (${[
        ...fields.map((field) => `${column(field)} text COLLATE "C" NOT NULL`),
        ...lists.map((field) => `${listColumn(field)} text[] COLLATE "C" NOT NULL`),
        "doc text NOT NULL"
      ].join(", ")})`,
      `CREATE UNIQUE INDEX ${indexName("k")} ON ${name} (${joined(table.key)})`,
      ...table.unique.map((unique, i) => `CREATE UNIQUE INDEX ${indexName(`u${i}`)} ON ${name} (${joined(unique)})`),
      ...indexes.map((index, i) => `CREATE INDEX ${indexName(`i${i}`)} ON ${name} (${joined(index)})`),
      ...lists.map((field, i) => `CREATE INDEX ${indexName(`l${i}`)} ON ${name} USING gin (${listColumn(field)})`)
    ]
  }
}
