/**
 * A dialect: the Markdown syntax of one program, in addition to CommonMark and GFM. Each text is parsed with the syntax
 * of all dialects in `Dialects`. The parser, the printer and imports read that list and contain no code for a specific
 * dialect.
 */
import type { TagLine } from "../TagLine.ts"
import type { Tag } from "../Tags.ts"
import type { LineCursor } from "../syntax/LineCursor.ts"
import type * as Tree from "../syntax/SyntaxTree.ts"

export interface Dialect {
  /** Names of the program, in lower case. A test rejects these names in the files of the parser and the printer. */
  readonly names: ReadonlyArray<string>
  readonly containers?: ReadonlyArray<ContainerSyntax>
  readonly tags?: ReadonlyArray<TagSyntax>
  readonly inlines?: ReadonlyArray<InlineSyntax>
  /** Hint styles by the name in a blockquote that starts with `[!name]`, in lower case. */
  readonly quoteStyles?: ReadonlyMap<string, string>
  readonly attributeLists?: AttributeListSyntax
  /** Components, shortcodes and directives by name, which are converted when a file is read (see `elements/Conversion`). */
  readonly components?: ReadonlyMap<string, ElementForm>
  readonly shortcodes?: ReadonlyMap<string, ElementForm>
  /** Elements between a line of colons with a name, and a line of colons: `::: name`. */
  readonly directives?: ReadonlyMap<string, ElementForm>
  /** True if the program has links in double brackets: `[[page]]`. */
  readonly hasWikilinks?: boolean
  /** Sources of patterns for braces after a heading, which are not text. The first matching group is the heading's id. */
  readonly headingBraces?: ReadonlyArray<string>
  /** Front matter keys for the position, title and visibility of a page in the navigation. */
  readonly frontMatter?: {
    readonly position?: string
    /** Key of a position for which 0 means none. */
    readonly weight?: string
    /** Key of the title in the navigation. */
    readonly label?: string
    /** Key of a boolean that hides the page in the navigation. */
    readonly hidden?: string
    /** Key of a boolean that states that the page is a draft, which is hidden in the navigation too. */
    readonly draft?: string
    /** Key of a mapping with the keys `order`, `label` and `hidden`. */
    readonly mapping?: string
  }
}

/** A hint or a tab, whose first line states its type and title. */
export interface ContainerSyntax {
  /** Characters that can start the first line. */
  readonly starts: string
  /**
   * Number of columns by which the content is indented. 0: the content ends at a closing line, which has at least as
   * many of the starting character as the first line (see `HintStart.fenceLength`).
   */
  readonly indent: number
  /** Returns the block that starts at the cursor; undefined if the line is not in this syntax. */
  readonly startAt: (cursor: LineCursor) => HintStart | TabStart | undefined
  /** Sticky pattern for printed text that could start such a block. Default: such text is escaped anyway. */
  readonly opening?: RegExp
  /** Matches the first line of a hint up to its title. Default: an edited hint is printed as a tag. */
  readonly titledHead?: RegExp
  /** First line of a tab. Default: an edited tab is printed as a tag. */
  readonly tabLine?: {
    /** Sticky pattern for the characters before the title. */
    readonly marker: RegExp
    /** Marker of an added tab. */
    readonly newMarker: string
    readonly print: (marker: string, title: string) => string
  }
}

/** Form of an element in Lectern. An element with invalid content is replaced by its content. */
export interface ElementForm {
  readonly kind: ElementKind
  /** Style of a hint. Default: the style that its attributes name. */
  readonly style?: string
  /** URL of an embed, up to the id that the element states. */
  readonly url?: string
}

/**
 * - `hint`, `tabs`, `tab`, `steps`, `step`, `columns`, `column`, `details`, `cards`, `card`: the blocks of these names.
 * - `codes`: code blocks, each of which becomes a tab. `code`: the code block in the element, with its title.
 * - `frame`: a picture with a caption. `image`: a picture.
 * - `field`: a name with its type, followed by its description.
 * - `link`: a link. `embed`: a page of another website.
 * - `update`: an entry of a changelog, under its label.
 * - `group`: only the content. `hidden`: nothing. Neither is reported.
 */
export type ElementKind =
  | "hint"
  | "tabs"
  | "tab"
  | "steps"
  | "step"
  | "columns"
  | "column"
  | "details"
  | "cards"
  | "card"
  | "codes"
  | "code"
  | "frame"
  | "image"
  | "field"
  | "link"
  | "embed"
  | "update"
  | "group"
  | "hidden"

/** Offsets in the text. */
export type Range = readonly [from: number, to: number]

export interface HintStart {
  readonly type: "hint"
  readonly style: string
  readonly title: Range | undefined
  readonly name?: string
  readonly expandState?: Tree.Admonition["expandState"]
  /** Number of starting characters. Undefined if the content is indented. */
  readonly fenceLength?: number
}

export interface TabStart {
  readonly type: "tab"
  readonly title: Range
  /** True if the tab does not continue the tabs before it. */
  readonly startsGroup: boolean
}

/** Opening and closing lines that enclose blocks (see `TagTree`). */
export interface TagSyntax {
  /** Lines that become nodes of type `tag`. Default: the tags are nodes of another type, such as `html`. */
  readonly line?: {
    /** First character of the line. */
    readonly starts: string
    /** All characters before the name of the tag. */
    readonly prefix: string
    readonly createScanner: () => LineScanner
    /** Sticky pattern for printed text that could be such a line. */
    readonly opening: RegExp
  }
  /** Returns one node for each tag in a node. Default: a node has at most one tag. */
  readonly split?: (node: Tree.Block) => ReadonlyArray<Tree.Block>
  /** True if a node could be a tag or contain one. */
  readonly isCandidate: (node: Tree.Block) => boolean
  /** Returns the tag of a node; undefined for other nodes. */
  readonly parse: (node: Tree.Block) => TagPart | undefined
}

export type TagPart =
  | { readonly kind: "open"; readonly tag: Tag; readonly line: TagLine }
  | { readonly kind: "close"; readonly name: string }

/** Scans a tag, whose values may continue on the next lines. */
export interface LineScanner {
  /**
   * Scans the text after the start of a tag, or a line that continues a value. Returns `open` if a value continues on
   * the next line, `none` if the line is not a tag.
   */
  readonly read: (text: string, from: number, end: number) => "complete" | "open" | "none"
}

export interface InlineSyntax {
  /** ASCII punctuation character that can start the inline. */
  readonly starts: string
  /** Sticky pattern for printed text that could start such an inline. Default: such text is escaped anyway. */
  readonly opening?: RegExp
  /**
   * Creates a function for one text, which returns the inline at an offset and its end. Offsets are requested in
   * ascending order. `rangeOf` converts offsets of the text to a range in the source.
   */
  readonly createReader: (text: string, rangeOf: (from: number, to: number) => Tree.TextRange) => InlineReader
}

export type InlineReader = (at: number) => { readonly inline: Tree.Inline; readonly end: number } | undefined

/** Sticky patterns of attribute lists (see `AttributeList`), by position. */
export interface AttributeListSyntax {
  /** On a line of its own. */
  readonly line?: RegExp
  /** On the last line of a paragraph, and after code and emphasis. */
  readonly afterText: RegExp
  /** After links and images, after which braces are unlikely to be text. */
  readonly afterLink: RegExp
  /** Returns the hint style of a class. `hasTitle`: true if the first paragraph of the hint is its title. */
  readonly hintOfClass?: (name: string) => { readonly style: string; readonly hasTitle: boolean } | undefined
}
