/** Lookups for the requests of the overlay, with one statement for all rows of a table that are requested by key. */
import { type FetchRequest, type FetchResult, uniqueRequest, type WrittenRow } from "@lectern/core/storage/Overlay"
import { rowTagOf } from "@lectern/core/storage/Reads"
import { indexed, matcher, selected } from "@lectern/core/storage/RowQuery"
import type { Table } from "@lectern/core/storage/Table"
import { type SearchLookup, searchQuery } from "./search/SearchQueries.ts"
import { Parameters } from "./tables/ConditionSql.ts"
import { countLookup, listLookup, type Lookup, rowOf, rowsLookup } from "./tables/RowQueries.ts"
import { byTable, replacedRows, takenSql } from "./tables/RowWrites.ts"
import type { Tables } from "./tables/Tables.ts"
import { allValuesLookup, type ValueTable, valuesLookup } from "./tables/ValueTable.ts"

type Values = Readonly<Record<string, unknown>>
type RowRequest = Extract<FetchRequest, { readonly type: "row" }>

/** Lookups, and the conversion of their results to results of requests, in the order of the requests. */
interface Plan {
  readonly lookups: ReadonlyArray<Lookup<unknown>>
  readonly read: (values: ReadonlyArray<unknown>) => ReadonlyArray<FetchResult>
}

export class Requests {
  readonly #tables: Tables
  readonly #schema: string
  readonly #values: ReadonlyMap<Table, ValueTable>

  /** `schema`: quoted name. */
  constructor(tables: Tables, schema: string, values: ReadonlyArray<ValueTable>) {
    this.#tables = tables
    this.#schema = schema
    this.#values = new Map(values.map((value) => [value.table, value]))
  }

  /** Returns the tables of rows that must exist. */
  tablesOf(requests: ReadonlyArray<FetchRequest>): ReadonlyArray<Table> {
    return requests.flatMap((request) =>
      request.type === "other" || this.#values.has(request.table) ? [] : [request.table]
    )
  }

  plan(requests: ReadonlyArray<FetchRequest>): Plan {
    const lookups: Array<Lookup<unknown>> = []
    const readers: Array<(values: ReadonlyArray<unknown>) => FetchResult> = []
    const add = <A>(lookup: Lookup<A>) => lookups.push(lookup) - 1
    const rowRequests = requests.filter((request): request is RowRequest => request.type === "row")
    const rowLookups = new Map(
      byTable(rowRequests).map(([table, group]) => [table.name, add(this.#rows(table, group))])
    )
    for (const request of requests) {
      if (request.type === "row") {
        const at = rowLookups.get(request.table.name)!
        const tag = rowTagOf(request.table, request.key)
        readers.push((values) => (values[at] as ReadonlyMap<string, object>).get(tag))
      } else if (request.type === "other") {
        const { read, statements } = searchQuery(this.#schema, request.payload as SearchLookup)
        const places = statements.map((statement) => add({ statement, read: (result) => result }))
        readers.push((values) => read(places.map((at) => values[at] as never)))
      } else {
        const at = add(this.#query(request))
        readers.push((values) => values[at])
      }
    }
    return { lookups, read: (values) => readers.map((read) => read(values)) }
  }

  #rows(table: Table, requests: ReadonlyArray<RowRequest>): Lookup<ReadonlyMap<string, object>> {
    const keys = requests.map(({ key }) => key)
    const values = this.#values.get(table)
    if (values === undefined) return rowsLookup(table, this.#tables.layout(table), keys)
    const { read, statement } = valuesLookup(
      values,
      keys.map(({ hash }) => hash as string)
    )
    return {
      statement,
      read: (result) =>
        new Map(
          [...(read(result) as ReadonlyMap<string, object>).values()].map((row) => [
            rowTagOf(table, row as Values),
            row
          ])
        )
    }
  }

  #query(request: Extract<FetchRequest, { readonly type: "list" | "count" }>): Lookup<unknown> {
    const { table } = request
    const values = this.#values.get(table)
    if (values === undefined) {
      const layout = this.#tables.layout(table)
      return request.type === "list"
        ? listLookup(table, layout, request.query)
        : countLookup(table, layout, request.where)
    }
    const query = request.type === "list" ? request.query : { where: request.where }
    const { read, statement } = allValuesLookup(values)
    return {
      statement,
      read: (result) => {
        const rows = (read(result) as ReadonlyArray<object>).map((row) => indexed(table, row))
        const listed = selected(table, rows.filter(matcher(table, query.where)), query).map(({ row }) => row)
        return request.type === "list" ? listed : listed.length
      }
    }
  }

  /** Returns lookups of the committed rows that take keys or unique combinations of new rows, as requests with results. */
  planTaken(
    newRows: ReadonlyArray<WrittenRow>,
    writtenRows: ReadonlyArray<WrittenRow>
  ): {
    readonly lookups: ReadonlyArray<Lookup<unknown>>
    readonly read: (values: ReadonlyArray<unknown>) => ReadonlyArray<readonly [FetchRequest, FetchResult]>
  } {
    const groups = byTable(newRows.filter(({ table }) => !this.#values.has(table)))
    const replaced = new Map(byTable(writtenRows).map(([table, writes]) => [table.name, replacedRows(writes)]))
    const lookups = groups.map(([table, writes]): Lookup<unknown> => {
      const parameters = new Parameters()
      const layout = this.#tables.layout(table)
      const taken = takenSql(table, layout, writes, replaced.get(table.name) ?? [], parameters)
      return {
        statement: { text: `SELECT doc FROM ${layout.name} WHERE ${taken}`, values: parameters.values },
        read: ({ rows }) => rows.map(([doc]) => rowOf(table, doc))
      }
    })
    const read = (values: ReadonlyArray<unknown>) =>
      groups.flatMap(([table, writes], i) => takenBy(table, writes, values[i] as ReadonlyArray<object>))
    return { lookups, read }
  }
}

/** Returns the requests that have one of the rows as result. */
const takenBy = (
  table: Table,
  newRows: ReadonlyArray<WrittenRow>,
  rows: ReadonlyArray<object>
): ReadonlyArray<readonly [FetchRequest, FetchResult]> => {
  const scalars = (row: object, fields: ReadonlyArray<string>) =>
    JSON.stringify(fields.map((field) => table.fields.get(field)!(row) ?? null))
  const requests: Array<readonly [FetchRequest, FetchResult]> = []
  for (const { before, after } of newRows) {
    if (after === undefined) continue
    for (const row of rows) {
      if (before === undefined && rowTagOf(table, row as Values) === rowTagOf(table, after as Values))
        requests.push([{ type: "row", table, key: after as Values }, row])
      for (const fields of table.unique) {
        if (scalars(row, fields) === scalars(after, fields)) requests.push([uniqueRequest(table, fields, after), [row]])
      }
    }
  }
  return requests
}
