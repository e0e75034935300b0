/**
 * Converts a Markdown table to columns and records (rows). The content of each cell is a fragment of the block (a named
 * list of blocks), and the record stores the name of the fragment. So cells keep text styles and links. A column has a
 * title, and also a fragment if the title has text styles or links. Rows may be shorter than the header and stay short.
 * Cells beyond the columns of the header are left out, as in GFM.
 */
import type { Block, Fragment } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import type { Reader } from "./BlocksFromMarkdown.ts"
import * as CellContent from "./CellContent.ts"
import * as CellFromMarkdown from "./CellFromMarkdown.ts"
import * as Inlines from "./InlinesFromMarkdown.ts"
import type { Inline as SyntaxInline, Table } from "./syntax/SyntaxTree.ts"

export const read = (node: Table, reader: Reader): Block => {
  const key = reader.nextKey()
  const fragments: Array<Fragment> = []
  const cell = (id: string, contents: ReadonlyArray<CellContent.CellContent>) => {
    const nodes = contents.map((content) => CellContent.block(content, reader))
    fragments.push({ object: "fragment", fragment: id, nodes })
    return id
  }
  const inlines = (children: ReadonlyArray<SyntaxInline>) =>
    Inlines.read(trim(children), reader.references, { isInCell: true })

  const [header, ...rows] = node.children
  const columns = node.align.map((_, i) => `c${i + 1}`)
  const definition: Record<string, unknown> = {}
  for (const [i, id] of columns.entries()) {
    const nodes = inlines(header?.children[i]?.children ?? [])
    const align = node.align[i]
    definition[id] = {
      id,
      title: DocumentText.inlinesText(nodes),
      type: "text",
      ...(align ? { textAlignment: align } : {}),
      ...(DocumentText.isPlain(nodes) ? {} : { titleFragment: cell(`header-${id}`, [{ type: "paragraph", nodes }]) })
    }
  }
  const records: Record<string, unknown> = {}
  for (const [i, row] of rows.entries()) {
    const id = `r${i + 1}`
    const values: Record<string, string> = {}
    for (const [j, column] of columns.slice(0, row.children.length).entries()) {
      const { children } = row.children[j]!
      values[column] = cell(`${id}-${column}`, CellFromMarkdown.read(inlines(children)))
    }
    records[id] = { orderIndex: String(i + 1).padStart(6, "0"), values }
  }
  return {
    object: "block",
    type: "table",
    key,
    data: { view: { type: "grid", columns, hideHeader: false }, records, definition },
    isVoid: true,
    fragments
  }
}

/** Removes white space at the edges of a cell, which is padding even if it was written as a character reference. */
const trim = (children: ReadonlyArray<SyntaxInline>): ReadonlyArray<SyntaxInline> => {
  const last = children.length - 1
  const [first, end] = [children[0], children[last]]
  const isPadded =
    (first?.type === "text" && /^[ \t]/.test(first.value)) || (end?.type === "text" && /[ \t]$/.test(end.value))
  if (!isPadded) return children
  return children.flatMap((node, i) => {
    if (node.type !== "text" || (i > 0 && i < last)) return [node]
    let { value } = node
    if (i === 0) value = value.replace(/^[ \t]+/, "")
    if (i === last) value = value.replace(/(?<![ \t])[ \t]+$/, "")
    return value === "" ? [] : [{ ...node, value }]
  })
}
