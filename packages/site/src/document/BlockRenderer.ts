/**
 * Dependencies for rendering a page's blocks. A renderer depends only on a block and this value, so equal pages render
 * equally everywhere.
 */
import type { Block, ContentRef, Node } from "@lectern/document/Document"
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { Footnotes } from "./Footnotes.ts"
import type { Html } from "../html/Html.ts"
import type { LocalizedMessages } from "../page/LocalizedMessages.ts"

/** Target of a reference, as visible to the reader. */
export interface LinkTarget {
  /** URL of the target. Absent if the target has only a name, such as a mentioned user. */
  readonly url?: string
  readonly title: string
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  /** Details of a file. */
  readonly file?: {
    readonly contentType: string
    /** Size in bytes. */
    readonly size: number
    /** Size in pixels. */
    readonly dimensions?: { readonly width: number; readonly height: number }
  }
}

export type RenderBlock = (block: Block, renderer: BlockRenderer) => Html

/** Renderers that replace the default ones, by block type. */
export type BlockRenderers = { readonly [_ in BlockType]?: RenderBlock }

/** Data and renderings that a page is rendered with. */
export interface RenderDependencies {
  /** Resolves a reference; undefined if the reader cannot see its target. */
  readonly targetOf: (ref: ContentRef) => LinkTarget | undefined
  /** Messages of the interface. */
  readonly messages: LocalizedMessages
  /** Returns the lines of code with syntax highlighting; undefined if it is not ready. */
  readonly highlight: (code: string, syntax: string) => ReadonlyArray<Html> | undefined
  /** Renders a formula; undefined if the formula is invalid or not ready. */
  readonly formula: (tex: string, isBlock: boolean) => Html | undefined
  /** Renders an icon by its name in content; undefined if the icon is unknown or not ready. */
  readonly icon: (name: string) => Html | undefined
  /** Renders a block of an integration; undefined if the integration rendered nothing. */
  readonly integration: (block: Block, renderer: BlockRenderer) => Html | undefined
  /** Renders a part of an API; undefined if the reader cannot see its specification. */
  readonly api: (block: Block, renderer: BlockRenderer) => Html | undefined
  /** True if links to other websites open a new window. */
  readonly opensNewWindows: boolean
  /**
   * True if headings link to themselves. False if headings appear outside of their page, for example in a feed.
   * Default: true.
   */
  readonly linksHeadings?: boolean
  /** True if a script renders diagrams in the reader's browser. Default: false, and diagrams are shown as code. */
  readonly rendersDiagrams?: boolean
  readonly theme: BlockRenderers
}

export interface BlockRenderer extends RenderDependencies {
  /** Footnotes of the page. Their list is at the end of the page. */
  readonly footnotes: Footnotes
  /** Renders the blocks among nodes, in order. Each block is rendered lazily, when its HTML is serialized. */
  readonly blocks: (nodes: ReadonlyArray<Node>) => Html
}
