/**
 * Texts of the menus and forms, in English. A host passes its own as `texts` of the editor, and any that are missing stay
 * English. `{…}` in a text is replaced by a value.
 */
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"

export const englishTexts = {
  insertBlock: "Insert a block",
  noBlock: "No block matches",
  /** `{count}`: number of blocks. */
  blocks: "Blocks: {count}",
  addBlock: "Add a block below",
  blockMenu: "Move, or open the menu of the block",
  turnInto: "Turn into",
  /** `{count}`: number of blocks. */
  selectedBlocks: "Selected blocks: {count}",
  copy: "Copy",
  duplicate: "Duplicate",
  moveUp: "Move up",
  moveDown: "Move down",
  delete: "Delete",
  copyLink: "Copy link",
  /** `{name}`: name of the type of the block. */
  settingsOf: "Settings: {name}",
  /** `{name}`: name of the type of the part, such as a tab. */
  addPart: "Add: {name}",
  back: "Back",
  formatting: "Formatting",
  bold: "Bold",
  italic: "Italic",
  strikethrough: "Strikethrough",
  code: "Code",
  link: "Link",
  linkTarget: "Page, heading, file or URL",
  linkResults: "Pages, headings and files",
  emoji: "Emoji",
  openUrl: "Use this URL",
  missingTarget: "The target of this link does not exist",
  noTarget: "Nothing matches. Enter a URL that starts with https://",
  removeLink: "Remove link",
  apply: "Apply",
  cancel: "Cancel",
  chooseFile: "Choose a file",
  required: "Enter a value",
  table: "Table",
  row: "Row",
  column: "Column",
  addRowAbove: "Add a row above",
  addRowBelow: "Add a row below",
  deleteRow: "Delete row",
  addColumnBefore: "Add a column before",
  addColumnAfter: "Add a column after",
  moveColumnBefore: "Move before",
  moveColumnAfter: "Move after",
  deleteColumn: "Delete column",
  columnType: "Type of the column",
  headerRow: "Header row",
  cards: "Cards",
  choose: "Choose",
  setWidth: "Set the width",
  pictureWidth: "Width of the picture",
  /** `{name}`: title of the column, or its number. */
  columnWidth: "Width of the column {name}",
  /** `{width}`: the current width with its unit. */
  automaticWidth: "Automatic, {width}",
  widthHint: "Drag, or use the arrow keys. Double click or Delete: automatic width",
  /** `{rows}`, `{columns}`: size of the table. `{allRows}`, `{allColumns}`: size of the pasted cells. */
  tableCut:
    "The table has {rows} rows and {columns} columns of the {allRows} rows and {allColumns} columns that you pasted, since a table has at most 5,000 cells.",
  find: "Find",
  findNext: "Next",
  findPrevious: "Previous",
  findAll: "All",
  replace: "Replace",
  replaceBy: "Replace by",
  replaceAll: "Replace all",
  /** `{index}`: number of the match. `{count}`: number of matches. */
  foundOf: "{index} of {count}",
  notFound: "Not found",
  /** `{count}`: number of replaced matches. */
  replaced: "Replaced: {count}",
  matchCase: "Match case",
  wholeWords: "Whole words",
  regularExpression: "Regular expression",
  close: "Close",
  problemList: "Problems",
  noProblems: "No problems",
  /** `{count}`: number of problems. */
  problems: "Problems: {count}",
  markdownNotLoaded: "The text was pasted without its format, since the server did not respond."
}

export interface EditorTexts extends Readonly<typeof englishTexts> {
  /** Names of fields and of their values in forms, such as `lineNumbers` or `warning`. Default: the words in the name. */
  readonly words?: { readonly [name: string]: string }
}

/** Replaces `{name}` by values. */
export const withValues = (text: string, values: { readonly [name: string]: string | number }): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name]!.toLocaleString() : whole
  )

