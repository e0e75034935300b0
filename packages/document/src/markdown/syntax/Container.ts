/**
 * Open containers of blocks during parsing: the text itself, a blockquote, a list item, a footnote, a hint or a tab.
 */
import type { LineCursor } from "./LineCursor.ts"
import type * as Tree from "./SyntaxTree.ts"

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export type ContainerNode = Mutable<
  Tree.Root | Tree.Blockquote | Tree.ListItem | Tree.FootnoteDefinition | Tree.Admonition | Tree.Tab
>
export type OpenList = Mutable<Tree.List>
export type OpenTabs = Mutable<Tree.Tabs>

/**
 * True if the content of a node is indented below its first line, without a closing line: tabs and hints without a
 * fence.
 */
export const isIndentedContainer = (node: ContainerNode): boolean =>
  node.type === "tab" || (node.type === "admonition" && node.fence === undefined)

export class Container {
  readonly node: ContainerNode
  /** Number of columns by which the content is indented. */
  readonly indent: number
  /** List that contains the item, or group that contains the tab. Ends where this container ends. */
  readonly owner: OpenList | OpenTabs | undefined
  /**
   * List that may get further items, with the delimiter of its markers. Undefined unless the last block of the
   * container is a list.
   */
  list: { readonly node: OpenList; readonly delimiter: number } | undefined
  /** True if the blocks include attribute lines. */
  hasAttributes = false
  /** True if the container has no block yet. */
  isEmpty = true
  /** `lastLine`: number of the last line with content of the container. `end`: offset of the end of that line. */
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
   * True if the line at the cursor continues the container. Moves the cursor past the container's marker or
   * indentation.
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

/** Moves past the `>` of a blockquote and one optional space. */
export const skipQuoteMark = (cursor: LineCursor): void => {
  cursor.skipTo(1)
  if (cursor.indent > 0) cursor.skipColumns(1)
}
