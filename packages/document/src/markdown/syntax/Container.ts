/** Containers that hold blocks while they are read: the text itself, a quote, an item of a list, a footnote, a hint, a tab. */
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export type ContainerNode = Mutable<
  Tree.Root | Tree.Blockquote | Tree.ListItem | Tree.FootnoteDefinition | Tree.Admonition | Tree.Tab
>
export type OpenList = Mutable<Tree.List>
export type OpenTabs = Mutable<Tree.Tabs>

/** Tells whether it is set in below a line of its own, and between no others. */
export const isSetIn = (node: ContainerNode): boolean =>
  node.type === "tab" || (node.type === "admonition" && node.colons === 0)

export class Container {
  readonly node: ContainerNode
  /** The columns that its lines begin with. */
  readonly indent: number
  /** The list that it is an item of, or the tabs that it is one of. */
  readonly owner: OpenList | OpenTabs | undefined
  /** The list that its last block is, to which more items may come, and what stands in their markers. */
  list: { readonly node: OpenList; readonly delimiter: number } | undefined
  /** Lists of attributes stand among its blocks. */
  hasAttributes = false
  /** Nothing stands in it yet. */
  isEmpty = true
  /** The number of the last line that has anything of it, and where that ends. */
  lastLine: number
  end: number

  constructor(node: ContainerNode, indent: number, { number, end }: LineCursor, owner?: OpenList | OpenTabs) {
    this.node = node
    this.indent = indent
    this.owner = owner
    this.lastLine = number
    this.end = end
  }

  /**
   * Tells whether the line at the cursor goes on with the container, and moves the cursor behind the container's
   * mark.
   */
  continuesAt(cursor: LineCursor): boolean {
    if (this.node.type === "blockquote") {
      if (cursor.indent > 3 || cursor.nextCode !== 62) return false
      skipQuoteMark(cursor)
      return true
    }
    if (cursor.isBlank) {
      if (this.node.type === "listItem" && this.isEmpty) return false
      cursor.skipColumns(Math.min(this.indent, cursor.indent))
      return true
    }
    if (cursor.indent < this.indent) return false
    cursor.skipColumns(this.indent)
    return true
  }

  close(): void {
    this.node.to = this.end
    if (this.owner !== undefined) this.owner.to = this.end
  }
}

/** The `>` and a space behind it. */
export const skipQuoteMark = (cursor: LineCursor): void => {
  cursor.skipTo(1)
  if (cursor.indent > 0) cursor.skipColumns(1)
}
