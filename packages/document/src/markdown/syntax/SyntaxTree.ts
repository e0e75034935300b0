/**
 * The tree that Markdown is read as: blocks, and the text in them. Each node says where it stands in
 * the text that was parsed, from its first character to behind its last; what stands between the
 * nodes of a container is markup and blank lines.
 */
export interface Place {
  readonly from: number
  readonly to: number
}

export interface Root extends Place {
  readonly type: "root"
  readonly children: Array<Block>
}
export interface Paragraph extends Place {
  readonly type: "paragraph"
  children: ReadonlyArray<Inline>
}
export interface Heading extends Place {
  readonly type: "heading"
  readonly depth: 1 | 2 | 3 | 4 | 5 | 6
  children: ReadonlyArray<Inline>
}
export interface ThematicBreak extends Place {
  readonly type: "thematicBreak"
}
export interface Blockquote extends Place {
  readonly type: "blockquote"
  readonly children: Array<Block>
}
export interface List extends Place {
  readonly type: "list"
  readonly ordered: boolean
  readonly start: number | undefined
  /** Blank lines stand between its items. */
  readonly spread: boolean
  readonly children: Array<ListItem>
}
export interface ListItem extends Place {
  readonly type: "listItem"
  readonly checked: boolean | undefined
  /** Blank lines stand between its blocks. */
  readonly spread: boolean
  readonly children: Array<Block>
}
export interface Code extends Place {
  readonly type: "code"
  readonly lang?: string
  readonly meta?: string
  readonly value: string
}
export interface Html extends Place {
  readonly type: "html"
  readonly value: string
}
/** `[label]: url "title"` */
export interface Definition extends Place {
  readonly type: "definition"
  /** The label as labels are compared. */
  readonly identifier: string
  readonly label: string
  readonly url: string
  readonly title?: string
}
export interface FootnoteDefinition extends Place {
  readonly type: "footnoteDefinition"
  readonly identifier: string
  readonly label: string
  readonly children: Array<Block>
}
export type Alignment = "left" | "right" | "center" | undefined
export interface Table extends Place {
  readonly type: "table"
  readonly align: ReadonlyArray<Alignment>
  readonly children: Array<TableRow>
}
export interface TableRow extends Place {
  readonly type: "tableRow"
  readonly children: ReadonlyArray<TableCell>
}
export interface TableCell extends Place {
  readonly type: "tableCell"
  children: ReadonlyArray<Inline>
}
/** A `{% … %}` line as it is written. */
export interface TagNode extends Place {
  readonly type: "tag"
  readonly value: string
}
/** A formula on lines of its own. */
export interface MathNode extends Place {
  readonly type: "math"
  readonly value: string
}

export type Block =
  | Paragraph
  | Heading
  | ThematicBreak
  | Blockquote
  | List
  | Code
  | Html
  | Definition
  | FootnoteDefinition
  | Table
  | TagNode
  | MathNode

export interface Text extends Place {
  readonly type: "text"
  readonly value: string
}
export interface Emphasis extends Place {
  readonly type: "emphasis" | "strong" | "delete"
  readonly children: ReadonlyArray<Inline>
}
export interface InlineCode extends Place {
  readonly type: "inlineCode"
  readonly value: string
}
export interface Break extends Place {
  readonly type: "break"
}
export interface Link extends Place {
  readonly type: "link"
  readonly url: string
  readonly title?: string
  readonly children: ReadonlyArray<Inline>
}
export interface LinkReference extends Place {
  readonly type: "linkReference"
  readonly identifier: string
  readonly label: string
  readonly children: ReadonlyArray<Inline>
}
export interface Image extends Place {
  readonly type: "image"
  readonly url: string
  readonly title?: string
  readonly alt: string
}
export interface ImageReference extends Place {
  readonly type: "imageReference"
  readonly identifier: string
  readonly label: string
  readonly alt: string
}
export interface FootnoteReference extends Place {
  readonly type: "footnoteReference"
  readonly identifier: string
  readonly label: string
}
export interface Emoji extends Place {
  readonly type: "emoji"
  /** The code of it, as `Emoji` has it. */
  readonly value: string
  readonly name: string
}
export interface InlineMath extends Place {
  readonly type: "inlineMath"
  readonly value: string
}

export type Inline =
  | Text
  | Emphasis
  | InlineCode
  | Break
  | Html
  | Link
  | LinkReference
  | Image
  | ImageReference
  | FootnoteReference
  | Emoji
  | InlineMath

export type Node = Root | Block | ListItem | TableRow | TableCell | Inline
