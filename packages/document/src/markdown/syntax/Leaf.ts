/** Blocks that hold text while their lines are read. */
import type { Content } from "./Content.ts"
import type { HtmlEnd } from "./HtmlBlock.ts"
import type { TableRow } from "./SyntaxTree.ts"
import type { Alignment } from "./SyntaxTree.ts"

export interface ParagraphLeaf {
  readonly kind: "paragraph"
  readonly content: Content
}
/** Lines that mean nothing but themselves. */
interface Lines {
  readonly from: number
  /** Offset at which the last of them ends. */
  to: number
  readonly lines: Array<string>
}
export interface FenceLeaf extends Lines {
  readonly kind: "fence"
  readonly marker: number
  readonly length: number
  readonly indent: number
  readonly info: string
}
export interface IndentedLeaf extends Lines {
  readonly kind: "indented"
}
export interface HtmlLeaf extends Lines {
  readonly kind: "html"
  readonly ending: HtmlEnd
}
export interface MathLeaf extends Lines {
  readonly kind: "math"
}
export interface TableLeaf {
  readonly kind: "table"
  readonly from: number
  to: number
  readonly align: ReadonlyArray<Alignment>
  readonly rows: Array<TableRow>
  /** The line of delimiters, which was looked at before, comes next. */
  awaitsDelimiters: boolean
}

export type Leaf = ParagraphLeaf | FenceLeaf | IndentedLeaf | HtmlLeaf | MathLeaf | TableLeaf
