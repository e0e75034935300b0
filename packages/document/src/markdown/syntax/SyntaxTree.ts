/**
 * Syntax tree of Markdown: blocks and inlines. Each node has its range in the parsed text: `from` is the offset of its
 * first character, `to` is the offset after its last. The text between the children of a container is markup and blank
 * lines.
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
  /** Id from an attribute list below the heading. */
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
  /** True if blank lines separate the items. */
  readonly isLoose: boolean
  readonly children: Array<ListItem>
}
export interface ListItem extends TextRange {
  readonly type: "listItem"
  readonly checked: boolean | undefined
  /** True if blank lines separate the blocks. */
  readonly isLoose: boolean
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
  /** True if the HTML has no end marker and extends to the end of its container. */
  readonly isOpen?: boolean
}
/** A link definition: `[label]: url "title"`. */
export interface Definition extends TextRange {
  readonly type: "definition"
  /** Normalized label for comparison. */
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
/** A hint in the syntax of a dialect, or a block with a hint style in its attribute list. */
export interface Admonition extends TextRange {
  readonly type: "admonition"
  /** Style of the hint. */
  readonly style: string
  /** Character and length of the opening line's fence. Undefined if the hint ends without a closing line. */
  readonly fence?: { readonly code: number; readonly length: number } | undefined
  /** Initial state of an expandable hint. Default: not expandable. */
  readonly expandState?: "closed" | "open" | undefined
  /** Name of the hint in the source. An expandable hint without a title gets the name as its title. */
  readonly name?: string
  /** Source of the opening line, and of the closing line. `closingLine`: undefined if the hint has no closing line. */
  readonly openingLine: string
  readonly closingLine: string | undefined
  /** True if the first block is the title. */
  readonly hasTitle: boolean
  /** Block to use if the hint is not valid as a hint. Default: its lines as text. */
  readonly fallback?: Block
  readonly children: Array<Block>
}
/** A group of adjacent tabs. */
export interface Tabs extends TextRange {
  readonly type: "tabs"
  readonly children: Array<Tab>
}
/** A tab in the syntax of a dialect. */
export interface Tab extends TextRange {
  readonly type: "tab"
  readonly title: Paragraph
  /** Source of the first line. */
  readonly first: string
  readonly children: Array<Block>
}
/** Attributes of an attribute list that have an effect (see `AttributeList`). */
export interface Attributes {
  readonly id: string | undefined
  /** Style of a hint. `hasTitle`: true if the first paragraph of the hint is its title. */
  readonly style: string | undefined
  readonly hasTitle: boolean
  readonly width: string | undefined
  readonly height: string | undefined
  /** True if the list before it is a placeholder for a table of contents. */
  readonly isContents: boolean
}
/** An attribute list on its own line. Parsed texts contain no such nodes: they are applied to other blocks. */
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
/** Source of a `{% … %}` line. */
export interface TagNode extends TextRange {
  readonly type: "tag"
  readonly value: string
}
/** A formula block. */
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
  /** Code of the emoji, as in `Emoji`. */
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
