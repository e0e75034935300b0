/**
 * The tree that Markdown is read as: blocks, and the text in them. Each node says where it stands in
 * the text that was parsed, from its first character to behind its last; what stands between the
 * nodes of a container is markup and blank lines.
 */
export interface TextRange {
  readonly from: number
  readonly to: number
}

export interface Root extends TextRange {
  readonly type: "root"
  readonly children: Array<Block>
}
export interface Paragraph extends TextRange {
  readonly type: "paragraph"
  children: ReadonlyArray<Inline>
}
export interface Heading extends TextRange {
  readonly type: "heading"
  to: number
  readonly depth: 1 | 2 | 3 | 4 | 5 | 6
  /** As a list of attributes below it says it. */
  id?: string
  children: ReadonlyArray<Inline>
}
export interface ThematicBreak extends TextRange {
  readonly type: "thematicBreak"
}
export interface Blockquote extends TextRange {
  readonly type: "blockquote"
  readonly children: Array<Block>
}
export interface List extends TextRange {
  readonly type: "list"
  readonly ordered: boolean
  readonly start: number | undefined
  /** Blank lines stand between its items. */
  readonly spread: boolean
  readonly children: Array<ListItem>
}
export interface ListItem extends TextRange {
  readonly type: "listItem"
  readonly checked: boolean | undefined
  /** Blank lines stand between its blocks. */
  readonly spread: boolean
  readonly children: Array<Block>
}
export interface Code extends TextRange {
  readonly type: "code"
  readonly lang?: string
  readonly meta?: string
  readonly value: string
}
export interface Html extends TextRange {
  readonly type: "html"
  readonly value: string
  /** It has no end but that of what it stands in. */
  readonly isOpen?: boolean
}
/** `[label]: url "title"` */
export interface Definition extends TextRange {
  readonly type: "definition"
  /** The label as labels are compared. */
  readonly identifier: string
  readonly label: string
  readonly url: string
  readonly title?: string
}
export interface FootnoteDefinition extends TextRange {
  readonly type: "footnoteDefinition"
  readonly identifier: string
  readonly label: string
  readonly children: Array<Block>
}
/** A hint between `:::note` and `:::`, below `!!! note`, or a block that attributes make one of. */
export interface Admonition extends TextRange {
  readonly type: "admonition"
  /** Of the hint. */
  readonly style: string
  /** 0 where it is not between colons. */
  readonly colons: number
  /** One that is folded is expandable. Default: it is not. */
  readonly fold?: "closed" | "open" | undefined
  /** As it is written, where that is its title. */
  readonly name?: string
  /** Its first line as it is written, and its last; undefined where it has no end. */
  readonly first: string
  readonly last: string | undefined
  /** The first of its blocks is its title. */
  readonly hasTitle: boolean
  /** The block that it is where it can't be a hint; without one it is its lines. */
  readonly otherwise?: Block
  readonly children: Array<Block>
}
/** Tabs that follow one another. */
export interface Tabs extends TextRange {
  readonly type: "tabs"
  readonly children: Array<Tab>
}
/** A tab below `=== "Title"`. */
export interface Tab extends TextRange {
  readonly type: "tab"
  readonly title: Paragraph
  /** Its first line as it is written. */
  readonly first: string
  readonly children: Array<Block>
}
/** The attributes of something that mean anything here (see `AttributeList`). */
export interface Attributes {
  readonly id: string | undefined
  /** The style of a hint; its first paragraph may be its title. */
  readonly style: string | undefined
  readonly hasTitle: boolean
  readonly width: string | undefined
  readonly height: string | undefined
  /** The list before it is a place for a table of contents. */
  readonly isContents: boolean
}
/** Such a list on a line of its own. A text that was read has none: blocks are what they make of them. */
export interface AttributeLine extends TextRange {
  readonly type: "attributes"
  readonly attributes: Attributes
}
export type Alignment = "left" | "right" | "center" | undefined
export interface Table extends TextRange {
  readonly type: "table"
  readonly align: ReadonlyArray<Alignment>
  readonly children: Array<TableRow>
}
export interface TableRow extends TextRange {
  readonly type: "tableRow"
  readonly children: ReadonlyArray<TableCell>
}
export interface TableCell extends TextRange {
  readonly type: "tableCell"
  children: ReadonlyArray<Inline>
}
/** A `{% … %}` line as it is written. */
export interface TagNode extends TextRange {
  readonly type: "tag"
  readonly value: string
}
/** A formula on lines of its own. */
export interface MathNode extends TextRange {
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
  | Admonition
  | Tabs
  | AttributeLine
  | Table
  | TagNode
  | MathNode

export interface Text extends TextRange {
  readonly type: "text"
  readonly value: string
}
export interface Emphasis extends TextRange {
  readonly type: "emphasis" | "strong" | "delete"
  readonly children: ReadonlyArray<Inline>
}
export interface InlineCode extends TextRange {
  readonly type: "inlineCode"
  readonly value: string
}
export interface Break extends TextRange {
  readonly type: "break"
}
export interface Link extends TextRange {
  readonly type: "link"
  readonly url: string
  readonly title?: string
  readonly children: ReadonlyArray<Inline>
}
export interface LinkReference extends TextRange {
  readonly type: "linkReference"
  readonly identifier: string
  readonly label: string
  readonly children: ReadonlyArray<Inline>
}
export interface Image extends TextRange {
  readonly type: "image"
  readonly url: string
  readonly title?: string
  readonly alt: string
  readonly attributes?: Attributes
}
export interface ImageReference extends TextRange {
  readonly type: "imageReference"
  readonly identifier: string
  readonly label: string
  readonly alt: string
  readonly attributes?: Attributes
}
export interface FootnoteReference extends TextRange {
  readonly type: "footnoteReference"
  readonly identifier: string
  readonly label: string
}
export interface Emoji extends TextRange {
  readonly type: "emoji"
  /** The code of it, as `Emoji` has it. */
  readonly value: string
  readonly name: string
}
export interface InlineMath extends TextRange {
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

export type Node = Root | Block | ListItem | Tab | TableRow | TableCell | Inline
