/** Options of the menus and forms, with their defaults. */
import type { ContentRef } from "@lectern/document/Document"
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { EditorView } from "prosemirror-view"
import { englishNameOf, type EditorTexts, englishTexts } from "../EditorTexts.ts"

/** A page, heading or file that a link can have as its target. */
export interface LinkTarget {
  readonly ref: ContentRef
  readonly title: string
  /** Position of the target, such as the titles of its parents. */
  readonly path?: string
}

export interface MenuOptions {
  /** Name of a type of blocks, for readers. Default: an English name. */
  readonly nameOf?: (type: string) => string
  /** Texts of menus and forms. Default: English. */
  readonly texts?: Partial<EditorTexts>
  /** Types of blocks that the menu of `/` offers. Default: `insertableTypes` without integrations and parts of APIs. */
  readonly types?: ReadonlyArray<BlockType>
  /** Finds pages, headings and files for a link. Default: links have URLs only. */
  readonly findLinks?: (query: string) => Promise<ReadonlyArray<LinkTarget>>
  /**
   * Describes the target of a link. Returns null if the target does not exist: the link is then marked. Called once for
   * each displayed link that is no URL. Default: links are not checked.
   */
  readonly describeLink?: (ref: ContentRef) => Promise<LinkTarget | null>
  /** Returns the page, file or other target of a pasted URL. Default: links keep their URL. */
  readonly refOfUrl?: (url: string) => ContentRef | undefined
  /** Returns the URL of a block by its key, for "Copy link". Default: no such entry. */
  readonly linkToBlock?: (key: string) => string
  /** Takes files that were pasted, dropped or chosen. Returns true if it did. Default: files are ignored. */
  readonly addFiles?: (files: ReadonlyArray<File>, view: EditorView) => boolean
}

export interface MenuContext extends MenuOptions {
  readonly nameOf: (type: string) => string
  readonly texts: EditorTexts
}

export const menuContext = (options: MenuOptions): MenuContext => ({
  ...options,
  nameOf: options.nameOf ?? englishNameOf,
  texts: { ...englishTexts, ...options.texts }
})
