/** Tables as they are shown. */
import { assert, describe, it } from "@effect/vitest"
import * as TableContent from "@lectern/document/table/TableContent"

const columns = Array.from({ length: 200 }, (_, i) => ({
  id: `c${i}`,
  definition: { type: "text", ...(i % 3 === 0 && { hidden: true }) }
}))
const table = { columns, rows: [], fragments: new Map() }

/** A list that counts how often it is looked into. */
const counted = (ids: ReadonlyArray<string>) => {
  let looks = 0
  const list = new Proxy([...ids], {
    get: (target, name, receiver) => {
      looks++
      return Reflect.get(target, name, receiver)
    }
  })
  return { list, looks: () => looks }
}

describe("the columns of a table that are shown", () => {
  it("are those that the view lists and that aren't hidden, in the table's order", () => {
    const shown = TableContent.visibleColumns(table, { columns: ["c4", "c3", "c1", "c1", "none", 7] })
    assert.deepStrictEqual(
      shown.map(({ id }) => id),
      ["c1", "c4"]
    )
  })

  it("are all where the view lists none", () => {
    assert.strictEqual(TableContent.visibleColumns(table, {}), columns)
    assert.strictEqual(TableContent.visibleColumns(table, { columns: [] }), columns)
  })

  it("are found without going through the list again for each", () => {
    const { list, looks } = counted(columns.map(({ id }) => id).toReversed())
    assert.lengthOf(TableContent.visibleColumns(table, { columns: list }), 133)
    assert.isAtMost(looks(), 10 * columns.length)
  })
})
