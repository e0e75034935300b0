/**
 * Everything that the blocks of a page need to be drawn. A renderer is a function of a block and of this, and of
 * nothing else: the same page is drawn the same way wherever it is.
 */
import type { Block, ContentRef, Node } from "@lectern/document/Document"
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { Footnotes } from "./Footnotes.ts"
import type { Html } from "../html/Html.ts"
import type { Words } from "../page/Words.ts"

/** The end of a reference, as far as it is there for the reader. */
export interface Target {
  /** Leads there; absent where there is a name alone, as of somebody who is mentioned. */
  readonly url?: string
  readonly title: string
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  /** Of a file. */
  readonly file?: {
    readonly contentType: string
    /** Bytes. */
    readonly size: number
    /** Pixels. */
    readonly dimensions?: { readonly width: number; readonly height: number }
  }
}

export type RenderBlock = (block: Block, rendering: Rendering) => Html

/** Renderers in place of those that are built in, by the type of a block. */
export type BlockRenderers = { readonly [_ in BlockType]?: RenderBlock }

/** Facts and pictures that a page is drawn with. */
export interface Parts {
  /** Undefined where a reference leads to nothing that is there for the reader. */
  readonly targetOf: (ref: ContentRef) => Target | undefined
  /** Texts of the interface, in its language. */
  readonly words: Words
  /** Lines of code with their words marked; undefined where that is not made yet. */
  readonly highlighted: (code: string, syntax: string) => ReadonlyArray<Html> | undefined
  /** A formula as a picture; undefined where it is none, or not made yet. */
  readonly formula: (tex: string, isBlock: boolean) => Html | undefined
  /** An icon by the name that content gives it; undefined where it is not known. */
  readonly icon: (name: string) => Html | undefined
  /** A block of an integration, as its program drew it; undefined where it drew nothing. */
  readonly integration: (block: Block, rendering: Rendering) => Html | undefined
  /** A part of an API; undefined where its specification is not there for the reader. */
  readonly api: (block: Block, rendering: Rendering) => Html | undefined
  /** Links that lead away open a window of their own. */
  readonly opensWindows: boolean
  /** False where headings are read elsewhere than on their page: none links to itself then. Default: true. */
  readonly linksHeadings?: boolean
  /** Diagrams are drawn where the page is read. Default: they are code. */
  readonly drawsDiagrams?: boolean
  readonly theme: BlockRenderers
}

export interface Rendering extends Parts {
  /** Footnotes of the page. Their list is at the end of the page. */
  readonly footnotes: Footnotes
  /** Renders the blocks among nodes, in order. Each block is rendered lazily, when its HTML is serialized. */
  readonly blocks: (nodes: ReadonlyArray<Node>) => Html
}
