/**
 * Description of a type of blocks. `BlockTypes` has one for each type, and code that depends on the type reads it from
 * there.
 */
import type { RefUse } from "../markdown/RefUrl.ts"
import type { Fields } from "./Field.ts"

/**
 * Block types that may be in a block or fragment: the listed types, or `flow`, which is all types that are not parts of
 * other types.
 */
export interface BlockContent<Type extends string> {
  readonly blocks: "flow" | ReadonlyArray<Type>
  /** 1 if the block or fragment is removed when it contains no block. */
  readonly minBlocks?: 1
}

export interface BlockSpec<Type extends string = string> {
  /**
   * Kind of content.
   *
   * - `text`: words and inlines, merged word by word.
   * - `verbatim`: text that is merged as a whole, such as a line of code. Mixing words of two versions would break the
   *   program.
   * - `frame`: blocks. It has no own content, and is removed together with its last block.
   * - `container`: blocks and own content.
   * - `table`: cells, which are fragments that its data names.
   * - `void`: data, and fragments that describe it or that it displays.
   */
  readonly contentKind: "text" | "verbatim" | "frame" | "container" | "table" | "void"
  readonly fields: Fields
  /** Permitted child blocks of a frame or container. */
  readonly content?: BlockContent<Type>
  /** Possible fragments by name. A block has a fragment if it contains at least one block. */
  readonly fragments?: { readonly [name: string]: BlockContent<Type> }
  /** Level of a heading, 1 to 3. Absent for other blocks. */
  readonly level?: number
  /**
   * Source of the anchor of a block that is not a heading: a fragment, or data fields with a fallback text if these are
   * empty.
   */
  readonly anchor?:
    | { readonly fragment: string }
    | { readonly fields: ReadonlyArray<string>; readonly fallback?: string }
  /** Family of types between which an edit may change a block. The block then keeps its key. */
  readonly family?: "list" | "text"
  /** True if the content is not natural language and therefore not translated. Fields may still be translated. */
  readonly isUntranslated?: true
  /** True if the block may lack `data`. All other blocks have it, even if it is empty. */
  readonly isDataOptional?: true
  /** True if the block contains other blocks and is nevertheless marked as void. */
  readonly isVoid?: true
  /** True if the block is never empty. Without other content it contains an empty paragraph. */
  readonly requiresContent?: true
  /** True if an editor can split and join the block. */
  readonly isSplittable?: true
  /**
   * Evaluation of the block. `choice`: replaced by a part of its content; `include`: replaced by the target of its
   * reference.
   */
  readonly evaluation?: "choice" | "include"
  /**
   * True if the hosted service's vocabulary lacks the fragments. In responses they are in the field `written` (see
   * `WireDocument`).
   */
  readonly omitsFragmentsOnWire?: true
  /** True if the block has fragments only if they have content. Other block types with fragments always have a list. */
  readonly areFragmentsOptional?: true
  /** Data fields that exist only in responses (see `IntegrationBlocks`). */
  readonly wireOnlyFields?: ReadonlyArray<string>
  /** Type of the block in responses, if the hosted service's vocabulary lacks the block's type (see `WireDocument`). */
  readonly wireType?: "paragraph" | "code" | "blockquote"
  /**
   * Replacement of the block for visitors: `code` = a code block with the text; `nothing` = the block is removed.
   * Default: unchanged.
   */
  readonly visitorForm?: "code" | "nothing"
  /** Tag, or HTML element, of the block in Markdown. Fields are its attributes, in the order of the description. */
  readonly tag?: {
    readonly name: string
    readonly isElement?: true
    /**
     * Other names that the parser accepts. `attribute`: their name for the attribute with the reference, if it differs.
     */
    readonly aliases?: ReadonlyArray<{
      readonly name: string
      readonly attribute?: string
      /** True if a tag with this name has no end tag. */
      readonly isSelfClosing?: true
    }>
    /** Attribute with a reference to content, and the use of the reference. `spec`: an OpenAPI specification. */
    readonly ref?: { readonly attribute: string; readonly use: RefUse | "spec" }
    /** Field for the argument of the tag, such as a condition or a target. */
    readonly argument?: { readonly field: string; readonly use?: RefUse; readonly isOptional?: true }
    /** True if the parser creates data even if the tag has no attributes. */
    readonly alwaysHasData?: true
  }
}