/** Returns the name of a field or value, such as "Line numbers" for `lineNumbers`. */
export const wordOf = (texts: EditorTexts, name: string): string => {
  const own = texts.words
  if (own !== undefined && Object.hasOwn(own, name)) return own[name]!
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface BlockName {
  readonly name: string
  /** Sign of the type in menus. */
  readonly sign: string
  /** Other words by which the slash menu finds the type. */
  readonly words?: string
}

/** English names of the types of blocks. A type without a name does not compile. */
const blockNames: { readonly [_ in BlockType]: BlockName } = {
  paragraph: { name: "Paragraph", sign: "¶", words: "text" },
  "heading-1": { name: "Heading 1", sign: "H1", words: "title section" },
  "heading-2": { name: "Heading 2", sign: "H2", words: "subtitle section" },
  "heading-3": { name: "Heading 3", sign: "H3", words: "subtitle section" },
  "list-unordered": { name: "Bulleted list", sign: "•", words: "bullets unordered ul" },
  "list-ordered": { name: "Numbered list", sign: "1.", words: "ordered ol" },
  "list-tasks": { name: "Task list", sign: "☑", words: "todo checklist checkbox" },
  "list-item": { name: "List item", sign: "•" },
  blockquote: { name: "Quote", sign: "❝", words: "blockquote citation" },
  divider: { name: "Divider", sign: "—", words: "line rule hr separator" },
  hint: { name: "Hint", sign: "ℹ", words: "callout note warning info alert panel admonition" },
  tabs: { name: "Tabs", sign: "⊟" },
  "tabs-item": { name: "Tab", sign: "⊟" },
  stepper: { name: "Steps", sign: "①", words: "stepper" },
  "stepper-step": { name: "Step", sign: "①" },
  columns: { name: "Columns", sign: "◫", words: "layout" },
  column: { name: "Column", sign: "◫" },
  updates: { name: "Updates", sign: "⟳", words: "changelog release notes" },
  update: { name: "Update", sign: "⟳" },
  expandable: { name: "Expandable", sign: "▸", words: "toggle details accordion collapse" },
  prompt: { name: "Prompt", sign: "❯", words: "ai" },
  if: { name: "Condition", sign: "?", words: "if visitor" },
  "reusable-content": { name: "Reusable content", sign: "⧉", words: "include snippet" },
  code: { name: "Code", sign: "{}", words: "program pre source" },
  "code-line": { name: "Line of code", sign: "{}" },
  math: { name: "Formula", sign: "∑", words: "math tex latex equation" },
  images: { name: "Picture", sign: "▣", words: "image photo gallery" },
  image: { name: "Picture", sign: "▣" },
  drawing: { name: "Drawing", sign: "✎" },
  embed: { name: "Embed", sign: "⌘", words: "video url youtube iframe" },
  file: { name: "File", sign: "⤓", words: "attachment download upload" },
  "content-ref": { name: "Link to a page", sign: "↗", words: "page reference card" },
  swagger: { name: "API operation", sign: "{…}", words: "openapi swagger" },
  "openapi-operation": { name: "API operation", sign: "{…}", words: "openapi" },
  "openapi-schemas": { name: "API schemas", sign: "{…}", words: "openapi models" },
  "openapi-webhook": { name: "API webhook", sign: "{…}", words: "openapi" },
  integration: { name: "Integration", sign: "⊕" },
  table: { name: "Table", sign: "▦", words: "grid database cards" },
  html: { name: "HTML", sign: "<>" },
  verbatim: { name: "Markdown", sign: "#" },
  definition: { name: "Link definition", sign: "↗" },
  "footnote-definition": { name: "Footnote", sign: "†" }
}

const nameEntry = (type: string): BlockName | undefined =>
  Object.hasOwn(blockNames, type) ? blockNames[type as BlockType] : undefined

/** Returns the English name of a type of blocks. Returns an unlisted type itself. */
export const englishNameOf = (type: string): string => nameEntry(type)?.name ?? type

export const signOf = (type: string): string => nameEntry(type)?.sign ?? "▢"

/** Returns the English words that find a type, for hosts in any language. */
export const englishWordsOf = (type: string): string =>
  `${type} ${englishNameOf(type)} ${nameEntry(type)?.words ?? ""}`.toLowerCase()
