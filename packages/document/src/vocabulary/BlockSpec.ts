/**
 * Description of a type of blocks. `BlockTypes` has one for each type, and whatever depends on the type is
 * read from it.
 */
import type { RefUse } from "../markdown/RefUrl.ts"
import type { Fields } from "./Field.ts"

/** The blocks that may stand somewhere: those of these types, or `flow`, all that stand by themselves. */
export interface Contents<Type extends string> {
  readonly blocks: "flow" | ReadonlyArray<Type>
  /** Without one there is no such block, or no such fragment. */
  readonly atLeast?: 1
}

export interface BlockSpec<Type extends string = string> {
  /**
   * Kind of content.
   *
   * - `text`: words and inlines, merged word by word.
   * - `verbatim`: text that is one unit. Words of two programs don't make a third.
   * - `frame`: blocks. It says nothing without them, and goes where all of them go.
   * - `container`: blocks, and something that it says without them.
   * - `table`: cells, which are fragments that its data names.
   * - `void`: data, and fragments that describe it or that it shows.
   */
  readonly is: "text" | "verbatim" | "frame" | "container" | "table" | "void"
  readonly fields: Fields
  /** The blocks in a frame or container. */
  readonly contents?: Contents<Type>
  /** Fragments by name: those that a block may have, and has if they hold at least one block. */
  readonly fragments?: { readonly [name: string]: Contents<Type> }
  /** Level of a heading, 1 to 3. */
  readonly level?: number
  /**
   * Source of the anchor of a block that is no heading: a fragment, or data fields and the text to use if these are
   * empty.
   */
  readonly anchor?:
    | { readonly fragment: string }
    | { readonly fields: ReadonlyArray<string>; readonly otherwise?: string }
  /** A block may become another of its family and still be that block. */
  readonly family?: "list" | "text"
  /** Leaves the content untranslated, since it is nobody's language: the fields alone may be translated. */
  readonly isUntranslated?: true
  /** True of blocks that may say nothing but what is in them. All others have data, though it may be empty. */
  readonly mayLackData?: true
  /** True of blocks around others that are marked as void all the same. */
  readonly isVoid?: true
  /** True of blocks that are never empty: where they hold nothing else, they hold an empty paragraph. */
  readonly isFilled?: true
  /** True of blocks that an editor cuts in two, and joins. */
  readonly isCut?: true
  /** Evaluation of the block: it gives way to a part of its content, or to what it refers to. */
  readonly evaluates?: "choice" | "include"
  /** Fragments that the hosted service's vocabulary lacks: they are answered beside the block (see `Answered`). */
  readonly hasFragmentsBeside?: true
  /**
   * True if the block has fragments only when they hold content. Other block types with fragments always have a list.
   */
  readonly mayLackFragments?: true
  /** Fields of the data that answers alone have (see `BlockOverlay`). */
  readonly answers?: ReadonlyArray<string>
  /** The type that a block is answered as, where the hosted service's vocabulary lacks its own (see `Answered`). */
  readonly nearest?: "paragraph" | "code" | "blockquote"
  /** Form of the block for visitors. */
  readonly visitors?: "code" | "nothing"
  /** The tag, or the HTML element, by which Markdown says it. Fields are its attributes, in their order. */
  readonly tag?: {
    readonly name: string
    readonly isElement?: true
    /** Other names that are read for it: with the attribute that refers to content, where that is another too. */
    readonly aliases?: ReadonlyArray<{
      readonly name: string
      readonly attribute?: string
      /** True where a tag of that name has no end. */
      readonly isAlone?: true
    }>
    /** The attribute that refers to content, and the use of that reference; `spec` names a specification. */
    readonly ref?: { readonly attribute: string; readonly use: RefUse | "spec" }
    /** The field that holds the argument of the tag: its condition, its target. */
    readonly argument?: { readonly field: string; readonly use?: RefUse; readonly isOptional?: true }
    /** True where a block has data even if the tag says nothing. */
    readonly hasData?: true
  }
}
