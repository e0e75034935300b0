/** Ancestor of a block, for a description of the block's position such as "in this tab" or "in that cell". */
import { Schema } from "effect"
import type { Block } from "../Document.ts"
import type { BlockPosition } from "../alignment/DocumentIndex.ts"
import { read, textOf } from "../table/TableContent.ts"

export const Around = Schema.Struct({
  key: Schema.String,
  type: Schema.String,
  /** Title of a tab or of code, for example. */
  title: Schema.optionalKey(Schema.String),
  /** Row and column of the cell, if the ancestor is a table. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String)
})
export type Around = typeof Around.Type

interface Blocks {
  readonly place: (key: string) => BlockPosition | undefined
  readonly block: (key: string) => Block | undefined
}

/** Returns a function that returns the ancestors of a block, outermost first. */
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

/** Returns the row and the column of a table's cells, by slot. */
const cellsOf = (block: Block): ReadonlyMap<string, { readonly row: string; readonly column: string }> => {
  const table = read(block)
  return new Map(
    table?.rows.flatMap((row) =>
      Object.entries(row.values).map(([column, name]) => [`fragment:${textOf(name)}`, { row: row.id, column }] as const)
    )
  )
}
