/** Tables with names generated at run time, which no adapter can know. */
import { Storage } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import { Effect, Schema } from "effect"

let tableCount = 0

/** Returns a new table name. */
export const inventName = () => `Made${(tableCount++).toString(36)}x${Math.floor(Math.random() * 1e9).toString(36)}`

export const Item = Schema.Struct({
  id: Schema.String,
  group: Schema.optionalKey(Schema.NullOr(Schema.String)),
  text: Schema.optionalKey(Schema.NullOr(Schema.String)),
  number: Schema.optionalKey(Schema.NullOr(Schema.Number)),
  flag: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  slug: Schema.optionalKey(Schema.NullOr(Schema.String)),
  tags: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Any JSON. Not queryable. */
  body: Schema.optionalKey(Schema.Json)
})
export type Item = typeof Item.Type

/** Creates a table of items without unique fields. */
export const inventTable = (name = inventName()) =>
  Table.make(name, Item, {
    key: ["id"],
    derived: { size: (row: Item) => row.text?.length ?? null },
    lists: { tags: (row: Item) => row.tags ?? [] },
    indexes: [["group", "text"], ["number"], ["flag"], ["group", "number"], ["text"], ["slug"], ["size"]]
  })
export type ItemTable = ReturnType<typeof inventTable>

/** Creates a table of items with unique (group, slug) and unique number. */
export const inventUniqueTable = (name = inventName()) =>
  Table.make(name, Item, {
    key: ["id"],
    indexes: [["group"]],
    unique: [["group", "slug"], ["number"]]
  })

/** Creates a new table of items and its repository. */
export const items = Effect.map(Storage, (storage) => {
  const table = inventTable()
  return { table, repository: storage.repository(table), storage }
})

export const uniqueItems = Effect.map(Storage, (storage) => {
  const table = inventUniqueTable()
  return { table, repository: storage.repository(table), storage }
})

export const ids = (rows: ReadonlyArray<Item>) => rows.map(({ id }) => id)
