/** Blocks that Markdown is written of, and the phrases in them. */
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
  /** Text that is written as it is. HTML goes on to the next blank line. */
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
  /** The number that an ordered list starts with. */
  readonly start: number | undefined
  /** Blank lines stand between its items. */
  readonly isLoose: boolean
  readonly items: ReadonlyArray<Item>
}

export interface Item {
  readonly checked: boolean | undefined
  /** Blank lines stand between its blocks. */
  readonly isLoose: boolean
  readonly blocks: ReadonlyArray<Block>
}

export interface Code {
  readonly type: "code"
  readonly language: string
  /** Text behind the language. */
  readonly info: string
  readonly value: string
}

/** `cells` of each row, that of the head first; a row may have fewer than the head. */
export interface Table {
  readonly type: "table"
  readonly align: ReadonlyArray<"left" | "center" | "right" | undefined>
  readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<Phrase>>>
}

/** A tag, and what stands before its end if it has one. */
export interface Tag {
  readonly type: "tag"
  readonly line: TagLine
  readonly blocks: ReadonlyArray<Block> | undefined
}
