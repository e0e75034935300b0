/**
 * Element of each type of blocks in the editor, and how far an edit reaches. A type without
 * an entry does not compile. Everything else about a type is in `BlockTypes` of `@lectern/document`.
 */
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"

export interface BlockElement {
  /** Name of the HTML element. */
  readonly element: string
  /** True if no edit at the border of the block joins it with its neighbors, as in a cell or a tab. */
  readonly isIsolating?: true
  /** True if pasted content keeps the block when all of its content is replaced, as with a heading. */
  readonly isDefining?: true
}

const text: BlockElement = { element: "p" }
const part: BlockElement = { element: "div", isIsolating: true }
const frame: BlockElement = { element: "div", isDefining: true }
const figure: BlockElement = { element: "figure" }

const elements: { readonly [_ in BlockType]: BlockElement } = {
  paragraph: text,
  "heading-1": { element: "h1", isDefining: true },
  "heading-2": { element: "h2", isDefining: true },
  "heading-3": { element: "h3", isDefining: true },
  "list-ordered": { element: "ol" },
  "list-unordered": { element: "ul" },
  "list-tasks": { element: "ul" },
  "list-item": { element: "li", isDefining: true },
  blockquote: { element: "blockquote", isDefining: true },
  divider: { element: "hr" },
  hint: frame,
  tabs: frame,
  "tabs-item": part,
  stepper: frame,
  "stepper-step": part,
  columns: frame,
  column: part,
  updates: frame,
  update: part,
  expandable: frame,
  prompt: frame,
  if: frame,
  "reusable-content": figure,
  code: { element: "pre", isDefining: true },
  "code-line": { element: "div" },
  math: figure,
  images: { element: "div" },
  image: figure,
  drawing: figure,
  embed: figure,
  file: figure,
  "content-ref": figure,
  swagger: figure,
  "openapi-operation": figure,
  "openapi-schemas": figure,
  "openapi-webhook": figure,
  integration: figure,
  table: { element: "div", isIsolating: true },
  html: figure,
  verbatim: figure,
  definition: figure,
  "footnote-definition": frame
}

export const elementOf = (type: BlockType): BlockElement => elements[type]
