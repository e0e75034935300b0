/** Blocks for serialization as Markdown. */
import type { TagLine } from "../TagLine.ts"
import type { Phrase } from "./Phrase.ts"
import type { Definition } from "./Resources.ts"

export type Block =
  | { readonly type: "paragraph"; readonly phrases: ReadonlyArray<Phrase> }
  | Heading
  | { readonly type: "thematicBreak" }
  | { readonly type: "blockquote"; readonly blocks: ReadonlyArray<Block> }
  | List
  | Code
  /** Text that is printed unchanged. When parsed, `html` extends to the next blank line. */
  | { readonly type: "html" | "verbatim"; readonly value: string }
  | { readonly type: "math"; readonly value: string }
  | ({ readonly type: "definition" } & Definition)
  | { readonly type: "footnoteDefinition"; readonly label: string; readonly blocks: ReadonlyArray<Block> }
  | Table
  | Tag

export interface Heading {
  readonly type: "heading"
  readonly depth: number
  readonly phrases: ReadonlyArray<Phrase>
}

export interface List {
  readonly type: "list"
  /** First number of an ordered list; undefined for other lists. */
  readonly start: number | undefined
  /** True if blank lines separate the items. */
  readonly isLoose: boolean
  readonly items: ReadonlyArray<Item>
}

export interface Item {
  readonly checked: boolean | undefined
  /** True if blank lines separate the blocks. */
  readonly isLoose: boolean
  readonly blocks: ReadonlyArray<Block>
}

export interface Code {
  readonly type: "code"
  readonly language: string
  /** Text after the language. */
  readonly info: string
  readonly value: string
}

/** A table. `rows`: cells of each row, first those of the header. A row may have fewer cells than the header. */
export interface Table {
  readonly type: "table"
  readonly align: ReadonlyArray<"left" | "center" | "right" | undefined>
  readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Phrase>>>
}

/** A tag. `blocks`: content before the end tag; undefined if the tag has no end tag. */
export interface Tag {
  readonly type: "tag"
  readonly line: TagLine
  readonly blocks: ReadonlyArray<Block> | undefined
}
