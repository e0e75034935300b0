/** The blocks that a block stands in, as a person would name the place: in this tab, in that cell. */
import { Schema } from "effect"
import type { Block } from "../Document.ts"
import type { Place } from "../alignment/DocumentIndex.ts"
import { read, textOf } from "../table/TableContent.ts"

export const Around = Schema.Struct({
  key: Schema.String,
  type: Schema.String,
  /** Of a tab, say, or of code. */
  title: Schema.optionalKey(Schema.String),
  /** Of a table: the row and the column of the cell. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String)
})
export type Around = typeof Around.Type

interface Blocks {
  readonly place: (key: string) => Place | undefined
  readonly block: (key: string) => Block | undefined
}

/** A function that gives the blocks around one, outermost first. */
export const aroundIn = ({ block, place }: Blocks): ((key: string) => ReadonlyArray<Around>) => {
  const cells = new Map<string, ReturnType<typeof cellsOf>>()
  const cellOf = (table: Block, slot: string) => {
    const known = cells.get(table.key) ?? cellsOf(table)
    cells.set(table.key, known)
    return known.get(slot)
  }
  return (key) => {
    const found: Array<Around> = []
    for (let at = place(key); at?.parent !== undefined; at = place(at.parent)) {
      const outer = block(at.parent)
      if (outer === undefined) break
      const title = outer.data?.["title"]
      found.push({
        key: outer.key,
        type: outer.type,
        ...(typeof title === "string" && title !== "" && { title }),
        ...(outer.type === "table" && cellOf(outer, at.slot))
      })
    }
    return found.reverse()
  }
}

/** By slot, the row and the column that a table's cell is in. */
const cellsOf = (block: Block): ReadonlyMap<string, { readonly row: string; readonly column: string }> => {
  const table = read(block)
  return new Map(
    table?.rows.flatMap((row) =>
      Object.entries(row.values).map(([column, name]) => [`fragment:${textOf(name)}`, { row: row.id, column }] as const)
    )
  )
}
